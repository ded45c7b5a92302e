// The nodes as they are: slices of this machine with every number known.
//
// daemon/config/load.h makes them from the configuration and the hardware.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/config_nodes.h"

namespace grappe {

// One countable device of a node.
struct MachineDevice {
  std::string name = "gpu";
  std::string type;                 // may be empty
  uint32_t index = 0;               // as users see it, from 0 on each node
  std::string path;                 // /dev/nvidia0; empty: pretended
  std::vector<uint32_t> near_cpus;  // CPU numbers of the node; empty: any
  uint32_t link_group = 0;
};

struct MachineNode {
  std::string name, hostname, address;
  uint32_t port = 0;
  NodeTopology topology;
  uint64_t memory_mb = 1;
  uint64_t tmp_mb = 0;
  std::vector<MachineDevice> devices;
  std::string gres;                  // as configured or found: "gpu:a100:4"
  std::vector<std::string> features;
  uint32_t weight = 1;
  std::vector<uint32_t> real_cpus;   // where its CPU 0, 1, ... are; empty: not pinned
  uint32_t core_spec_count = 0;
  std::string cpu_spec_list;
  uint64_t mem_spec_mb = 0;
  ConfiguredNodeState state = ConfiguredNodeState::kUnknown;
  std::string reason;                // why it is not usable, if so
  bool invalid = false;              // the machine has less than the file says
};

}  // namespace grappe
