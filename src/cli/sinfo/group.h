// One line of sinfo: nodes of a partition that look the same as far as the table shows them.
//
// What keeps nodes on separate lines depends on the fields that are printed: sinfo -o "%P" has one
// line for each partition, -o "%P %t" one for each partition and state. Sizes (CPUs, memory ...) do
// not separate but show as "8+", unless --exact asks for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/format/timestamp.h"
#include "grappe/v1/cluster.pb.h"

namespace grappe {

// Bits of Field::needs: what must be equal for two nodes to share a line.
namespace match {
inline constexpr unsigned kPartition = 1u << 0;
inline constexpr unsigned kAvailable = 1u << 1;
inline constexpr unsigned kGroups = 1u << 2;
inline constexpr unsigned kJobSize = 1u << 3;
inline constexpr unsigned kDefaultTime = 1u << 4;
inline constexpr unsigned kMaxTime = 1u << 5;
inline constexpr unsigned kRoot = 1u << 6;
inline constexpr unsigned kOversubscribe = 1u << 7;
inline constexpr unsigned kPreemptMode = 1u << 8;
inline constexpr unsigned kTier = 1u << 9;
inline constexpr unsigned kJobFactor = 1u << 10;
inline constexpr unsigned kMaxCpus = 1u << 11;
inline constexpr unsigned kAllocNodes = 1u << 12;
inline constexpr unsigned kHostName = 1u << 13;
inline constexpr unsigned kAddress = 1u << 14;
inline constexpr unsigned kComment = 1u << 15;
inline constexpr unsigned kExtra = 1u << 16;
inline constexpr unsigned kFeatures = 1u << 17;
inline constexpr unsigned kActiveFeatures = 1u << 18;
inline constexpr unsigned kGres = 1u << 19;
inline constexpr unsigned kGresUsed = 1u << 20;
inline constexpr unsigned kReason = 1u << 21;
inline constexpr unsigned kState = 1u << 22;
inline constexpr unsigned kStateComplete = 1u << 23;
inline constexpr unsigned kAllocMemory = 1u << 24;
inline constexpr unsigned kVersion = 1u << 25;
// Sizes, which count only with --exact.
inline constexpr unsigned kCpus = 1u << 26;
inline constexpr unsigned kTopology = 1u << 27;
inline constexpr unsigned kDisk = 1u << 28;
inline constexpr unsigned kMemory = 1u << 29;
inline constexpr unsigned kWeight = 1u << 30;
inline constexpr unsigned kLoad = 1u << 31;
}  // namespace match

struct NodeGroup {
  const v1::PartitionInfo* partition;
  size_t partition_index;
  std::vector<const v1::NodeInfo*> nodes;

  bool empty() const { return nodes.empty(); }
  const v1::NodeInfo& first() const { return *nodes.front(); }
};

struct GroupOptions {
  unsigned match = 0;
  bool exact = false;
  bool node_lines = false;  // -N: every node of every partition by itself
  bool keep_empty = true;   // a partition without nodes has a line too
};

// `nodes`: those that passed the filters. Partitions stay in the order of the service.
std::vector<NodeGroup> group_nodes(const std::vector<const v1::PartitionInfo*>& partitions,
                                   const std::vector<const v1::NodeInfo*>& nodes,
                                   const GroupOptions& options);

struct Counts {
  uint64_t allocated = 0, idle = 0, other = 0, total = 0;
};
Counts count_nodes(const NodeGroup& group);
Counts count_cpus(const NodeGroup& group);

// What is the same for every line.
struct GroupContext {
  TimestampFormat times;
};

// "node[1-3]", sorted.
std::string node_names(const NodeGroup& group);
// "batch*": the default partition is marked.
std::string marked_name(const v1::PartitionInfo& partition);
// A mixed node that drains counts as an allocated one, as in Slurm's own words for it.
uint32_t shown_state(const v1::NodeInfo& node);

}  // namespace grappe
