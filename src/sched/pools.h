// Partitions that share nodes, directly or through others, are one pool: what one takes the others
// lack. Jobs of different pools never stand in each other's way.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/snapshot.h"

namespace grappe::sched {

// The number of each partition's pool, below the number of partitions.
std::vector<uint32_t> pools_of(const std::vector<Partition>& partitions);

}  // namespace grappe::sched
