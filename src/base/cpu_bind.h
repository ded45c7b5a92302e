// What srun's --cpu-bind (and SLURM_CPU_BIND) asks for.
//
//   verbose,map_cpu:0,2       none        mask_cpu:0x3,0xc       quiet,cores
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace grappe {

struct CpuBind {
  enum class Kind { kUnset, kNone, kRank, kMap, kMask };
  enum class Unit { kUnset, kThreads, kCores, kSockets };
  Kind kind = Kind::kUnset;
  Unit unit = Unit::kUnset;  // of masks that are made for the tasks
  bool verbose = false;
  bool one_thread = false;                   // of each core
  std::vector<std::vector<uint32_t>> lists;  // the kernel's CPUs for each task, in turn
  std::string list;                          // the same as SLURM_CPU_BIND_LIST shows it

  // As SLURM_CPU_BIND_TYPE shows it: "map_cpu:".
  std::string_view type() const;
};

// Errors are in Slurm's words; what needs knowledge of memory domains is refused.
Result<CpuBind> parse_cpu_bind(std::string_view text);

// The CPUs as a hexadecimal number of at least `digits` digits, without 0x.
std::string cpu_mask(const std::vector<uint32_t>& cpus, size_t digits = 1);

}  // namespace grappe
