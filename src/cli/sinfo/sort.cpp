#include "cli/sinfo/sort.h"

#include <algorithm>

#include "base/hostlist.h"

namespace grappe {
namespace {

template <class T>
int compare(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

using Group = NodeGroup;

struct Key {
  char letter;
  int (*order)(const Group& a, const Group& b);
};

// Lines without nodes count as if everything were zero or empty.
const v1::NodeInfo& node_of(const Group& group) {
  return group.empty() ? v1::NodeInfo::default_instance() : group.first();
}

template <class Get>
uint64_t least(const Group& group, Get get) {
  uint64_t low = 0;
  for (size_t i = 0; i < group.nodes.size(); ++i) {
    low = i == 0 ? get(*group.nodes[i]) : std::min<uint64_t>(low, get(*group.nodes[i]));
  }
  return low;
}

int by_name(const Group& a, const Group& b) {
  std::string first = a.empty() ? "" : a.first().name();
  std::string second = b.empty() ? "" : b.first().name();
  return hostname_less(first, second) ? -1 : hostname_less(second, first) ? 1 : 0;
}

#define PARTITION(member)                                         \
  [](const Group& a, const Group& b) {                            \
    return compare(a.partition->member(), b.partition->member()); \
  }
#define NODE(member) \
  [](const Group& a, const Group& b) { return compare(node_of(a).member(), node_of(b).member()); }
#define LEAST(member)                                                        \
  [](const Group& a, const Group& b) {                                       \
    auto get = [](const v1::NodeInfo& n) -> uint64_t { return n.member(); }; \
    return compare(least(a, get), least(b, get));                            \
  }
#define COUNT(kind) \
  [](const Group& a, const Group& b) { return compare(count_nodes(a).kind, count_nodes(b).kind); }

constexpr Key kKeys[] = {
    {'a', PARTITION(state)},
    {'A', COUNT(allocated)},
    {'b', NODE(active_features)},
    {'c', LEAST(cpus)},
    {'d', LEAST(tmp_mb)},
    {'D', COUNT(total)},
    {'e', LEAST(free_memory_mb)},
    {'E', NODE(reason)},
    {'f', NODE(features)},
    {'F', COUNT(allocated)},
    {'g', PARTITION(allow_groups)},
    {'G', NODE(gres)},
    {'h', PARTITION(oversubscribe)},
    {'H', NODE(reason_time)},
    {'I', PARTITION(priority_job_factor)},
    {'l', PARTITION(max_time)},
    {'L', PARTITION(default_time)},
    {'m', LEAST(memory_mb)},
    {'M', PARTITION(preempt_mode)},
    {'n', NODE(hostname)},
    {'N', by_name},
    {'o', NODE(address)},
    {'O', LEAST(cpu_load_hundredths)},
    {'p', PARTITION(priority_tier)},
    {'P', PARTITION(name)},
    {'r', PARTITION(root_only)},
    {'R', PARTITION(name)},
    {'s', PARTITION(max_nodes)},
    {'S', PARTITION(alloc_nodes)},
    {'t', NODE(state)},
    {'T', NODE(state)},
    {'u', NODE(reason_user)},
    {'U', NODE(reason_uid)},
    {'v', NODE(version)},
    {'w', LEAST(weight)},
    {'X', LEAST(sockets)},
    {'Y', LEAST(cores_per_socket)},
    {'z', LEAST(sockets)},
    {'Z', LEAST(threads_per_core)},
};

constexpr Key kConfigured{'P', [](const Group& a, const Group& b) {
                            return compare(a.partition_index, b.partition_index);
                          }};

const Key* find_key(char letter, bool configured) {
  if (configured && letter == 'P') return &kConfigured;
  auto found = std::find_if(std::begin(kKeys), std::end(kKeys),
                            [&](const Key& key) { return key.letter == letter; });
  return found == std::end(kKeys) ? nullptr : found;
}

}  // namespace

void sort_groups(std::vector<NodeGroup>& groups, std::string_view keys) {
  for (size_t i = keys.size(); i-- > 0;) {
    bool configured = i > 0 && keys[i - 1] == '#';
    bool reversed = i > 0 && keys[i - 1] == '-';
    const Key* key = find_key(keys[i], configured);
    if (!key) continue;
    std::stable_sort(groups.begin(), groups.end(), [&](const Group& a, const Group& b) {
      int c = key->order(a, b);
      return reversed ? c > 0 : c < 0;
    });
  }
}

}  // namespace grappe
