#include "embedded/admit.h"

#include <fmt/core.h>
#include <grp.h>

#include <algorithm>

#include "base/account_names.h"
#include "base/text.h"
#include "books/qos_flags.h"
#include "embedded/constraint.h"
#include "embedded/reservation_use.h"
#include "embedded/sampling.h"
#include "embedded/shape.h"
#include "embedded/snapshot.h"
#include "embedded/tres.h"
#include "model/slurm_error.h"
#include "sched/plan.h"

namespace grappe::embedded {
namespace {

bool has(const std::vector<std::string>& list, std::string_view word) {
  return std::any_of(list.begin(), list.end(),
                     [&](const std::string& item) { return iequals(item, word); });
}

bool in_a_group(const Caller& caller, const std::vector<std::string>& groups) {
  int count = 0;
  getgrouplist(caller.user.c_str(), caller.gid, nullptr, &count);
  std::vector<gid_t> ids(static_cast<size_t>(std::max(count, 1)));
  getgrouplist(caller.user.c_str(), caller.gid, ids.data(), &count);
  for (gid_t id : ids) {
    const auto name = group_of(id);
    if (name && has(groups, *name)) return true;
  }
  return false;
}

Result<std::vector<const ClusterPartition*>> partitions_of(const Cluster& cluster,
                                                           const v1::JobSpec& spec) {
  std::vector<const ClusterPartition*> list;
  if (spec.partition().empty()) {
    const ClusterPartition* standard = cluster.default_partition();
    if (!standard) return slurm_fail(kErrNoPartition);
    list.push_back(standard);
    return list;
  }
  for (std::string_view name : split_words(spec.partition(), ",")) {
    const ClusterPartition* partition = cluster.partition(name);
    if (!partition) {
      return slurm_fail(kErrInvalidPartition, fmt::format("invalid partition specified: {}", name));
    }
    if (std::find(list.begin(), list.end(), partition) == list.end()) list.push_back(partition);
  }
  if (list.empty()) return slurm_fail(kErrInvalidPartition, "invalid partition specified: (null)");
  return list;
}

Status check_spec(const v1::JobSpec& spec, const Caller& caller, int64_t now) {
  if (spec.nice() < 0 && !caller.is_operator) return slurm_fail(kErrInvalidNice);
  if (spec.has_deadline() && spec.deadline() <= now) return slurm_fail(kErrInvalidTimeLimit);
  if (spec.has_min_nodes() && spec.min_nodes() == 0 && !spec.has_ntasks() && !spec.hold()) {
    return slurm_fail(kErrInvalidNodeCount);
  }
  if (spec.work_dir().size() > 4096 || spec.std_out().size() > 4096) {
    return slurm_fail(kErrPathTooLong);
  }
  if (!spec.container().empty()) return slurm_fail(kErrContainerNotConfigured);
  if (!spec.burst_buffer().empty()) {
    return slurm_fail(kErrNotSupported, "burst buffers are not supported on this cluster");
  }
  if (spec.reboot()) {
    return slurm_fail(kErrNotSupported, "nodes can not be rebooted for a job on this cluster");
  }
  return {};
}

uint32_t or_one(uint32_t number) {
  return std::max(number, 1u);
}

// Numbers are the user's: what no machine has stays that much.
uint32_t times(uint32_t a, uint64_t b) {
  return a && b > UINT32_MAX / a ? UINT32_MAX : static_cast<uint32_t>(a * b);
}

uint32_t parts(uint64_t whole, uint64_t part) {
  return static_cast<uint32_t>(std::min<uint64_t>(whole / part + (whole % part != 0), UINT32_MAX));
}

// `least`: the nodes of who has said no number.
void settle_tasks(const v1::JobSpec& spec, uint32_t least, Settled& out) {
  uint32_t per_node = spec.ntasks_per_node();
  if (spec.has_min_nodes()) {
    out.min_nodes = or_one(spec.min_nodes());
    out.max_nodes =
        spec.has_max_nodes() ? std::max(spec.max_nodes(), out.min_nodes) : out.min_nodes;
  } else {
    out.min_nodes = or_one(least);
    out.max_nodes = UINT32_MAX;
  }
  if (spec.has_ntasks()) {
    out.tasks = or_one(spec.ntasks());
    if (!spec.has_min_nodes()) {
      out.tasks = std::max(out.tasks, out.min_nodes);
      if (per_node) out.min_nodes = std::max(out.min_nodes, parts(out.tasks, per_node));
    }
    // Without -N the scheduler packs the tasks on as few nodes as it can.
    if (spec.has_min_nodes())
      out.max_nodes = std::min(out.max_nodes, std::max(out.tasks, out.min_nodes));
  } else {
    out.tasks = times(out.min_nodes, or_one(per_node));
    // GPUs of the whole job are found on as many nodes as it takes.
    if (!spec.has_min_nodes() && (per_node || spec.gpus().empty())) out.max_nodes = out.min_nodes;
  }
  out.cpus_per_task = or_one(spec.cpus_per_task());
  out.min_cpus_per_node =
      std::max(or_one(spec.min_cpus_per_node()),
               spec.overcommit() ? 1 : times(out.cpus_per_task, or_one(per_node)));
  out.cpus = spec.overcommit() ? out.min_nodes : times(out.tasks, out.cpus_per_task);
  out.cpus = std::max(out.cpus, out.min_nodes);
}

bool wants_gpus(const v1::JobSpec& spec) {
  return !spec.gpus().empty() || !spec.gpus_per_node().empty() || !spec.gpus_per_task().empty() ||
         !spec.gpus_per_socket().empty() || spec.gres().find("gpu") != std::string::npos;
}

void settle_memory(const Cluster& cluster, const v1::JobSpec& spec,
                   const ClusterPartition& partition, Settled& out) {
  if (spec.has_mem_per_node_mb()) {
    out.mem_per_node_mb = spec.mem_per_node_mb();
  } else if (spec.has_mem_per_cpu_mb()) {
    out.mem_per_cpu_mb = spec.mem_per_cpu_mb();
  } else if (spec.has_mem_per_gpu_mb()) {
    return;
  } else if (auto cpu = cluster.memory_rule(partition, &MemoryRules::default_per_cpu_mb)) {
    out.mem_per_cpu_mb = *cpu;
  } else if (auto node = cluster.memory_rule(partition, &MemoryRules::default_per_node_mb)) {
    out.mem_per_node_mb = *node;
  }
}

uint64_t smallest_memory(const Cluster& cluster, const ClusterPartition& partition) {
  uint64_t smallest = UINT64_MAX;
  for (uint32_t node : partition.nodes) {
    smallest = std::min(smallest, cluster.nodes[node].machine.memory_mb);
  }
  return smallest == UINT64_MAX ? 0 : smallest;
}

// Who asks for more memory with a CPU than MaxMemPerCPU gets it with more CPUs.
void obey_max_mem_per_cpu(const Cluster& cluster, const v1::JobSpec& spec,
                          const ClusterPartition& partition, Settled& out) {
  const auto most = cluster.memory_rule(partition, &MemoryRules::max_per_cpu_mb);
  if (!most || *most == 0) return;
  if (out.mem_per_cpu_mb > *most) {
    const uint32_t factor = parts(out.mem_per_cpu_mb, *most);
    out.mem_per_cpu_mb = parts(out.mem_per_cpu_mb, factor);
    out.cpus_per_task = times(out.cpus_per_task, factor);
    out.min_cpus_per_node = times(out.min_cpus_per_node, factor);
    if (!spec.overcommit()) {
      out.cpus = std::max(times(out.tasks, out.cpus_per_task), out.min_nodes);
    }
    return;
  }
  uint64_t memory = out.mem_per_node_mb;
  const bool all = spec.has_mem_per_node_mb() && memory == 0;
  if (all) memory = smallest_memory(cluster, partition);
  out.min_cpus_per_node = std::max(out.min_cpus_per_node, parts(memory, *most));
}

}  // namespace

Status check_partition_access(const ClusterPartition& partition, const Caller& caller,
                              const v1::JobSpec& spec, const Membership& member) {
  const PartitionConfig& config = partition.config;
  if (config.state == PartitionState::kInactive || config.state == PartitionState::kDrain) {
    return slurm_fail(kErrPartitionNotAvail);
  }
  if (caller.uid == 0 && config.disable_root_jobs.value_or(false)) {
    return slurm_fail(kErrUserId);
  }
  if (config.root_only && caller.uid != 0) return slurm_fail(kErrAccessDenied);
  if (config.req_resv && spec.reservation().empty()) return slurm_fail(kErrAccessDenied);
  if (!config.allow_groups.empty() && caller.uid != 0 && !in_a_group(caller, config.allow_groups)) {
    return slurm_fail(kErrPartitionGroup);
  }
  if (!config.allow_accounts.empty() && !has(config.allow_accounts, member.account)) {
    return slurm_fail(kErrInvalidAccount);
  }
  if (has(config.deny_accounts, member.account)) return slurm_fail(kErrInvalidAccount);
  if (!config.allow_qos.empty() && !has(config.allow_qos, member.qos)) {
    return slurm_fail(kErrInvalidQos);
  }
  if (has(config.deny_qos, member.qos)) return slurm_fail(kErrInvalidQos);
  return {};
}

namespace {

// Of a job that may run in any of them.
uint32_t least_nodes(const std::vector<const ClusterPartition*>& partitions) {
  uint32_t least = UINT32_MAX;
  for (const ClusterPartition* partition : partitions) {
    least = std::min(least, partition->config.min_nodes);
  }
  return least;
}

}  // namespace

Result<Settled> settle(const Cluster& cluster, const v1::JobSpec& spec,
                       const std::vector<const ClusterPartition*>& partitions) {
  const ClusterPartition& partition = *partitions.front();
  Settled out;
  auto constraint = parse_constraint(cluster, spec.constraint());
  if (!constraint) return tl::unexpected(constraint.error());
  if (!parse_constraint(cluster, spec.prefer())) return slurm_fail(kErrInvalidPrefer);
  settle_tasks(spec, std::max(least_nodes(partitions), constraint->least_nodes), out);
  settle_memory(cluster, spec, partition, out);
  obey_max_mem_per_cpu(cluster, spec, partition, out);
  const PartitionConfig& config = partition.config;
  if (spec.has_time_limit()) {
    out.time_limit = spec.time_limit();
  } else {
    out.time_limit = config.default_time_min.value_or(config.max_time_min);
  }
  out.whole_nodes = spec.sharing() == v1::JobSpec::EXCLUSIVE ||
                    config.over_subscribe == OverSubscribe::kExclusive;
  out.billing = billing_asked(cluster, partition, out, spec);
  return out;
}

namespace {

// The least time must fit into the limit, the partition's and what is left until the deadline.
Status check_time_min(const v1::JobSpec& spec, const PartitionConfig& partition, uint32_t limit,
                      int64_t now) {
  if (!spec.has_time_min()) return {};
  const uint32_t most = std::min(limit, partition.max_time_min);
  const bool too_late =
      spec.has_deadline() && spec.deadline() < now + int64_t{spec.time_min()} * 60;
  if (spec.time_min() > most || too_late) return slurm_fail(kErrInvalidTimeMin);
  return {};
}

// What a partition as a whole can't give, as Slurm's error; 0: it can. The job is taken all the
// same and waits for the operator to change that, unless EnforcePartLimits says otherwise.
int beyond_partition(const Cluster& cluster, const ClusterPartition& partition, const Job& job,
                     const Freedom& freedom) {
  const PartitionConfig& config = partition.config;
  const Settled& settled = job.settled;
  if (settled.cpus > partition.total_cpus) return kErrTooManyCpus;
  if (settled.min_nodes > partition.nodes.size() ||
      (settled.min_nodes > config.max_nodes && !freedom.own_max_nodes)) {
    return kErrInvalidNodeCount;
  }
  bool too_long = config.max_time_min != kInfinite && !freedom.own_time &&
                  (settled.time_limit == kInfinite || settled.time_limit > config.max_time_min);
  if (too_long) return kErrInvalidTimeLimit;
  const auto most_memory = cluster.memory_rule(partition, &MemoryRules::max_per_node_mb);
  const uint64_t memory = std::max<uint64_t>(
      settled.mem_per_node_mb, times(settled.min_cpus_per_node, settled.mem_per_cpu_mb));
  return most_memory && memory > *most_memory ? kErrPartConfig : 0;
}

bool has_required_nodes(const ClusterPartition& partition, const sched::Shape& shape) {
  sched::Bitmap members;
  for (uint32_t node : partition.nodes) members.set(node);
  return members.contains(shape.required_nodes);
}

// Why no node fits, in Slurm's words; nothing where it has none.
std::string misfit(const Cluster& cluster, const sched::Shape& shape) {
  uint64_t memory = 0, tmp = 0;
  uint32_t cpus = 0, sockets = 0, cores = 0, threads = 0;
  for (const ClusterNode& node : cluster.nodes) {
    const NodeTopology& topology = node.machine.topology;
    memory = std::max(memory, node.machine.memory_mb);
    tmp = std::max(tmp, node.machine.tmp_mb);
    cpus = std::max(cpus, topology.cpus);
    sockets = std::max(sockets, topology.sockets);
    cores = std::max(cores, topology.cores_per_socket);
    threads = std::max(threads, topology.threads_per_core);
  }
  if (shape.min_cpus_per_node > cpus) return "CPU count per node can not be satisfied";
  if (shape.mem_per_node_mb > memory || shape.mem_per_cpu_mb > memory) {
    return "Memory specification can not be satisfied";
  }
  if (shape.tmp_mb > tmp) return "Temporary disk specification can not be satisfied";
  if (shape.sockets_per_node > sockets || shape.cores_per_socket > cores ||
      shape.threads_per_core > threads) {
    return "Socket, core and/or thread specification can not be satisfied";
  }
  return "";
}

}  // namespace

Status check_feasible(const Cluster& cluster, const Job& job, const sched::Shape& shape,
                      int64_t now, Freedom freedom, uint32_t* waits_for) {
  sched::Snapshot machine = machine_snapshot(cluster, now);
  const PartLimitsPolicy policy = cluster.config.jobs.enforce_part_limits;
  bool only_the_partition = false;
  bool fits = false;
  int beyond = 0;  // of the first partition that says so
  for (uint32_t p = 0; p < cluster.partitions.size(); ++p) {
    const ClusterPartition& partition = cluster.partitions[p];
    if (!has(job.partitions, partition.config.name)) continue;
    if (!has_required_nodes(partition, shape) && !freedom.held) continue;
    const int error = beyond_partition(cluster, partition, job, freedom);
    if (!beyond) beyond = error;
    if (error || !has_required_nodes(partition, shape)) {
      only_the_partition = true;
      continue;
    }
    const Reason reason = freedom.held ? Reason::kNone : sched::feasible(machine, shape, p);
    fits = fits || reason == Reason::kNone;
    if (fits && policy != PartLimitsPolicy::kAll) return {};
    only_the_partition =
        only_the_partition || (reason != Reason::kNone && reason != Reason::kBadConstraints);
  }
  // Of several partitions one that fits will do, but for EnforcePartLimits=ALL.
  if (fits && !only_the_partition) return {};
  if (only_the_partition) {
    if (policy != PartLimitsPolicy::kNo) return slurm_fail(beyond ? beyond : kErrPartConfig);
    *waits_for = kErrPartConfig;
    return {};
  }
  std::string why = misfit(cluster, shape);
  return why.empty() ? slurm_fail(kErrNodeConfig) : slurm_fail(kErrNodeConfig, why);
}

bool beyond_all_cpus(const Cluster& cluster, const Job& job) {
  return std::all_of(job.partitions.begin(), job.partitions.end(), [&](const std::string& name) {
    const ClusterPartition* partition = cluster.partition(name);
    const uint32_t cpus = std::max(job.settled.cpus, job.settled.min_cpus_per_node);
    return partition && cpus > partition->total_cpus;
  });
}

Result<Admission> admit(const Cluster& cluster, const Books& books, const Caller& caller,
                        v1::JobSpec spec, int64_t now, Admitting what) {
  if (Status ok = check_spec(spec, caller, now); !ok) return tl::unexpected(ok.error());
  // Where Slurm shows it, a comma has become what it means.
  std::replace(spec.mutable_constraint()->begin(), spec.mutable_constraint()->end(), ',', '&');
  auto partitions = partitions_of(cluster, spec);
  if (!partitions) return tl::unexpected(partitions.error());
  auto member = membership(
      books, cluster.config.accounting, cluster.config.service.cluster_name,
      {caller.user, spec.account(), partitions->front()->config.name, spec.qos(), spec.wckey()});
  if (!member) return tl::unexpected(member.error());
  for (const ClusterPartition* partition : *partitions) {
    Status allowed = check_partition_access(*partition, caller, spec, *member);
    if (!allowed) return tl::unexpected(allowed.error());
  }
  const v1::Qos* qos = books.qos(member->qos);
  if (qos && has_flag(*qos, kQosRequiresReservation) && spec.reservation().empty()) {
    return slurm_fail(kErrInvalidQos);
  }
  const ClusterPartition& first = *partitions->front();
  if (wants_gpus(spec)) {
    if (!spec.has_cpus_per_gpu() && !spec.has_cpus_per_task() && !spec.has_ntasks()) {
      if (auto cpus = cluster.memory_rule(first, &MemoryRules::default_cpus_per_gpu)) {
        spec.set_cpus_per_gpu(static_cast<uint32_t>(*cpus));
      }
    }
    bool memory_given = spec.has_mem_per_node_mb() || spec.has_mem_per_cpu_mb();
    if (!memory_given && !spec.has_mem_per_gpu_mb()) {
      if (auto mb = cluster.memory_rule(first, &MemoryRules::default_per_gpu_mb)) {
        spec.set_mem_per_gpu_mb(*mb);
      }
    }
  }
  Status open_to_him = check_reservation_access(
      cluster, spec.reservation(), {caller.user, caller.uid, caller.gid, member->account});
  if (!open_to_him) return tl::unexpected(open_to_him.error());
  if (auto licenses = license_needs(cluster, spec.licenses()); !licenses) {
    return tl::unexpected(licenses.error());
  }

  Admission out;
  auto settled = settle(cluster, spec, *partitions);
  if (!settled) return tl::unexpected(settled.error());
  Status time_min = check_time_min(spec, first.config, settled->time_limit, now);
  if (!time_min) return tl::unexpected(time_min.error());
  const bool limited = settled->mem_per_node_mb || settled->mem_per_cpu_mb;
  Status often = check_frequency(cluster, spec.acctg_freq(), limited);
  if (!often) return tl::unexpected(often.error());
  Job& job = out.job;
  job.settled = *settled;
  for (const ClusterPartition* partition : *partitions) {
    job.partitions.push_back(partition->config.name);
  }
  job.account = std::move(member->account);
  job.qos = std::move(member->qos);
  job.wckey = std::move(member->wckey);
  job.assoc_id = member->assoc_id;
  job.uid = caller.uid;
  job.gid = caller.gid;
  job.user = caller.user;
  job.submit_time = now;
  job.begin_time = spec.begin_time();
  job.hold = spec.hold() ? Hold::kUser : Hold::kNone;
  job.spec = std::make_shared<const v1::JobSpec>(std::move(spec));
  auto shape = shape_of(cluster, job);
  if (!shape) return tl::unexpected(shape.error());
  out.shape = std::move(*shape);
  if (what == Admitting::kChange) return out;
  const auto frees = [&](std::string_view flag) {
    return cluster.config.accounting.enforce.limits && qos && has_flag(*qos, flag);
  };
  out.shape.own_max_nodes = frees(kQosPartitionMaxNodes);
  out.shape.own_min_nodes = frees(kQosPartitionMinNodes);
  const Freedom freedom{job.hold != Hold::kNone && what != Admitting::kTest,
                        frees(kQosPartitionTimeLimit), out.shape.own_max_nodes};
  Status possible = check_feasible(cluster, job, out.shape, now, freedom, &out.waits_for);
  if (possible) possible = check_reservation_fit(cluster, job, out.shape, now);
  if (!possible) return tl::unexpected(possible.error());
  return out;
}

}  // namespace grappe::embedded
