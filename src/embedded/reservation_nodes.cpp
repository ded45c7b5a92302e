#include "embedded/reservation_nodes.h"

#include <algorithm>
#include <numeric>

#include "base/duration.h"
#include "embedded/constraint.h"
#include "embedded/reservation_times.h"
#include "embedded/reservation_use.h"
#include "embedded/shape.h"
#include "model/reservation_flags.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

uint32_t threads(const ClusterNode& node) {
  return std::max(node.machine.topology.threads_per_core, 1u);
}

int64_t end_by_limit(const Job& job) {
  if (job.settled.time_limit == kInfinite) return INT64_MAX;
  return job.start_time + job.suspended_s + int64_t{job.settled.time_limit} * 60;
}

// Cores of the node that other reservations have in the time of this one.
uint32_t reserved_cores(const State& state, const ClusterReservation& r, uint32_t node) {
  if (r.has(kResvMaint | kResvOverlap | kResvTimeFloat)) return 0;
  uint32_t all = cores_of(state.cluster.nodes[node]);
  uint32_t taken = 0;
  for (const auto& [name, other] : state.cluster.reservations) {
    if (other.id == r.id || other.has(kResvMaint | kResvOverlap)) continue;
    auto place = std::find(other.nodes.begin(), other.nodes.end(), node);
    if (place == other.nodes.end()) continue;
    if (!windows_meet(window_of(r), r.flags, window_of(other), other.flags)) continue;
    auto index = static_cast<size_t>(place - other.nodes.begin());
    taken += index < other.cores.size() ? other.cores[index] : all;
  }
  return std::min(taken, all);
}

// Cores of the node whose jobs may still run when the reservation starts.
uint32_t busy_cores(const State& state, const ClusterReservation& r, uint32_t node) {
  if (r.has(kResvIgnoreJobs | kResvTimeFloat)) return 0;
  uint32_t cpus = 0;
  for (uint32_t id : state.active()) {
    const Job& job = *state.find(id);
    if (end_by_limit(job) <= r.start || names_reservation(job, r.name)) continue;
    for (const NodeAllocation& share : job.allocation) {
      if (share.node == node) cpus += static_cast<uint32_t>(share.cpus.size());
    }
  }
  uint32_t per_core = threads(state.cluster.nodes[node]);
  return (cpus + per_core - 1) / per_core;
}

uint32_t free_cores(const State& state, const ClusterReservation& r, uint32_t node) {
  uint32_t all = cores_of(state.cluster.nodes[node]);
  return all - std::min(all, reserved_cores(state, r, node) + busy_cores(state, r, node));
}

bool has_features(const State& state, const std::vector<sched::FeatureSet>& sets, uint32_t node) {
  if (sets.empty()) return true;
  const auto& names = state.cluster.nodes[node].machine.active_features();
  sched::Bitmap has;
  for (uint32_t f = 0; f < state.cluster.features.size(); ++f) {
    if (std::find(names.begin(), names.end(), state.cluster.features[f]) != names.end()) has.set(f);
  }
  return std::any_of(sets.begin(), sets.end(),
                     [&](const sched::FeatureSet& set) { return has.contains(set.all_of); });
}

// Nodes of its partition that it could use, the preferred ones first.
Result<std::vector<uint32_t>> candidates(const State& state, const ClusterReservation& r) {
  const Cluster& cluster = state.cluster;
  const ClusterPartition* partition = cluster.partition(r.partition);
  if (!partition) return slurm_fail(kErrInvalidPartition);
  auto constraint = parse_constraint(cluster, r.features);
  if (!constraint) return tl::unexpected(constraint.error());
  std::vector<uint32_t> out;
  for (uint32_t node : partition->nodes) {
    bool usable = cluster.nodes[node].may_start_jobs() || r.has(kResvMaint);
    if (usable && has_features(state, constraint->sets, node)) out.push_back(node);
  }
  std::stable_sort(out.begin(), out.end(), [&](uint32_t a, uint32_t b) {
    return cluster.nodes[a].machine.weight < cluster.nodes[b].machine.weight;
  });
  return out;
}

void take(const State& state, ClusterReservation& r, std::vector<std::pair<uint32_t, uint32_t>> got,
          bool whole) {
  std::sort(got.begin(), got.end());
  r.nodes.clear();
  r.node_names.clear();
  r.cores.clear();
  for (auto [node, cores] : got) {
    r.nodes.push_back(node);
    r.node_names.push_back(state.cluster.nodes[node].machine.name);
    if (!whole) r.cores.push_back(cores);
  }
}

// `cores` of each of `count` nodes (one entry: of all together).
Status find_cores(const State& state, ClusterReservation& r, uint32_t count,
                  std::vector<uint32_t> cores, const std::vector<uint32_t>& from) {
  std::vector<std::pair<uint32_t, uint32_t>> got;
  if (count > 0 && cores.size() == 1) {
    uint32_t each = (cores[0] + count - 1) / count;
    cores.assign(count, each);
  }
  if (count == 0 && cores.size() == 1) {
    uint32_t left = cores[0];
    for (uint32_t node : from) {
      uint32_t take_now = std::min(left, free_cores(state, r, node));
      if (take_now == 0) continue;
      got.push_back({node, take_now});
      left -= take_now;
      if (left == 0) break;
    }
    if (left > 0) return slurm_fail(kErrNodesBusy);
  } else {
    size_t next = 0;
    for (uint32_t node : from) {
      if (next == cores.size()) break;
      if (free_cores(state, r, node) < cores[next]) continue;
      got.push_back({node, cores[next++]});
    }
    if (next < cores.size()) return slurm_fail(kErrNodesBusy);
  }
  take(state, r, std::move(got), false);
  return {};
}

}  // namespace

uint32_t cores_of(const ClusterNode& node) {
  return std::max(node.machine.topology.cpus / threads(node), 1u);
}

Status check_nodes_free(const State& state, const ClusterReservation& r, bool of_jobs) {
  for (size_t i = 0; i < r.nodes.size(); ++i) {
    uint32_t node = r.nodes[i];
    uint32_t all = cores_of(state.cluster.nodes[node]);
    uint32_t wanted = i < r.cores.size() ? r.cores[i] : all;
    if (wanted > all) return slurm_fail(kErrNodesBusy);
    if (reserved_cores(state, r, node) + wanted > all) return slurm_fail(kErrReservationOverlap);
    if (of_jobs && free_cores(state, r, node) < wanted) return slurm_fail(kErrNodesBusy);
  }
  return {};
}

Status find_nodes(const State& state, ClusterReservation& r, uint32_t count,
                  const std::vector<uint32_t>& cores) {
  const Cluster& cluster = state.cluster;
  if (r.partition.empty()) {
    const ClusterPartition* standard = cluster.default_partition();
    if (!standard) return slurm_fail(kErrNoPartition);
    r.partition = standard->config.name;
  }
  auto from = candidates(state, r);
  if (!from) return tl::unexpected(from.error());
  if (!cores.empty()) return find_cores(state, r, count, cores, *from);
  // Slurm gives what there is when more is asked for than the partition has.
  size_t wanted = std::min<size_t>(count, cluster.partition(r.partition)->nodes.size());
  std::vector<std::pair<uint32_t, uint32_t>> got;
  for (uint32_t node : *from) {
    if (got.size() == wanted) break;
    if (free_cores(state, r, node) == cores_of(cluster.nodes[node])) got.push_back({node, 0});
  }
  if (got.size() < wanted || wanted == 0) return slurm_fail(kErrNodesBusy);
  take(state, r, std::move(got), true);
  return {};
}

bool replace_nodes(const State& state, ClusterReservation& r) {
  constexpr uint32_t kFixed =
      kResvSpecNodes | kResvAllNodes | kResvPartNodes | kResvStatic | kResvMaint;
  if (r.has(kFixed) || !r.cores.empty() || r.nodes.empty()) return false;
  auto lost = [&](uint32_t index) {
    const ClusterNode& node = state.cluster.nodes[index];
    return !node.may_start_jobs() || (r.has(kResvReplace) && node.jobs > 0);
  };
  if (std::none_of(r.nodes.begin(), r.nodes.end(), lost)) return false;
  auto from = candidates(state, r);
  if (!from) return false;
  std::vector<std::pair<uint32_t, uint32_t>> got;
  bool changed = false;
  auto spare = from->begin();
  for (uint32_t node : r.nodes) {
    uint32_t keeps = node;
    while (lost(node) && spare != from->end()) {
      uint32_t other = *spare++;
      bool mine = std::find(r.nodes.begin(), r.nodes.end(), other) != r.nodes.end();
      bool idle = state.cluster.nodes[other].jobs == 0;
      if (mine || !idle || free_cores(state, r, other) < cores_of(state.cluster.nodes[other])) {
        continue;
      }
      keeps = other;
      changed = true;
      break;
    }
    got.push_back({keeps, 0});
  }
  if (changed) take(state, r, std::move(got), true);
  return changed;
}

}  // namespace grappe::embedded
