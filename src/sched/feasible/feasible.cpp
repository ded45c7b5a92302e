#include "sched/feasible/feasible.h"

#include <algorithm>

#include "sched/feasible/features.h"
#include "sched/pick_cpus.h"
#include "sched/pick_devices.h"
#include "sched/place/choose.h"
#include "sched/plan.h"

namespace grappe::sched {
namespace {

std::vector<int64_t> empty_node(const Node& node, const NodeFacts& facts, const Partition& p) {
  uint32_t most =
      p.max_cpus_per_node == UINT32_MAX ? facts.cores : p.max_cpus_per_node / facts.cpus_per_core;
  std::vector<int64_t> free{std::min(facts.cores, most), static_cast<int64_t>(node.memory_mb)};
  free.insert(free.end(), facts.counts.begin(), facts.counts.end());
  return free;
}

Room empty_room(const Needs& needs, const Site& site, NodeIndex index) {
  return room_on(needs, site, index, empty_node(*site.node, *site.facts, *site.partition));
}

bool geometry_suits(const Shape& shape, const Node& node) {
  return node.sockets >= shape.sockets_per_node &&
         node.cores_per_socket >= shape.cores_per_socket &&
         node.threads_per_core >= shape.threads_per_core;
}

// With --gres-flags=enforce-binding one task must find its CPUs near its devices.
bool binding_suits(const Needs& needs, const Site& site, NodeIndex index) {
  if (!needs.shape->enforce_binding || needs.devices.empty()) return true;
  Node empty = *site.node;
  empty.used_cpus = {};
  empty.used_devices = {};
  Site there{&empty, site.facts, site.partition};
  DeviceCounts one{};
  for (std::size_t d = 0; d < needs.devices.size(); ++d) one[d] = 1;
  Piece piece = piece_on(needs, there, index, 1, one);
  auto devices = pick_devices(needs, there, piece);
  return devices && pick_cpus(needs, there, piece, *devices, 0);
}

// A node has a CPU at least, so nodes count as CPUs where no tasks do.
bool more_cpus_than(const Snapshot& snapshot, const Partition& p, const Needs& needs) {
  uint64_t wanted = needs.shape->min_nodes, there = 0;
  if (needs.counts_tasks) wanted = uint64_t{needs.ntasks} * needs.cpus_per_task;
  for (NodeIndex n : p.nodes.members()) there += snapshot.nodes[n].cpus;
  return wanted > there;
}

}  // namespace

bool node_suits(const Needs& needs, const Site& site, NodeIndex index) {
  const Shape& shape = *needs.shape;
  return !needs.too_many && geometry_suits(shape, *site.node) &&
         site.node->tmp_mb >= shape.tmp_mb && acceptable_features(*site.node, shape) &&
         empty_room(needs, site, index).tasks > 0 && binding_suits(needs, site, index);
}

Bitmap suitable_nodes(const Snapshot& snapshot, const std::vector<NodeFacts>& facts,
                      const Needs& needs, PartitionIndex partition) {
  const Partition& p = snapshot.partitions[partition];
  Bitmap out;
  Bitmap allowed = p.nodes - needs.shape->excluded_nodes;
  for (NodeIndex n = allowed.next(0); n != UINT32_MAX; n = allowed.next(n + 1)) {
    if (node_suits(needs, {&snapshot.nodes[n], &facts[n], &p}, n)) out.set(n);
  }
  return out;
}

Reason partition_limits(const Snapshot& snapshot, const Needs& needs, PartitionIndex partition) {
  const Partition& p = snapshot.partitions[partition];
  const Shape& shape = *needs.shape;
  const bool names_most = shape.max_nodes != UINT32_MAX;
  const uint32_t most = names_most ? std::max(shape.min_nodes, shape.max_nodes) : shape.min_nodes;
  const bool too_many = most > p.max_nodes && !shape.own_max_nodes;
  const bool too_few = shape.max_nodes < p.min_nodes && !shape.own_min_nodes;
  if (too_many || too_few) return Reason::kPartitionNodeLimit;
  if (shape.min_nodes <= p.nodes.count()) return Reason::kNone;
  return more_cpus_than(snapshot, p, needs) ? Reason::kPartitionConfig
                                            : Reason::kPartitionNodeLimit;
}

Reason feasible_on(const Snapshot& snapshot, const std::vector<NodeFacts>& facts,
                   const Needs& needs, PartitionIndex partition, const Bitmap& suitable) {
  const Partition& p = snapshot.partitions[partition];
  if (Reason limit = partition_limits(snapshot, needs, partition); limit != Reason::kNone) {
    return limit;
  }
  std::vector<Room> rooms;
  for (NodeIndex n : suitable.members()) {
    rooms.push_back(empty_room(needs, {&snapshot.nodes[n], &facts[n], &p}, n));
  }
  if (!rooms.empty() && choose(needs, {&snapshot.nodes, &facts, &p}, rooms)) return Reason::kNone;
  return !rooms.empty() && more_cpus_than(snapshot, p, needs) ? Reason::kPartitionConfig
                                                              : Reason::kBadConstraints;
}

Reason feasible(const Snapshot& snapshot, const Shape& shape, PartitionIndex partition) {
  std::vector<NodeFacts> facts;
  for (const Node& node : snapshot.nodes) facts.push_back(facts_of(node));
  Needs needs = needs_of(snapshot, shape);
  Bitmap suitable = suitable_nodes(snapshot, facts, needs, partition);
  return feasible_on(snapshot, facts, needs, partition, suitable);
}

}  // namespace grappe::sched
