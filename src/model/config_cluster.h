// The cluster that a configuration and a machine make together: what the engine starts from.
//
// Made by daemon/config/load.h. Nodes and partitions are final here: host lists are expanded, sizes
// known, real CPUs and devices handed out to the slices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/config.h"

namespace grappe {

// Which variables tell a program its devices (Flags= of gres.conf).
struct GpuEnvironment {
  bool cuda = true;    // CUDA_VISIBLE_DEVICES
  bool rocr = true;    // ROCR_VISIBLE_DEVICES
  bool opencl = true;  // GPU_DEVICE_ORDINAL
  bool ze = true;      // ZE_AFFINITY_MASK

  bool operator==(const GpuEnvironment&) const = default;
};

struct NodeDevice {
  std::uint32_t index = 0;          // among the devices of this name on its node, from 0
  int machine_index = -1;           // GpuDevice::index where it was detected
  std::string path;                 // "/dev/nvidia0"; empty: a pretended device
  std::string type;                 // "a100"; may be empty
  std::vector<std::uint32_t> cpus;  // CPUs of the node near it, in its numbers; empty: all alike
  std::vector<int> links;           // to the device of each index; empty: unknown
  GpuEnvironment environment;
};

// One item of Gres=: "gpu:a100:4".
struct NodeGres {
  std::string name;
  std::string type;  // may be empty
  std::uint64_t count = 0;
  bool no_consume = false;
  std::vector<NodeDevice> devices;  // `count` of them, or none where only the number is managed
};

// A slice of the machine.
struct ConfiguredNode {
  std::string name;
  std::string hostname;
  std::string address;
  std::string port;
  NodeTopology topology;
  // The kernel's CPUs behind each CPU of the node: usually one, all threads of a core where the
  // node counts cores (topology.cpus == sockets * cores_per_socket). Empty: jobs are not pinned.
  std::vector<std::vector<std::uint32_t>> real_cpus;
  std::vector<std::uint32_t> spec_cpus;  // CPUs kept from jobs (CoreSpecCount, CpuSpecList)
  std::uint64_t memory_mb = 1;
  std::uint64_t mem_spec_limit_mb = 0;  // part of memory_mb kept from jobs
  std::uint64_t tmp_mb = 0;
  std::string gres_text;  // Gres= as shown: "gpu:a100:4"; empty: none
  std::vector<NodeGres> gres;
  std::vector<std::string> features;
  std::uint32_t weight = 1;
  CpuBindDefault cpu_bind = CpuBindDefault::kUnset;
  std::uint32_t state = 0;  // model/node_state.h: where the node starts
  std::string reason;
};

struct ConfiguredPartition {
  PartitionConfig config;
  std::vector<std::uint32_t> nodes;    // indexes into LoadedConfig::nodes, ascending
  std::vector<std::string> node_sets;  // named by Nodes=
};

struct LoadedConfig {
  ClusterConfig cluster;
  std::vector<ConfiguredNode> nodes;
  std::vector<ConfiguredPartition> partitions;
  std::vector<std::string> warnings;
};

}  // namespace grappe
