// The order of sinfo's lines.
#pragma once

#include <string_view>
#include <vector>

#include "cli/sinfo/group.h"

namespace grappe {

inline constexpr std::string_view kNodeSort = "N";           // -N
inline constexpr std::string_view kPartitionSort = "#P,-t";  // otherwise
inline constexpr std::string_view kSummarySort = "#P";       // -s

// Letters of -o, each after "+" or "-"; "#P" is the order of the partitions in the configuration.
// What has no order is skipped, and equal lines stay as they are.
void sort_groups(std::vector<NodeGroup>& groups, std::string_view keys);

}  // namespace grappe
