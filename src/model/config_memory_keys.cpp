#include "model/config_memory_keys.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "model/config_values.h"

namespace grappe {

namespace {

using Amount = std::optional<std::uint64_t> MemoryRules::*;

// `other` is the same limit per something else: a later line replaces it, as in Slurm.
struct MemoryKey {
  std::string_view name;
  Amount amount;
  Amount other;
};

constexpr std::array<MemoryKey, 6> kMemoryKeys = {{
    {"DefMemPerCPU", &MemoryRules::default_per_cpu_mb, &MemoryRules::default_per_node_mb},
    {"DefMemPerNode", &MemoryRules::default_per_node_mb, &MemoryRules::default_per_cpu_mb},
    {"MaxMemPerCPU", &MemoryRules::max_per_cpu_mb, &MemoryRules::max_per_node_mb},
    {"MaxMemPerNode", &MemoryRules::max_per_node_mb, &MemoryRules::max_per_cpu_mb},
    {"DefMemPerGPU", &MemoryRules::default_per_gpu_mb, nullptr},
    {"DefCpuPerGPU", &MemoryRules::default_cpus_per_gpu, nullptr},
}};

// "DefCpuPerGPU=4,DefMemPerGPU=1000".
Status set_job_defaults(std::string_view value, MemoryRules& rules) {
  for (const std::string& item : read_list(value)) {
    const std::size_t equals = item.find('=');
    const std::string name = item.substr(0, equals);
    const bool known = iequals(name, "DefCpuPerGPU") || iequals(name, "DefMemPerGPU");
    if (!known || equals == std::string::npos) return invalid_option("JobDefaults", item);
    Result<bool> set = set_memory_rule(name, item.substr(equals + 1), rules);
    if (!set) return tl::unexpected(set.error());
  }
  return {};
}

std::pair<std::string, std::string> show_limit(std::string_view kind,
                                               std::optional<std::uint64_t> per_cpu,
                                               std::optional<std::uint64_t> per_node) {
  if (per_cpu) return {fmt::format("{}CPU", kind), std::to_string(*per_cpu)};
  return {fmt::format("{}Node", kind), per_node ? std::to_string(*per_node) : "UNLIMITED"};
}

}  // namespace

Result<bool> set_memory_rule(std::string_view key, std::string_view value, MemoryRules& rules) {
  if (iequals(key, "JobDefaults")) {
    return set_job_defaults(value, rules).map([] { return true; });
  }
  for (const MemoryKey& row : kMemoryKeys) {
    if (!iequals(row.name, key)) continue;
    Result<std::uint64_t> number = read_number(row.name, value, 0, UINT64_MAX >> 1, true);
    if (!number) return tl::unexpected(number.error());
    if (row.other != nullptr) rules.*(row.other) = std::nullopt;
    const bool unlimited = *number == 0 || *number == kInfinite;
    rules.*(row.amount) = unlimited ? std::nullopt : std::optional(*number);
    return true;
  }
  return false;
}

std::pair<std::string, std::string> show_default_memory(const MemoryRules& rules) {
  return show_limit("DefMemPer", rules.default_per_cpu_mb, rules.default_per_node_mb);
}

std::pair<std::string, std::string> show_max_memory(const MemoryRules& rules) {
  return show_limit("MaxMemPer", rules.max_per_cpu_mb, rules.max_per_node_mb);
}

std::string show_job_defaults(const MemoryRules& rules) {
  std::string shown;
  if (rules.default_cpus_per_gpu)
    shown = fmt::format("DefCpuPerGPU={}", *rules.default_cpus_per_gpu);
  if (rules.default_per_gpu_mb) {
    if (!shown.empty()) shown += ',';
    shown += fmt::format("DefMemPerGPU={}", *rules.default_per_gpu_mb);
  }
  return null_or(shown);
}

}  // namespace grappe
