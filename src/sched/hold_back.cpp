#include "sched/hold_back.h"

#include <algorithm>

#include "sched/place/room.h"

namespace grappe::sched {
namespace {

// Rounds down, also below zero.
int64_t div_down(int64_t a, int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

}  // namespace

uint32_t least_gpus(const Needs& needs, const Partition& partition) {
  if (takes_whole_node(needs, partition)) return UINT32_MAX;
  uint32_t least = 0;
  for (const DeviceNeed& need : needs.devices) {
    if (!need.gpu) continue;
    least += std::max({need.per_node, need.per_task, need.per_socket * needs.sockets,
                       std::min(need.per_job, 1u)});
  }
  return least;
}

HoldBack::HoldBack(const Snapshot& snapshot, const Node& node, const NodeFacts& facts,
                   uint32_t percent) {
  if (percent == 0) return;
  for (std::size_t k = 0; k < facts.kinds.size() && k < 64; ++k) {
    const GresKind kind = facts.kinds[k];
    if (kind >= snapshot.gres_names.size() || snapshot.gres_names[kind] != "gpu") continue;
    is_gpu_ |= uint64_t{1} << k;
    gpus_ += facts.counts[k];
  }
  percent_ = std::min(percent, 100u);
  cores_ = facts.cores;
  memory_mb_ = static_cast<int64_t>(node.memory_mb);
}

int64_t HoldBack::free_gpus(std::span<const int64_t> counts) const {
  int64_t sum = 0;
  for (std::size_t k = 0; is_gpu_ >> k; ++k) {
    if (is_gpu_ >> k & 1) sum += counts[kDeviceColumn + k];
  }
  return sum;
}

// In hundredths of a GPU's part, so that nothing is rounded.
void HoldBack::follow(std::span<int64_t> counts, std::size_t first) const {
  if (!any()) return;
  const int64_t unit = 100 * gpus_, kept = percent_ * free_gpus(counts);
  counts[first] = counts[kCoreColumn] * unit - kept * cores_;
  counts[first + 1] = counts[kMemoryColumn] * unit - kept * memory_mb_;
}

void HoldBack::book(std::span<int64_t> delta, std::size_t first, uint32_t gpus,
                    bool planned) const {
  if (!any()) return;
  follow(delta, first);
  delta[first] = std::min<int64_t>(delta[first], 0);
  delta[first + 1] = std::min<int64_t>(delta[first + 1], 0);
  delta[first + 2] = planned && gpus == 0 ? -1 : 0;
}

void HoldBack::limit(std::span<int64_t> free, std::size_t first, uint32_t gpus) const {
  if (!any() || (gpus > 0 && free[first + 2] >= 0)) return;
  const int64_t own = percent_ * std::min<int64_t>(gpus, gpus_), unit = 100 * gpus_;
  int64_t& cores = free[kCoreColumn];
  int64_t& memory = free[kMemoryColumn];
  cores = std::min(cores, div_down(free[first] + own * cores_, unit));
  memory =
      std::min(memory, std::max<int64_t>(div_down(free[first + 1] + own * memory_mb_, unit), 0));
}

}  // namespace grappe::sched
