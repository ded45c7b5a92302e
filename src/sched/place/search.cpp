#include "sched/place/search.h"

#include <algorithm>

namespace grappe::sched {

uint32_t most_nodes(const Needs& needs, const Partition& partition) {
  const Shape& shape = *needs.shape;
  // Who has said no number gets what the partition allows.
  const bool own = shape.own_max_nodes && shape.max_nodes != UINT32_MAX;
  uint32_t most = own ? shape.max_nodes : std::min(shape.max_nodes, partition.max_nodes);
  if (needs.counts_tasks) most = std::min(most, needs.ntasks);
  return std::max(most, 1u);
}

uint32_t fewest_nodes(const Needs& needs, const Partition& partition) {
  const uint32_t least = needs.shape->own_min_nodes ? 0 : partition.min_nodes;
  uint32_t fewest = std::max({needs.shape->min_nodes, least, 1u});
  return needs.counts_tasks ? std::min(fewest, needs.ntasks) : fewest;
}

Search::Search(const Needs& needs, const Ground& ground, uint32_t min_nodes, uint32_t max_nodes,
               const Bitmap& dropped)
    : needs_(needs),
      ground_(ground),
      max_nodes_(max_nodes),
      dropped_(dropped),
      nodes_(min_nodes),
      tasks_(needs.counts_tasks ? needs.ntasks : 0) {
  for (std::size_t d = 0; d < needs.devices.size(); ++d) devices_[d] = needs.devices[d].per_job;
}

uint32_t Search::devices_left() const {
  uint32_t left = 0;
  for (uint32_t count : devices_) left += count;
  return left;
}

bool Search::covers(uint64_t tasks, const DeviceCounts& devices) const {
  if (tasks < tasks_) return false;
  for (std::size_t d = 0; d < kMaxDeviceNeeds; ++d) {
    if (devices[d] < devices_[d]) return false;
  }
  return true;
}

bool Search::settled(NodeIndex node) const {
  if (dropped_.test(node)) return true;
  auto is = [&](const Pick& pick) { return pick.room->node == node; };
  return std::any_of(picks_.begin(), picks_.end(), is);
}

bool Search::take(const Room& room) {
  if (full()) return false;
  uint32_t others = nodes_ > 1 ? nodes_ - 1 : 0;  // still required after this one
  Pick pick{&room, needs_.tasks_per_node};
  if (needs_.counts_tasks) {
    if (tasks_ == 0) return false;
    uint32_t spare = tasks_ > others ? tasks_ - others : 1;
    pick.tasks = std::min(room.tasks, spare);
  }
  for (std::size_t d = 0; d < needs_.devices.size(); ++d) {
    const DeviceNeed& need = needs_.devices[d];
    if (need.per_job == 0) continue;
    if (devices_[d] == 0) return false;
    uint32_t give = std::min(room.devices[d], devices_[d] > others ? devices_[d] - others : 1);
    if (need.per_node) give = need.per_node;
    if (need.per_task) give = need.per_task * pick.tasks;
    pick.devices[d] = give;
  }
  tasks_ -= needs_.counts_tasks ? pick.tasks : 0;
  for (std::size_t d = 0; d < needs_.devices.size(); ++d) {
    devices_[d] -= std::min(devices_[d], pick.devices[d]);
  }
  nodes_ -= nodes_ > 0 ? 1 : 0;
  picks_.push_back(pick);
  return true;
}

}  // namespace grappe::sched
