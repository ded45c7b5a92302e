#include "sched/feasible/features.h"

#include <algorithm>

namespace grappe::sched {
namespace {

std::vector<Room> rooms_with(const FeatureSet& set, const std::vector<Node>& nodes,
                             const std::vector<Room>& rooms) {
  std::vector<Room> out;
  for (const Room& room : rooms) {
    if (has_features(nodes[room.node], set)) out.push_back(room);
  }
  return out;
}

// For each counted set its lightest nodes that no other set has taken.
Bitmap counted_nodes(const std::vector<FeatureSet>& sets, const std::vector<Node>& nodes,
                     const std::vector<Room>& rooms) {
  Bitmap chosen;
  for (const FeatureSet& set : sets) {
    std::vector<Room> having = rooms_with(set, nodes, rooms);
    auto lighter = [&](const Room& a, const Room& b) {
      return nodes[a.node].weight < nodes[b.node].weight;
    };
    std::stable_sort(having.begin(), having.end(), lighter);
    uint32_t left = set.count;
    for (const Room& room : having) {
      if (left == 0 || chosen.test(room.node)) continue;
      chosen.set(room.node);
      --left;
    }
    // An impossible set is required to be found on a node that isn't there.
    if (left > 0) chosen.set(static_cast<uint32_t>(nodes.size()));
  }
  return chosen;
}

bool has_any(const Node& node, const std::vector<FeatureSet>& sets) {
  return std::any_of(sets.begin(), sets.end(),
                     [&](const FeatureSet& set) { return has_features(node, set); });
}

std::vector<Room> rooms_with_any(const std::vector<FeatureSet>& sets,
                                 const std::vector<Node>& nodes, const std::vector<Room>& rooms) {
  std::vector<Room> out;
  for (const Room& room : rooms) {
    if (has_any(nodes[room.node], sets)) out.push_back(room);
  }
  return out;
}

// Of rooms that all satisfy one of the sets.
void add_choices(const std::vector<FeatureSet>& sets, bool same, const std::vector<Node>& nodes,
                 std::vector<Room> rooms, std::vector<FeatureChoice>& choices) {
  auto counted = [](const FeatureSet& set) { return set.count > 0; };
  if (std::any_of(sets.begin(), sets.end(), counted)) {
    Bitmap required = counted_nodes(sets, nodes, rooms);
    choices.push_back({std::move(rooms), std::move(required)});
  } else if (same) {
    for (const FeatureSet& set : sets) choices.push_back({rooms_with(set, nodes, rooms), {}});
  } else {
    choices.push_back({std::move(rooms), {}});
  }
}

}  // namespace

bool has_features(const Node& node, const FeatureSet& set) {
  return node.features.contains(set.all_of);
}

bool acceptable_features(const Node& node, const Shape& shape) {
  return shape.features.empty() || has_any(node, shape.features) || has_any(node, shape.preferred);
}

std::vector<FeatureChoice> feature_choices(const Shape& shape, const std::vector<Node>& nodes,
                                           const std::vector<Room>& rooms) {
  const std::vector<FeatureSet>&wanted = shape.features, &preferred = shape.preferred;
  std::vector<FeatureChoice> choices;
  if (preferred.empty()) {
    add_choices(wanted, shape.same_features, nodes, rooms, choices);
    return choices;
  }
  add_choices(preferred, shape.same_preferred, nodes, rooms_with_any(preferred, nodes, rooms),
              choices);
  add_choices(wanted, shape.same_features, nodes,
              wanted.empty() ? rooms : rooms_with_any(wanted, nodes, rooms), choices);
  return choices;
}

}  // namespace grappe::sched
