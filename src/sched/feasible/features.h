// Nodes by their features: --constraint with alternatives and counts, and --prefer.
#pragma once

#include <vector>

#include "sched/place/room.h"
#include "sched/snapshot.h"

namespace grappe::sched {

bool has_features(const Node& node, const FeatureSet& set);
// The node satisfies one of the alternatives (or none was asked for), or one that is preferred.
bool acceptable_features(const Node& node, const Shape& shape);

// One way to satisfy a constraint: only these nodes, among them the required ones.
struct FeatureChoice {
  std::vector<Room> rooms;
  Bitmap required;
};

// The ways in the order they are to be tried: x|y is one (any mixture), [x|y] one for each
// alternative, [x*2&y*1] one in which two nodes of x and one of y are required. Those of --prefer
// come first.
std::vector<FeatureChoice> feature_choices(const Shape& shape, const std::vector<Node>& nodes,
                                           const std::vector<Room>& rooms);

}  // namespace grappe::sched
