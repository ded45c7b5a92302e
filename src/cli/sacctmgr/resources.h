// "where" of resources: licences that clusters share.
#pragma once

#include "cli/sacctmgr/session.h"

namespace grappe::sacctmgr {

struct ResourceCondition {
  Names names, servers, managers, descriptions, types, clusters, ids, flags, percents;
  bool deleted = false;
  bool with_clusters = false;
  Names format;
  bool chooses() const;
};
// Slurm's own slip.
inline constexpr std::string_view kResourceHint =
    " Use keyword 'set' to modify SLURM_PRINT_VALUE\n";
bool take_resource_word(ResourceCondition& condition, const Word& word);
bool matches(const ResourceCondition& condition, const v1::Resource& resource);
// The percent of it that all clusters have together.
uint32_t allocated_percent(const v1::Resource& resource);

}  // namespace grappe::sacctmgr
