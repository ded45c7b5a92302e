// In which order jobs fill the gaps that the planned starts leave.
//
// Jobs get planned starts by priority. Those behind them may only use what stays free, and which
// of them does is a free choice: it delays none of the planned starts.
#pragma once

#include <span>

#include "sched/order.h"
#include "sched/protection.h"

namespace grappe::sched {

// Which of them is in which pool, and the order of each pool.
struct BackfillOrders {
  const std::vector<uint32_t>& pools;          // by partition
  const std::vector<Protection>& protections;  // by pool
};

// Sorts the candidates, which come by priority, as the order of their pool says. Pools don't stand
// in each other's way, so that it does not matter how they mix.
void order_for_backfill(const Snapshot& snapshot, const Policy& policy,
                        const BackfillOrders& orders, std::span<Candidate> candidates);

}  // namespace grappe::sched
