#include "model/task_turns.h"

#include <algorithm>

namespace grappe {

std::vector<uint32_t> deal_tasks(uint32_t tasks, const std::vector<uint32_t>& room) {
  const uint32_t most = *std::max_element(room.begin(), room.end());
  std::vector<uint32_t> nodes;
  nodes.reserve(tasks);
  for (uint32_t round = 0; nodes.size() < tasks; ++round) {
    for (uint32_t n = 0; n < room.size() && nodes.size() < tasks; ++n) {
      if (round < room[n] || round >= most) nodes.push_back(n);
    }
  }
  return nodes;
}

}  // namespace grappe
