#include <fmt/core.h>

#include "base/duration.h"
#include "cli/scontrol/show_cluster.h"

namespace grappe::scontrol {
namespace {

using v1::PartitionInfo;

std::string_view yes_no(bool value) {
  return value ? "YES" : "NO";
}

std::string count_or_unlimited(uint32_t count) {
  return count == kInfinite ? "UNLIMITED" : std::to_string(count);
}

std::string minutes_or_none(uint32_t minutes) {
  return minutes == kNoValue ? "NONE" : format_minutes(minutes);
}

std::string_view or_word(std::string_view text, std::string_view word) {
  return text.empty() ? word : text;
}

// One of Allow and Deny is shown: Allow if it was given, or if neither was.
std::string allow_or_deny(std::string_view what, std::string_view allow, std::string_view deny) {
  if (allow.empty() && !deny.empty()) return fmt::format("Deny{}={}", what, deny);
  return fmt::format("Allow{}={}", what, or_word(allow, "ALL"));
}

// "DefMemPerCPU=100": per CPU where that is set, else per node.
std::string memory_limit(std::string_view name, bool per_cpu_given, uint64_t per_cpu,
                         bool per_node_given, uint64_t per_node) {
  if (per_cpu_given) return fmt::format("{}PerCPU={}", name, per_cpu);
  return fmt::format("{}PerNode={}", name, per_node_given ? std::to_string(per_node) : "UNLIMITED");
}

void who(Record& record, const PartitionInfo& p) {
  record.line(fmt::format("AllowGroups={} {} {}", or_word(p.allow_groups(), "ALL"),
                          allow_or_deny("Accounts", p.allow_accounts(), p.deny_accounts()),
                          allow_or_deny("Qos", p.allow_qos(), p.deny_qos())));
  std::string line = fmt::format("AllocNodes={}", or_word(p.alloc_nodes(), "ALL"));
  if (!p.alternate().empty()) line += " Alternate=" + p.alternate();
  record.line(line +
              fmt::format(" Default={} QoS={}", yes_no(p.is_default()), or_word(p.qos(), "N/A")));
}

void limits(Record& record, const PartitionInfo& p) {
  record.line(
      fmt::format("DefaultTime={} DisableRootJobs={} ExclusiveUser={} GraceTime={} Hidden={}",
                  minutes_or_none(p.default_time()), yes_no(p.disable_root_jobs()),
                  yes_no(p.exclusive_user()), p.grace_time(), yes_no(p.hidden())));
  record.line(fmt::format("MaxNodes={} MaxTime={} MinNodes={} LLN={} MaxCPUsPerNode={}",
                          count_or_unlimited(p.max_nodes()), minutes_or_none(p.max_time()),
                          p.min_nodes(), yes_no(p.lln()),
                          count_or_unlimited(p.max_cpus_per_node())));
}

}  // namespace

std::string format_partition(const PartitionInfo& p, const Style& style) {
  Record record;
  record.line("PartitionName=" + p.name());
  who(record, p);
  limits(record, p);
  if (!p.node_sets().empty()) record.line("NodeSets=" + p.node_sets());
  record.line(fmt::format("Nodes={}", or_null(p.nodes())));
  record.line(
      fmt::format("PriorityJobFactor={} PriorityTier={} RootOnly={} ReqResv={} OverSubscribe={}",
                  p.priority_job_factor(), p.priority_tier(), yes_no(p.root_only()),
                  yes_no(p.req_resv()), or_word(p.oversubscribe(), "NO")));
  record.line(fmt::format("OverTimeLimit={} PreemptMode={}", or_word(p.over_time_limit(), "NONE"),
                          or_word(p.preempt_mode(), "OFF")));
  record.line(fmt::format("State={} TotalCPUs={} TotalNodes={} SelectTypeParameters={}",
                          or_word(p.state(), "UP"), p.total_cpus(), p.total_nodes(),
                          or_word(p.select_type_parameters(), "NONE")));
  if (!p.cpu_bind().empty()) record.line("CpuBind=" + p.cpu_bind() + " ");
  record.line(fmt::format("JobDefaults={}", or_null(p.job_defaults())));
  record.line(memory_limit("DefMem", p.has_def_mem_per_cpu(), p.def_mem_per_cpu(),
                           p.has_def_mem_per_node(), p.def_mem_per_node()) +
              " " +
              memory_limit("MaxMem", p.has_max_mem_per_cpu(), p.max_mem_per_cpu(),
                           p.has_max_mem_per_node(), p.max_mem_per_node()));
  record.line(fmt::format("TRES={}", or_null(p.tres())));
  if (!p.billing_weights().empty()) record.line("TRESBillingWeights=" + p.billing_weights());
  return record.text(style);
}

}  // namespace grappe::scontrol
