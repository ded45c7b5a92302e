#include "embedded/snapshot.h"

#include <algorithm>

#include "embedded/eligible.h"
#include "embedded/preempt.h"
#include "embedded/reservation_times.h"
#include "embedded/reservation_use.h"
#include "embedded/shape.h"
#include "model/reservation_flags.h"
#include "sched/machine.h"

namespace grappe::embedded {
namespace {

sched::Node node_view(const Cluster& cluster, const ClusterNode& node) {
  sched::Node out;
  out.name = node.machine.name;
  const MachineNode& machine = node.machine;
  out.cpus = machine.topology.cpus;
  out.sockets = machine.topology.sockets;
  out.cores_per_socket = machine.topology.cores_per_socket;
  out.threads_per_core = machine.topology.threads_per_core;
  out.memory_mb = machine.memory_mb - std::min(machine.memory_mb, machine.mem_spec_mb);
  out.tmp_mb = machine.tmp_mb;
  for (const MachineDevice& device : machine.devices) {
    sched::GresDevice& to = out.devices.emplace_back();
    to.kind = static_cast<sched::GresKind>(cluster.gres_kind(device.name, device.type));
    to.index = device.index;
    to.link_group = device.link_group;
    for (uint32_t cpu : device.near_cpus) to.near_cpus.set(cpu);
  }
  out.weight = machine.weight;
  for (uint32_t f = 0; f < cluster.features.size(); ++f) {
    const auto& has = machine.active_features();
    if (std::find(has.begin(), has.end(), cluster.features[f]) != has.end()) out.features.set(f);
  }
  out.available = node.may_start_jobs();
  out.drained = !out.available;
  out.used_cpus = node.used_cpus;
  for (uint32_t cpu : machine.spec_cpus) out.used_cpus.set(cpu);
  out.used_devices = node.used_devices;
  out.used_memory_mb = node.used_memory_mb;
  out.jobs = node.jobs;
  out.exclusive = node.exclusive;
  out.owner = node.owner;
  return out;
}

sched::Partition partition_view(const Cluster& cluster, const ClusterPartition& from) {
  const PartitionConfig& config = from.config;
  sched::Partition out;
  out.name = config.name;
  for (uint32_t node : from.nodes) out.nodes.set(node);
  out.up = config.state == PartitionState::kUp || config.state == PartitionState::kDrain;
  out.inactive = config.state == PartitionState::kInactive;
  out.priority_tier = config.priority_tier;
  out.priority_job_factor = config.priority_job_factor;
  out.max_nodes = config.max_nodes;
  out.min_nodes = config.min_nodes;
  if (config.max_time_min != kInfinite) out.max_time = sched::Time{config.max_time_min} * 60;
  out.max_cpus_per_node = config.max_cpus_per_node;
  if (auto most = cluster.memory_rule(from, &MemoryRules::max_per_node_mb))
    out.max_memory_mb = *most;
  out.least_loaded = config.least_loaded_nodes;
  out.exclusive_user = config.exclusive_user;
  out.whole_nodes = config.over_subscribe == OverSubscribe::kExclusive;
  out.oversubscribe = config.max_share;
  out.oversubscribe_forced = config.over_subscribe == OverSubscribe::kForce;
  return out;
}

sched::Time seconds(uint32_t minutes) {
  return minutes == kInfinite ? sched::kForever : sched::Time{minutes} * 60;
}

uint32_t partition_index(const Cluster& cluster, const std::string& name) {
  for (uint32_t p = 0; p < cluster.partitions.size(); ++p) {
    if (cluster.partitions[p].config.name == name) return p;
  }
  return 0;
}

sched::RunningJob running_view(const State& state, const Job& job, int64_t now) {
  sched::RunningJob out;
  out.reservation = reservation_of_running(state.cluster, job);
  out.tag = job.id;
  out.start = job.start_time;
  out.partition = partition_index(state.cluster, job.partitions.front());
  out.user = job.uid;
  out.priority = job.priority;
  out.exclusive = job.settled.whole_nodes;
  out.suspended = job.base() == JobState::kSuspended;
  sched::Time limit = seconds(job.settled.time_limit);
  out.end = limit >= sched::kForever
                ? sched::kForever
                : std::max<sched::Time>(job.start_time + limit + job.suspended_s, now + 1);
  if (out.reservation != kNoReservation) {
    const ClusterReservation& r = reservation_at(state.cluster, out.reservation);
    out.end = std::min(out.end, std::max(reservation_limit(state.cluster, r), now + 1));
  }
  fill_eviction(state, job, now, out);
  for (const NodeAllocation& from : job.allocation) {
    const ClusterNode& node = state.cluster.nodes.at(from.node);
    sched::NodeShare& to = out.shares.emplace_back();
    to.node = from.node;
    for (uint32_t cpu : from.cpus) to.cpus.set(cpu);
    to.memory_mb = from.memory_mb;
    to.tasks = from.tasks;
    for (const GresAllocation& gres : from.gres) {
      for (uint32_t d = 0; d < node.machine.devices.size(); ++d) {
        const MachineDevice& device = node.machine.devices[d];
        if (device.name == gres.name && std::find(gres.indexes.begin(), gres.indexes.end(),
                                                  device.index) != gres.indexes.end()) {
          to.devices.push_back(d);
        }
      }
    }
  }
  if (auto licenses = license_needs(state.cluster, job.spec->licenses())) {
    out.licenses = std::move(*licenses);
  }
  return out;
}

sched::Reservation reservation_view(const Cluster& cluster, const ClusterReservation& from,
                                    int64_t now) {
  sched::Reservation out;
  out.name = from.name;
  // Others may delay it by MaxStartDelay, until it has begun.
  out.start = from.start > now ? from.start + from.max_start_delay_s : from.start;
  out.end = std::max(from.end, out.start);
  for (uint32_t node : from.nodes) out.nodes.set(node);
  for (size_t i = 0; i < from.cores.size(); ++i) {
    uint32_t threads = cluster.nodes[from.nodes[i]].machine.topology.threads_per_core;
    out.cpus_per_node.push_back(from.cores[i] * std::max(threads, 1u));
  }
  out.maintenance = from.has(kResvMaint);
  out.flexible = from.has(kResvFlex | kResvAnyNodes);
  if (auto licenses = license_needs(cluster, from.licenses)) out.licenses = std::move(*licenses);
  return out;
}

// Later windows of those that repeat, for as long as the scheduler plans ahead. They come after
// all others, so that the index of a reservation is its place in the cluster.
void add_repetitions(const Cluster& cluster, int64_t now, sched::Snapshot& out) {
  constexpr size_t kMost = 48;
  int64_t until = now + int64_t{cluster.config.scheduling.parameters.bf_window_min} * 60;
  for (const auto& [name, reservation] : cluster.reservations) {
    if (!reservation.has(kResvRepeats) || reservation.has(kResvFlex)) continue;
    ClusterReservation later = reservation;
    for (size_t i = 0; i < kMost; ++i) {
      Window window = next_window(window_of(later), later.flags);
      if (window.start > until) break;
      later.start = window.start;
      later.end = window.end;
      out.reservations.push_back(reservation_view(cluster, later, now));
    }
  }
}

// A job in a reservation ends with it.
void stay_inside(const Cluster& cluster, int64_t now, sched::PendingJob& job) {
  if (job.reservation == kNoReservation) return;
  const ClusterReservation& r = reservation_at(cluster, job.reservation);
  int64_t left = reservation_limit(cluster, r) - now;
  job.time_limit = std::min(job.time_limit, std::max<int64_t>(left, 1));
  job.time_min = std::min(job.time_min, job.time_limit);
}

void add_running(const State& state, int64_t now, sched::Snapshot& out) {
  out.running.reserve(state.active().size());
  for (uint32_t id : state.active()) {
    sched::RunningJob& job = out.running.emplace_back(running_view(state, *state.find(id), now));
    const auto shape = state.shape(id);
    job.shares_cpus = shape && sched::jobs_per_core(out.partitions.at(job.partition), *shape) > 1;
    if (const LimitPlace* place = state.place(id)) {
      job.chain = place->chains[0];
      job.tres = place->tres.get();
    }
    if (!job.shares_cpus || job.suspended) continue;
    for (const sched::NodeShare& share : job.shares) {
      sched::add_sharer(out.nodes.at(share.node), job.partition, share.cpus);
    }
  }
}

bool may_start(const State& state, const Job& job, int64_t now) {
  return eligible(state, job, now).reason == Reason::kNone && startable_tasks(state, job) > 0;
}

bool has_magnet(const Cluster& cluster, int64_t now) {
  return std::any_of(cluster.reservations.begin(), cluster.reservations.end(), [&](const auto& r) {
    return r.second.has(kResvMagnetic) && is_now(r.second, now);
  });
}

}  // namespace

uint32_t least_minutes(const Cluster& cluster, const Job& job) {
  if (job.spec->has_time_min()) return job.spec->time_min();
  if (!job.spec->deadline() || job.spec->has_time_limit()) return 0;
  const ClusterPartition* partition = cluster.partition(job.partitions.front());
  return partition && partition->config.default_time_min.value_or(kInfinite) == kInfinite ? 1 : 0;
}

sched::PendingJob pending_view(const State& state, const State::Entry& entry, uint64_t tag,
                               int64_t now) {
  const Cluster& cluster = state.cluster;
  const Job& job = *entry.job;
  sched::PendingJob out;
  out.tag = tag;
  out.shape = entry.shape.get();
  for (size_t i = 0; i < job.partitions.size(); ++i) {
    for (uint32_t p = 0; p < cluster.partitions.size(); ++p) {
      if (cluster.partitions[p].config.name != job.partitions[i]) continue;
      out.partitions.push_back(p);
      if (entry.limits) out.chains.push_back(entry.limits->chains[i]);
    }
  }
  if (entry.limits) {
    out.tres = entry.limits->tres.get();
    const sched::LimitChain& first = state.limits().chain(entry.limits->chains[0]);
    out.own_time = first.own_time;
    out.no_reserve = first.no_reserve || job.priority < first.min_priority;
  }
  out.priority = job.priority;
  for (uint32_t priority : job.partition_priorities) out.priorities.push_back(priority);
  out.submit_time = job.submit_time;
  out.job_id = job.id;
  out.time_limit = seconds(job.settled.time_limit);
  out.time_min = sched::Time{least_minutes(cluster, job)} * 60;
  out.deadline = job.spec->deadline();
  out.user = job.uid;
  out.preempt_class = preempt_class(state, job);
  out.reservation = choose_reservation(cluster, job, now).index;
  stay_inside(cluster, now, out);
  if (auto licenses = license_needs(cluster, job.spec->licenses())) {
    out.licenses = std::move(*licenses);
  }
  out.copies = startable_tasks(state, job);
  return out;
}

sched::Snapshot machine_snapshot(const Cluster& cluster, int64_t now) {
  sched::Snapshot out;
  out.now = now;
  out.features = static_cast<uint32_t>(cluster.features.size());
  for (const auto& [name, type] : cluster.gres_kinds) out.gres_names.push_back(name);
  for (const ClusterNode& node : cluster.nodes) out.nodes.push_back(node_view(cluster, node));
  for (const ClusterPartition& p : cluster.partitions) {
    out.partitions.push_back(partition_view(cluster, p));
  }
  for (const auto& [name, license] : cluster.licenses) {
    out.licenses.push_back({name, license.total, license.used});
  }
  for (const auto& [name, reservation] : cluster.reservations) {
    out.reservations.push_back(reservation_view(cluster, reservation, now));
  }
  add_repetitions(cluster, now, out);
  return out;
}

ReadyJobs ready_jobs(const State& state, int64_t now) {
  ReadyJobs ready;
  state.for_each_pending([&](const State::Entry& entry) {
    if (may_start(state, *entry.job, now)) ready.push_back(&entry);
  });
  return ready;
}

sched::Snapshot snapshot_of(const State& state, const ReadyJobs& ready, int64_t now) {
  sched::Snapshot out = machine_snapshot(state.cluster, now);
  out.pending.reserve(ready.size());
  for (size_t i = 0; i < ready.size(); ++i) {
    if (i + State::kAhead < ready.size()) State::fetch(*ready[i + State::kAhead]);
    if (ready[i]->job->pending()) out.pending.push_back(pending_view(state, *ready[i], i, now));
  }
  add_running(state, now, out);
  out.limits = state.limit_table();
  out.preempt = preempt_rules(state);
  return out;
}

std::optional<sched::Snapshot> magnetic_snapshot(const State& state, int64_t now) {
  if (!has_magnet(state.cluster, now)) return std::nullopt;
  sched::Snapshot out = machine_snapshot(state.cluster, now);
  bool drawn = false;
  state.for_each_pending([&](const State::Entry& entry) {
    const Job& job = *entry.job;
    uint32_t magnet = magnet_for(state.cluster, job, now);
    bool inside = magnet != kNoReservation || !job.spec->reservation().empty();
    if (!inside || !may_start(state, job, now)) return;
    sched::PendingJob view = pending_view(state, entry, job.id, now);
    if (magnet != kNoReservation) {
      view.reservation = magnet;
      stay_inside(state.cluster, now, view);
      drawn = true;
    }
    out.pending.push_back(std::move(view));
  });
  if (!drawn) return std::nullopt;
  add_running(state, now, out);
  out.limits = state.limit_table();
  return out;
}

}  // namespace grappe::embedded
