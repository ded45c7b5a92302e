// Which of a step's GPUs each task sees: --gpu-bind, and what --gpus-per-task and
// --ntasks-per-gpu imply.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "grappe/v1/spec.pb.h"

namespace grappe::embedded {

struct GpuShare {
  std::vector<uint32_t> gpus;       // of the node, that the step has
  std::vector<uint32_t> closest;    // those of them that are near the step's CPUs
  bool numbered_from_zero = false;  // lists count the step's GPUs, not the node's
};

struct GpuBinding {
  bool hidden = false;               // "none": the task is told of no GPU
  std::vector<uint32_t> gpus;        // of the node
  std::vector<std::string> notices;  // for the task's stderr, in Slurm's words
};

// The binding that a step's options ask for: "single:1"; empty: every task sees every GPU.
std::string gpu_bind_of(const v1::StepSpec& spec);

// --gpu-bind=verbose,...: each task's binding is said on its standard error.
bool says_binding(const v1::StepSpec& spec);

// What the task that is the `local`-th of the step on this node sees.
GpuBinding bind_gpus(const std::string& bind, const GpuShare& share, uint32_t local, uint32_t task);

}  // namespace grappe::embedded
