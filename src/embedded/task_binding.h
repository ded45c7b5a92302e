// Which CPUs each task of a step is bound to, as Slurm's task/affinity decides it.
#pragma once

#include <string>
#include <vector>

#include "base/cpu_bind.h"
#include "model/config_nodes.h"

namespace grappe::embedded {

// A step's share of one node. CPUs of a node are numbered from 0, core by core; behind each are
// one or more of the kernel's.
struct BindingRequest {
  std::vector<uint32_t> cpus;               // of the node, that the step has
  std::vector<std::vector<uint32_t>> real;  // the kernel's, behind each of the node's
  uint32_t machine_cpus = 1;                // the kernel's, of the whole machine
  uint32_t threads_per_core = 1;
  uint32_t cores_per_socket = 1;
  uint32_t tasks = 1;
  uint32_t cpus_per_task = 1;
  bool cyclic = true;  // tasks go round the sockets; false: they fill one after the other
  CpuBindDefault preset = CpuBindDefault::kUnset;    // when nothing was asked for
  CpuBindDefault fallback = CpuBindDefault::kUnset;  // when tasks do not match the CPUs
};

struct NodeBinding {
  std::string_view label;                    // "MASK", in what verbose tells
  std::string_view type;                     // "mask_cpu:", as SLURM_CPU_BIND_TYPE shows it
  std::string list;                          // "0x1,0x2"
  std::vector<std::vector<uint32_t>> tasks;  // the kernel's CPUs of each; empty: not bound
};

// Fails when a list names CPUs that the step does not have; the text says which it has.
Result<NodeBinding> bind_tasks(const CpuBind& asked, const BindingRequest& request);

}  // namespace grappe::embedded
