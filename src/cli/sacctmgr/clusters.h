// "where" of clusters.
#pragma once

#include <algorithm>

#include "cli/sacctmgr/session.h"

namespace grappe::sacctmgr {

struct ClusterCondition {
  Names names, classifications, features, federations, flags, rpc;
  bool deleted = false;
  bool with_federation = false;
  bool without_limits = false;
  Names format;
  bool chooses() const;
};
// "capability" -> "Capability"; "" stays.
std::string class_name(std::string_view classification);
bool take_cluster_word(ClusterCondition& condition, const Word& word);
bool matches(const ClusterCondition& condition, const v1::ClusterRecord& cluster);

}  // namespace grappe::sacctmgr
