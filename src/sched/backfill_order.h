// In which order jobs fill the gaps that the planned starts leave.
//
// Jobs get planned starts by priority. Those behind them may only use what stays free, and which
// of them does is a free choice: it delays none of the planned starts.
#pragma once

#include <span>

#include "sched/order.h"
#include "sched/plan.h"

namespace grappe::sched {

// Sorts the candidates, which come by priority, as policy.backfill_order says.
void order_for_backfill(const Snapshot& snapshot, const Policy& policy,
                        std::span<Candidate> candidates);

}  // namespace grappe::sched
