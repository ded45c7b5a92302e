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
Bitmap counted_nodes(const Shape& shape, const std::vector<Node>& nodes,
                     const std::vector<Room>& rooms) {
  Bitmap chosen;
  for (const FeatureSet& set : shape.features) {
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

}  // namespace

bool has_features(const Node& node, const FeatureSet& set) {
  return node.features.contains(set.all_of);
}

bool acceptable_features(const Node& node, const Shape& shape) {
  if (shape.features.empty()) return true;
  auto has = [&](const FeatureSet& set) { return has_features(node, set); };
  return std::any_of(shape.features.begin(), shape.features.end(), has);
}

std::vector<FeatureChoice> feature_choices(const Shape& shape, const std::vector<Node>& nodes,
                                           const std::vector<Room>& rooms) {
  auto counted = [](const FeatureSet& set) { return set.count > 0; };
  std::vector<FeatureChoice> choices;
  if (std::any_of(shape.features.begin(), shape.features.end(), counted)) {
    choices.push_back({rooms, counted_nodes(shape, nodes, rooms)});
  } else if (shape.same_features) {
    for (const FeatureSet& set : shape.features) {
      choices.push_back({rooms_with(set, nodes, rooms), {}});
    }
  } else {
    choices.push_back({rooms, {}});
  }
  return choices;
}

}  // namespace grappe::sched
