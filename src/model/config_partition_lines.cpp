#include "model/config_partition_lines.h"

#include <array>

#include "model/config_memory_keys.h"

namespace grappe {

namespace {

using Key = LineKey<PartitionConfig>;
using Part = PartitionConfig;

// Jobs per resource when YES or FORCE gives no number.
constexpr std::uint32_t kDefaultShare = 4;

constexpr std::array<std::pair<std::string_view, PartitionState>, 4> kStates = {{
    {"UP", PartitionState::kUp},
    {"DOWN", PartitionState::kDown},
    {"DRAIN", PartitionState::kDrain},
    {"INACTIVE", PartitionState::kInactive},
}};

Status set_state(const Key& key, std::string_view value, Part& part) {
  for (const auto& [word, state] : kStates) {
    if (!iequals(word, value)) continue;
    part.state = state;
    return {};
  }
  return invalid_option(key.name, value);
}

// NO, EXCLUSIVE, YES[:jobs], FORCE[:jobs].
Status set_over_subscribe(const Key& key, std::string_view value, Part& part) {
  const std::size_t colon = value.find(':');
  const std::string_view word = value.substr(0, colon);
  std::uint32_t share = 1;
  OverSubscribe mode = OverSubscribe::kNo;
  if (iequals(word, "YES") || iequals(word, "FORCE")) {
    mode = iequals(word, "YES") ? OverSubscribe::kYes : OverSubscribe::kForce;
    share = kDefaultShare;
  } else if (iequals(word, "EXCLUSIVE")) {
    mode = OverSubscribe::kExclusive;
  } else if (!iequals(word, "NO")) {
    return invalid_option(key.name, value);
  }
  if (colon != std::string_view::npos) {
    auto number = parse_uint(value.substr(colon + 1), 32767);
    if (!number || *number == 0 || share == 1) return invalid_option(key.name, value);
    share = static_cast<std::uint32_t>(*number);
  }
  part.over_subscribe = mode;
  part.max_share = share;
  return {};
}

Status set_memory(const Key& key, std::string_view value, Part& part) {
  return set_memory_rule(key.name, value, part.memory).map([](bool) {});
}

Status set_preempt(const Key& key, std::string_view value, Part& part) {
  return line_rows::store(read_preempt_mode(key.name, value), part.preempt_mode);
}

Status set_select(const Key& key, std::string_view value, Part& part) {
  auto select = read_select(key.name, value);
  if (!select) return tl::unexpected(select.error());
  if (select->unit != ConsumableUnit::kCore && select->unit != ConsumableUnit::kSocket) {
    return fail(
        "SelectTypeParameters of a partition can be CR_Core, CR_Core_Memory, CR_Socket and "
        "CR_Socket_Memory");
  }
  part.select = *select;
  return {};
}

Status set_billing(const Key& key, std::string_view value, Part& part) {
  part.tres_billing_weights_text = value;
  return line_rows::store(read_tres_weights(key.name, value), part.tres_billing_weights);
}

// The old key for what are two today.
Status set_priority(const Key& key, std::string_view value, Part& part) {
  Status status = line_rows::store(read_number(key.name, value, 0, 65533), part.priority_tier);
  if (status) part.priority_job_factor = part.priority_tier;
  return status;
}

// NONE takes a default back.
template <auto member>
Status set_unless_none(const Key&, std::string_view value, Part& part) {
  part.*member = {};
  if (!iequals(value, "NONE")) part.*member = value;
  return {};
}

Status set_alloc_nodes(const Key&, std::string_view value, Part& part) {
  part.alloc_nodes.clear();
  if (!iequals(value, "ALL")) part.alloc_nodes = value;
  return {};
}

// Group names keep their letters.
Status set_groups(const Key&, std::string_view value, Part& part) {
  part.allow_groups.clear();
  if (!iequals(value, "ALL")) part.allow_groups = read_list(value);
  return {};
}

using line_rows::idle;
using line_rows::no_effect;

constexpr std::string_view kNoPower = "nodes are not switched off and on";

constexpr Key kKeys[] = {
    line_rows::text<&Part::name>("PartitionName"),
    idle("jobs come from this machine alone", Key{"AllocNodes", set_alloc_nodes}),
    line_rows::names<&Part::allow_accounts>("AllowAccounts"),
    {"AllowGroups", set_groups},
    line_rows::names<&Part::allow_qos>("AllowQos"),
    idle("a job waits for the partition that it names",
         Key{"Alternate", set_unless_none<&Part::alternate>}),
    line_rows::cpu_bind<&Part::cpu_bind>("CpuBind"),
    line_rows::yes_no<&Part::is_default>("Default"),
    line_rows::minutes<&Part::default_time_min>("DefaultTime"),
    {"DefCpuPerGPU", set_memory},
    {"DefMemPerCPU", set_memory},
    {"DefMemPerGPU", set_memory},
    {"DefMemPerNode", set_memory},
    line_rows::names<&Part::deny_accounts>("DenyAccounts"),
    line_rows::names<&Part::deny_qos>("DenyQos"),
    line_rows::yes_no<&Part::disable_root_jobs>("DisableRootJobs"),
    line_rows::yes_no<&Part::exclusive_user>("ExclusiveUser"),
    line_rows::number<&Part::grace_time_s>("GraceTime"),
    line_rows::yes_no<&Part::hidden>("Hidden"),
    {"JobDefaults", set_memory},
    line_rows::yes_no<&Part::least_loaded_nodes>("LLN"),
    line_rows::number_or_unlimited<&Part::max_cpus_per_node>("MaxCPUsPerNode"),
    {"MaxMemPerCPU", set_memory},
    {"MaxMemPerNode", set_memory},
    line_rows::number_or_unlimited<&Part::max_nodes>("MaxNodes"),
    line_rows::minutes<&Part::max_time_min>("MaxTime"),
    line_rows::number<&Part::min_nodes>("MinNodes"),
    line_rows::text<&Part::nodes>("Nodes"),
    {"OverSubscribe", set_over_subscribe},
    {"Shared", set_over_subscribe},
    line_rows::number_or_unlimited<&Part::over_time_limit_min>("OverTimeLimit"),
    no_effect<Part>("PowerDownOnIdle", kNoPower),
    {"PreemptMode", set_preempt},
    {"Priority", set_priority},
    line_rows::number<&Part::priority_job_factor>("PriorityJobFactor", 0, 65533),
    line_rows::number<&Part::priority_tier>("PriorityTier", 0, 65533),
    line_rows::text<&Part::qos>("QOS"),
    line_rows::yes_no<&Part::req_resv>("ReqResv"),
    no_effect<Part>("ResumeTimeout", kNoPower),
    line_rows::yes_no<&Part::root_only>("RootOnly"),
    idle("cores and memory are given out in every partition",
         Key{"SelectTypeParameters", set_select}),
    {"State", set_state},
    no_effect<Part>("SuspendTime", kNoPower),
    no_effect<Part>("SuspendTimeout", kNoPower),
    Key{"TRESBillingWeights", set_billing},
};

}  // namespace

std::span<const LineKey<PartitionConfig>> partition_line_keys() {
  return kKeys;
}

}  // namespace grappe
