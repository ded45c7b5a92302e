#include "embedded/layout.h"

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

// Slurm's block: one task for each node, then node by node as far as the CPUs reach.
std::vector<uint32_t> block_counts(uint32_t tasks, const std::vector<uint32_t>& capacity) {
  std::vector<uint32_t> counts(capacity.size());
  uint32_t left = tasks;
  for (size_t n = 0; n < counts.size() && left > 0; ++n) {
    counts[n] = 1;
    --left;
  }
  for (size_t n = 0; n < counts.size() && left > 0; ++n) {
    uint32_t more = std::min(left, capacity[n] - std::min(capacity[n], counts[n]));
    counts[n] += more;
    left -= more;
  }
  // Overcommitted: the rest goes round.
  for (size_t n = 0; left > 0; n = (n + 1) % counts.size()) {
    ++counts[n];
    --left;
  }
  return counts;
}

std::vector<uint32_t> in_blocks(const std::vector<uint32_t>& counts) {
  std::vector<uint32_t> nodes;
  for (uint32_t n = 0; n < counts.size(); ++n) nodes.insert(nodes.end(), counts[n], n);
  return nodes;
}

// `size` tasks on a node, then the next node; full nodes are passed over.
std::vector<uint32_t> in_turns(uint32_t tasks, uint32_t size, std::vector<uint32_t> capacity) {
  uint64_t room = std::accumulate(capacity.begin(), capacity.end(), uint64_t{0});
  if (room < tasks) std::fill(capacity.begin(), capacity.end(), tasks);
  std::vector<uint32_t> nodes;
  while (nodes.size() < tasks) {
    for (uint32_t n = 0; n < capacity.size(); ++n) {
      for (uint32_t i = 0; i < size && capacity[n] > 0 && nodes.size() < tasks; ++i) {
        nodes.push_back(n);
        --capacity[n];
      }
    }
  }
  return nodes;
}

}  // namespace

Result<std::vector<uint32_t>> lay_out(const LayoutRequest& request) {
  std::vector<uint32_t> capacity = request.capacity;
  if (capacity.empty()) return slurm_fail(kErrInvalidNodeCount);
  if (request.max_per_node) {
    for (uint32_t& tasks : capacity) tasks = std::min(tasks, request.max_per_node);
    if (request.overcommit) std::fill(capacity.begin(), capacity.end(), request.max_per_node);
  }
  uint64_t room = std::accumulate(capacity.begin(), capacity.end(), uint64_t{0});
  if (room < request.tasks && !request.overcommit) return slurm_fail(kErrTooManyCpus);
  std::string_view first = request.distribution;
  first = first.substr(0, first.find_first_of(":,"));
  if (first == "cyclic") return in_turns(request.tasks, 1, capacity);
  if (first.starts_with("plane=")) {
    auto size = parse_uint(first.substr(6), 1u << 20);
    if (!size || *size == 0) return slurm_fail(kErrBadDistribution);
    return in_turns(request.tasks, static_cast<uint32_t>(*size), capacity);
  }
  return in_blocks(block_counts(request.tasks, capacity));
}

}  // namespace grappe::embedded
