// A configuration as `scontrol show config` lists it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/config.h"
#include "model/config_cgroup_keys.h"  // show_cgroup_config(): the section after the keys
#include "model/config_keys.h"

namespace grappe {

// Every line of Slurm 22.05, in its order and words: name and value.
std::vector<std::pair<std::string, std::string>> show_config(const ClusterConfig& config,
                                                             const ConfigFacts& facts);

// "Slurmctld(primary) at host is UP", the last line of the listing.
std::string show_controller(const ClusterConfig& config, const ConfigFacts& facts, bool up);

}  // namespace grappe
