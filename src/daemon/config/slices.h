// Cutting the machine into nodes: who gets which CPUs, memory and devices.
//
// Nodes are served in the order of the file. CPUs are handed out in consecutive order, so that a
// slice keeps whole cores and sockets where it can; when the nodes together want more than there
// is and config_overrides allows it, nobody is pinned.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "daemon/config/hardware.h"
#include "model/config_cluster.h"

namespace grappe {

// The nodes of `config.nodes`, in order. Fails on names that cannot be expanded, are used twice or
// are too many.
Result<std::vector<ConfiguredNode>> cut_machine(const ClusterConfig& config,
                                                const Hardware& hardware,
                                                std::vector<std::string>& warnings);

// What the machine can give to jobs: a twentieth, 256 MB to 8 GB, stays with the system.
std::uint64_t usable_memory_mb(std::uint64_t machine_mb);

}  // namespace grappe
