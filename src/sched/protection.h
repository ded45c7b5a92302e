// Whose planned start nobody delays, and how the others fill the gaps: a rule for each pool.
//
// Where every planned start is kept, a machine with GPUs delivers the most of them; where only the
// first in line keeps its own, waits for CPUs are shorter. docs/decisions/008 has the figures.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/plan.h"

namespace grappe::sched {

struct Protection {
  uint32_t jobs = kEverybody;  // the first so many of the pool keep their planned starts
  BackfillOrder order = BackfillOrder::kPriority;
  Time window = 0;  // how far ahead a start is planned

  bool for_all() const { return jobs == kEverybody; }
};

// By the number of the pool: `pools` has that of each partition (pools.h).
std::vector<Protection> protections(const Snapshot& snapshot, const Policy& policy,
                                    const std::vector<uint32_t>& pools);

}  // namespace grappe::sched
