// From the files of a site and the hardware of the machine to the cluster.
//
// Nothing is needed: without files there is one node, named after the host, with all CPUs, nearly
// all memory and all GPUs, and one partition `batch`. With files, NodeName lines cut the machine
// into 1 to 64 slices. What the machine does not have is pretended where
// SlurmdParameters=config_overrides allows it; otherwise the node is drained as invalid, with the
// reason that Slurm gives ("Low RealMemory ...").
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "base/result.h"
#include "daemon/config/hardware.h"
#include "model/config_cluster.h"

namespace grappe {

inline constexpr std::size_t kMaxNodes = 64;

// Reads slurm.conf, gres.conf and cgroup.conf of `conf_dir`, those that exist. `hostname` is the
// short name of this machine. Failures name file and line.
Result<LoadedConfig> load_config(const std::filesystem::path& conf_dir, const Hardware& hardware,
                                 const std::string& hostname);

// The same from a configuration that was read before: no file is touched except to see whether
// the device files of gres.conf exist.
Result<LoadedConfig> build_cluster(ClusterConfig config, const Hardware& hardware,
                                   const std::string& hostname);

}  // namespace grappe
