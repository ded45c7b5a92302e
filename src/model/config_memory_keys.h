// DefMemPerCPU and its relatives: of the cluster and of a partition, where they mean the same.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "model/config_nodes.h"

namespace grappe {

// Reads one of DefMemPerCPU, DefMemPerNode, DefMemPerGPU, DefCpuPerGPU, MaxMemPerCPU, MaxMemPerNode
// and JobDefaults; false when `key` is none of them. 0 and UNLIMITED take the limit away.
Result<bool> set_memory_rule(std::string_view key, std::string_view value, MemoryRules& rules);

// {"DefMemPerCPU", "512"}, {"DefMemPerNode", "UNLIMITED"}: which key is shown depends on the value.
std::pair<std::string, std::string> show_default_memory(const MemoryRules& rules);
std::pair<std::string, std::string> show_max_memory(const MemoryRules& rules);
// "DefCpuPerGPU=4,DefMemPerGPU=1000", "(null)".
std::string show_job_defaults(const MemoryRules& rules);

}  // namespace grappe
