// The limits of one plan: what is in use follows the starts that the plan decides, so that several
// starts of one plan never exceed a limit together.
#pragma once

#include "sched/plan.h"

namespace grappe::sched {

class LimitGate {
 public:
  explicit LimitGate(const Snapshot& snapshot);

  // Before resources are looked at: with what it asks for at the least.
  Reason reason(const PendingJob& job, PartitionIndex partition) const;
  // With what it would get.
  Reason reason(const PendingJob& job, const Start& start) const;
  void take(const PendingJob& job, const Start& start);

 private:
  struct Placed {
    TresAmounts tres;
    Bitmap nodes;
  };
  const LimitChain* chain_of(const PendingJob& job, PartitionIndex partition) const;
  Placed placed(const PendingJob& job, const Start& start) const;

  const Snapshot& snapshot_;
  const LimitTable* table_ = nullptr;  // null: no limits
  InUse in_use_;
};

}  // namespace grappe::sched
