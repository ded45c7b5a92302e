#include "embedded/partitions.h"

#include <fmt/core.h>

#include <map>

#include "base/duration.h"
#include "base/memory_size.h"
#include "base/text.h"
#include "embedded/tres.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

std::string list_or(const std::vector<std::string>& list, const char* none) {
  return list.empty() ? none : join(list, ",");
}

const char* state_word(PartitionState state) {
  switch (state) {
    case PartitionState::kUp:
      return "UP";
    case PartitionState::kDown:
      return "DOWN";
    case PartitionState::kDrain:
      return "DRAIN";
    case PartitionState::kInactive:
      return "INACTIVE";
  }
  return "UNKNOWN";
}

std::string oversubscribe_word(const PartitionConfig& config) {
  switch (config.over_subscribe) {
    case OverSubscribe::kNo:
      return "NO";
    case OverSubscribe::kYes:
      return fmt::format("YES:{}", config.max_share);
    case OverSubscribe::kForce:
      return fmt::format("FORCE:{}", config.max_share);
    case OverSubscribe::kExclusive:
      return "EXCLUSIVE";
  }
  return "NO";
}

std::string partition_tres(const Cluster& cluster, const ClusterPartition& partition) {
  return partition.nodes.empty() ? "" : tres_text(tres_of(cluster, partition));
}

std::string preempt_word(const PartitionConfig& config) {
  if (!config.preempt_mode) return "OFF";
  switch (config.preempt_mode->action) {
    case PreemptAction::kOff:
      return "OFF";
    case PreemptAction::kCancel:
      return "CANCEL";
    case PreemptAction::kRequeue:
      return "REQUEUE";
    case PreemptAction::kSuspend:
      return "SUSPEND";
  }
  return "OFF";
}

// Only the partition's own rules: those of the cluster show in `scontrol show config`.
void fill_memory(const MemoryRules& own, v1::PartitionInfo& out) {
  if (own.default_per_cpu_mb) out.set_def_mem_per_cpu(*own.default_per_cpu_mb);
  if (own.default_per_node_mb) out.set_def_mem_per_node(*own.default_per_node_mb);
  if (own.max_per_cpu_mb) out.set_max_mem_per_cpu(*own.max_per_cpu_mb);
  if (own.max_per_node_mb) out.set_max_mem_per_node(*own.max_per_node_mb);
  std::string defaults;
  if (own.default_cpus_per_gpu)
    defaults = fmt::format("DefCpuPerGPU={}", *own.default_cpus_per_gpu);
  if (own.default_per_gpu_mb) {
    defaults +=
        fmt::format("{}DefMemPerGPU={}", defaults.empty() ? "" : ",", *own.default_per_gpu_mb);
  }
  out.set_job_defaults(defaults);
}

void fill_partition(const Core& core, const ClusterPartition& from, v1::PartitionInfo& out) {
  const PartitionConfig& config = from.config;
  out.set_name(config.name);
  out.set_allow_groups(list_or(config.allow_groups, "ALL"));
  // Where some are denied, "ALL" is not said: the list of those shows instead.
  out.set_allow_accounts(list_or(config.allow_accounts, config.deny_accounts.empty() ? "ALL" : ""));
  out.set_allow_qos(list_or(config.allow_qos, config.deny_qos.empty() ? "ALL" : ""));
  out.set_deny_accounts(list_or(config.deny_accounts, ""));
  out.set_deny_qos(list_or(config.deny_qos, ""));
  out.set_alloc_nodes(config.alloc_nodes.empty() ? "ALL" : config.alloc_nodes);
  out.set_alternate(config.alternate);
  out.set_is_default(config.is_default);
  out.set_qos(config.qos);
  out.set_default_time(config.default_time_min.value_or(kNoValue));
  out.set_max_time(config.max_time_min);
  out.set_disable_root_jobs(
      config.disable_root_jobs.value_or(core.state.cluster.config.jobs.disable_root_jobs));
  out.set_exclusive_user(config.exclusive_user);
  out.set_grace_time(config.grace_time_s);
  out.set_hidden(config.hidden);
  out.set_max_nodes(config.max_nodes);
  out.set_min_nodes(config.min_nodes);
  out.set_lln(config.least_loaded_nodes);
  out.set_max_cpus_per_node(config.max_cpus_per_node);
  out.set_nodes(from.node_list);
  out.set_priority_job_factor(config.priority_job_factor);
  out.set_priority_tier(config.priority_tier);
  out.set_root_only(config.root_only);
  out.set_req_resv(config.req_resv);
  out.set_oversubscribe(oversubscribe_word(config));
  out.set_over_time_limit(!config.over_time_limit_min ? "NONE"
                          : *config.over_time_limit_min == kInfinite
                              ? "UNLIMITED"
                              : std::to_string(*config.over_time_limit_min));
  out.set_preempt_mode(preempt_word(config));
  out.set_state(state_word(config.state));
  out.set_total_cpus(from.total_cpus);
  out.set_total_nodes(static_cast<uint32_t>(from.nodes.size()));
  out.set_select_type_parameters("NONE");
  fill_memory(config.memory, out);
  out.set_tres(partition_tres(core.state.cluster, from));
  out.set_billing_weights(config.tres_billing_weights_text);
}

}  // namespace

Result<v1::PartitionsResponse> list_partitions(const Core& core, const Caller& caller,
                                               const v1::PartitionsRequest& request) {
  v1::PartitionsResponse response;
  response.set_now(core.now);
  for (const ClusterPartition& partition : core.state.cluster.partitions) {
    bool named = !request.name().empty();
    if (named && partition.config.name != request.name()) continue;
    bool shown = named || request.all() || caller.is_operator || !partition.config.hidden;
    if (shown) fill_partition(core, partition, *response.add_partitions());
  }
  if (!request.name().empty() && response.partitions().empty()) {
    return slurm_fail(kErrInvalidPartition);
  }
  return response;
}

}  // namespace grappe::embedded
