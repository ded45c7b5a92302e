// What the scheduler knows of limits at one instant.
#pragma once

#include <memory>
#include <vector>

#include "sched/limits/in_use.h"

namespace grappe::sched {

struct LimitTable {
  std::shared_ptr<const std::vector<LimitChain>> chains;  // named by their index
  InUse in_use;
  bool safe = false;                        // AccountingStorageEnforce=safe
  uint16_t cpu = 0, memory = 1;             // their places among the trackable resources
  std::vector<std::vector<uint16_t>> gres;  // by GresKind: of "gres/gpu" and "gres/gpu:a100"
};

}  // namespace grappe::sched
