// --constraint of a job or a reservation: Slurm's language of features.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "embedded/cluster.h"
#include "sched/snapshot.h"

namespace grappe::embedded {

struct Constraint {
  std::vector<sched::FeatureSet> sets;  // any of; empty: no wish
  bool same = false;                    // [a|b]: every node by the same one
  uint32_t least_nodes = 0;             // as many as are counted: 3 of [a*2&b*1]
};

// "a&b|c" is read from left to right, "(a|b)&c" binds, "a*2" wants two such nodes among others,
// "[a*2&b*1]" these and no others, "[a|b]" all of one kind. Fails for a feature that no node has.
Result<Constraint> parse_constraint(const Cluster& cluster, std::string_view text);

}  // namespace grappe::embedded
