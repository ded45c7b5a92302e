// The keys of cgroup.conf: reading them, and their section of `scontrol show config`.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/config.h"
#include "model/config_line_keys.h"

namespace grappe {

std::span<const LineKey<CgroupConfig>> cgroup_keys();

// The lines below "Cgroup Support Configuration:", in Slurm's order.
std::vector<std::pair<std::string, std::string>> show_cgroup_config(const CgroupConfig& cgroup);

}  // namespace grappe
