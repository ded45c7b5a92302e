// Which node each task of a step runs on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace grappe::embedded {

struct LayoutRequest {
  uint32_t tasks = 1;
  std::vector<uint32_t> capacity;  // tasks that the CPUs of each node can take
  uint32_t max_per_node = 0;       // --ntasks-per-node; 0: any
  bool overcommit = false;
  std::string distribution;      // "block", "cyclic", "plane=4" and parts after ':'
  std::vector<uint32_t> chosen;  // the node of each task, where the caller said it: "arbitrary"
};

// For each task, the index of its node: in task order. Every node gets at least one task when
// there are enough.
Result<std::vector<uint32_t>> lay_out(const LayoutRequest& request);

}  // namespace grappe::embedded
