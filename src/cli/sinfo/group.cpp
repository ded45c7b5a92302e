#include "cli/sinfo/group.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/hostlist.h"
#include "model/node_state.h"

namespace grappe {
namespace {

struct PartitionRule {
  unsigned bit;
  bool (*same)(const v1::PartitionInfo& a, const v1::PartitionInfo& b);
};
struct NodeRule {
  unsigned bit;
  bool (*same)(const v1::NodeInfo& a, const v1::NodeInfo& b);
};

#define SAME(type, member) \
  [](const v1::type& a, const v1::type& b) { return a.member() == b.member(); }

constexpr PartitionRule kPartitionRules[] = {
    {match::kPartition, SAME(PartitionInfo, name)},
    {match::kAvailable, SAME(PartitionInfo, state)},
    {match::kGroups, SAME(PartitionInfo, allow_groups)},
    {match::kJobSize,
     [](const v1::PartitionInfo& a, const v1::PartitionInfo& b) {
       return a.min_nodes() == b.min_nodes() && a.max_nodes() == b.max_nodes();
     }},
    {match::kDefaultTime, SAME(PartitionInfo, default_time)},
    {match::kMaxTime, SAME(PartitionInfo, max_time)},
    {match::kRoot, SAME(PartitionInfo, root_only)},
    {match::kOversubscribe, SAME(PartitionInfo, oversubscribe)},
    {match::kPreemptMode, SAME(PartitionInfo, preempt_mode)},
    {match::kTier, SAME(PartitionInfo, priority_tier)},
    {match::kJobFactor, SAME(PartitionInfo, priority_job_factor)},
    {match::kMaxCpus, SAME(PartitionInfo, max_cpus_per_node)},
    {match::kAllocNodes, SAME(PartitionInfo, alloc_nodes)},
};

constexpr NodeRule kNodeRules[] = {
    {match::kHostName, SAME(NodeInfo, hostname)},
    {match::kAddress, SAME(NodeInfo, address)},
    {match::kComment, SAME(NodeInfo, comment)},
    {match::kExtra, SAME(NodeInfo, extra)},
    {match::kFeatures, SAME(NodeInfo, features)},
    {match::kActiveFeatures, SAME(NodeInfo, active_features)},
    {match::kGres, SAME(NodeInfo, gres)},
    {match::kGresUsed, SAME(NodeInfo, gres_used)},
    {match::kReason,
     [](const v1::NodeInfo& a, const v1::NodeInfo& b) {
       return a.reason() == b.reason() && a.reason_time() == b.reason_time() &&
              a.reason_uid() == b.reason_uid();
     }},
    {match::kState,
     [](const v1::NodeInfo& a, const v1::NodeInfo& b) {
       return node_state_word(a.state(), true) == node_state_word(b.state(), true);
     }},
    {match::kStateComplete,
     [](const v1::NodeInfo& a, const v1::NodeInfo& b) { return shown_state(a) == shown_state(b); }},
    {match::kAllocMemory, SAME(NodeInfo, alloc_mem_mb)},
    {match::kVersion, SAME(NodeInfo, version)},
};

constexpr NodeRule kSizeRules[] = {
    {match::kCpus, SAME(NodeInfo, cpus)},
    {match::kTopology,
     [](const v1::NodeInfo& a, const v1::NodeInfo& b) {
       return a.sockets() == b.sockets() && a.cores_per_socket() == b.cores_per_socket() &&
              a.threads_per_core() == b.threads_per_core();
     }},
    {match::kDisk, SAME(NodeInfo, tmp_mb)},
    {match::kMemory, SAME(NodeInfo, memory_mb)},
    {match::kWeight, SAME(NodeInfo, weight)},
    {match::kLoad,
     [](const v1::NodeInfo& a, const v1::NodeInfo& b) {
       return a.cpu_load_hundredths() == b.cpu_load_hundredths() &&
              a.free_memory_mb() == b.free_memory_mb();
     }},
};

template <class Rules, class T>
bool all_same(const Rules& rules, unsigned bits, const T& a, const T& b) {
  return std::all_of(std::begin(rules), std::end(rules),
                     [&](const auto& rule) { return !(bits & rule.bit) || rule.same(a, b); });
}

bool fits(const NodeGroup& group, const v1::PartitionInfo& partition, const v1::NodeInfo& node,
          const GroupOptions& options) {
  if (!all_same(kPartitionRules, options.match, *group.partition, partition)) return false;
  if (group.empty()) return true;
  return all_same(kNodeRules, options.match, group.first(), node) &&
         (!options.exact || all_same(kSizeRules, options.match, group.first(), node));
}

void add_node(std::vector<NodeGroup>& groups, const v1::PartitionInfo& partition, size_t index,
              const v1::NodeInfo& node, const GroupOptions& options) {
  if (!options.node_lines) {
    for (NodeGroup& group : groups) {
      if (!fits(group, partition, node, options)) continue;
      // A node of two partitions that share a line is in it once.
      bool there = std::find(group.nodes.begin(), group.nodes.end(), &node) != group.nodes.end();
      if (!there) group.nodes.push_back(&node);
      return;
    }
  }
  groups.push_back({&partition, index, {&node}});
}

void add_empty(std::vector<NodeGroup>& groups, const v1::PartitionInfo& partition, size_t index,
               const GroupOptions& options) {
  bool has_line = std::any_of(groups.begin(), groups.end(), [&](const NodeGroup& group) {
    return all_same(kPartitionRules, options.match, *group.partition, partition);
  });
  if (!has_line) groups.push_back({&partition, index, {}});
}

bool is_busy(const v1::NodeInfo& node) {
  NodeBase base = node_base(node.state());
  return base == NodeBase::kAllocated || base == NodeBase::kMixed ||
         (node.state() & kNodeCompleting) != 0;
}

}  // namespace

std::vector<NodeGroup> group_nodes(const std::vector<const v1::PartitionInfo*>& partitions,
                                   const std::vector<const v1::NodeInfo*>& nodes,
                                   const GroupOptions& options) {
  std::unordered_map<std::string, const v1::NodeInfo*> by_name;
  for (const v1::NodeInfo* node : nodes) by_name.emplace(node->name(), node);
  std::vector<NodeGroup> groups;
  std::vector<size_t> without_nodes;
  for (size_t i = 0; i < partitions.size(); ++i) {
    bool any = false;
    auto names = expand_hostlist(partitions[i]->nodes());
    if (names) {
      for (const std::string& name : *names) {
        auto found = by_name.find(name);
        if (found == by_name.end()) continue;
        add_node(groups, *partitions[i], i, *found->second, options);
        any = true;
      }
    }
    if (!any) without_nodes.push_back(i);
  }
  if (options.keep_empty && !options.node_lines) {
    for (size_t i : without_nodes) add_empty(groups, *partitions[i], i, options);
  }
  return groups;
}

Counts count_nodes(const NodeGroup& group) {
  Counts counts;
  for (const v1::NodeInfo* node : group.nodes) {
    ++counts.total;
    if (is_busy(*node)) {
      ++counts.allocated;
    } else if (node_base(node->state()) == NodeBase::kIdle && !(node->state() & kNodeDrain)) {
      ++counts.idle;
    } else {
      ++counts.other;
    }
  }
  return counts;
}

Counts count_cpus(const NodeGroup& group) {
  Counts counts;
  for (const v1::NodeInfo* node : group.nodes) {
    uint64_t used = std::min(node->alloc_cpus(), node->cpus());
    counts.total += node->cpus();
    counts.allocated += used;
    bool closed = (node->state() & kNodeDrain) || node_base(node->state()) == NodeBase::kDown;
    (closed ? counts.other : counts.idle) += node->cpus() - used;
  }
  return counts;
}

std::string node_names(const NodeGroup& group) {
  std::vector<std::string> names;
  for (const v1::NodeInfo* node : group.nodes) names.push_back(node->name());
  return fold_sorted_hostlist(std::move(names));
}

std::string marked_name(const v1::PartitionInfo& partition) {
  return partition.is_default() ? partition.name() + "*" : partition.name();
}

uint32_t shown_state(const v1::NodeInfo& node) {
  uint32_t state = node.state();
  if ((state & kNodeDrain) && node_base(state) == NodeBase::kMixed) {
    return (state & ~kNodeBaseMask) | static_cast<uint32_t>(NodeBase::kAllocated);
  }
  return state;
}

}  // namespace grappe
