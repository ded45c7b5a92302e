#include "sched/pools.h"

#include <algorithm>

namespace grappe::sched {

std::vector<uint32_t> pools_of(const std::vector<Partition>& partitions) {
  std::vector<uint32_t> pools(partitions.size());
  for (uint32_t p = 0; p < pools.size(); ++p) {
    pools[p] = p;
    for (uint32_t q = 0; q < p; ++q) {
      if (pools[q] == pools[p] || !partitions[p].nodes.intersects(partitions[q].nodes)) continue;
      const uint32_t first = std::min(pools[p], pools[q]), other = std::max(pools[p], pools[q]);
      std::replace(pools.begin(), pools.begin() + p + 1, other, first);
    }
  }
  return pools;
}

}  // namespace grappe::sched
