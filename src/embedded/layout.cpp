#include "embedded/layout.h"

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "model/slurm_error.h"
#include "model/task_turns.h"

namespace grappe::embedded {
namespace {

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

// As many as fit on a node, then the next; one at least is left for each that follows.
std::vector<uint32_t> packed(uint32_t tasks, std::vector<uint32_t> capacity) {
  uint64_t room = std::accumulate(capacity.begin(), capacity.end(), uint64_t{0});
  if (room < tasks) std::fill(capacity.begin(), capacity.end(), tasks);
  std::vector<uint32_t> nodes;
  for (uint32_t n = 0; n < capacity.size(); ++n) {
    const auto left = static_cast<uint32_t>(tasks - nodes.size());
    const auto after = static_cast<uint32_t>(capacity.size() - n - 1);
    const uint32_t most = left > after ? left - after : std::min(left, 1u);
    nodes.insert(nodes.end(), std::min(most, capacity[n]), n);
  }
  return nodes;
}

bool wants_packing(std::string_view distribution) {
  return distribution == "pack" || distribution.ends_with(",pack");
}

// What each node may take. --ntasks-per-node spreads tasks and refuses none: as in Slurm, tasks
// that it has no place for go where there are CPUs.
std::vector<uint32_t> room_on_nodes(const LayoutRequest& request) {
  if (!request.max_per_node) return request.capacity;
  std::vector<uint32_t> rooms = request.capacity;
  for (uint32_t& tasks : rooms) {
    tasks = request.overcommit ? request.max_per_node : std::min(tasks, request.max_per_node);
  }
  const bool enough = std::accumulate(rooms.begin(), rooms.end(), uint64_t{0}) >= request.tasks;
  return enough || request.overcommit ? rooms : request.capacity;
}

}  // namespace

Result<std::vector<uint32_t>> lay_out(const LayoutRequest& request) {
  const std::vector<uint32_t> capacity = room_on_nodes(request);
  if (capacity.empty()) return slurm_fail(kErrInvalidNodeCount);
  uint64_t room = std::accumulate(capacity.begin(), capacity.end(), uint64_t{0});
  if (room < request.tasks && !request.overcommit && request.chosen.empty()) {
    return slurm_fail(kErrTooManyCpus);
  }
  if (!request.chosen.empty()) return request.chosen;
  std::string_view first = request.distribution;
  first = first.substr(0, first.find_first_of(":,"));
  if (first == "cyclic") return deal_tasks(request.tasks, capacity);
  if (first.starts_with("plane=")) {
    auto size = parse_uint(first.substr(6), 1u << 20);
    if (!size || *size == 0) return slurm_fail(kErrBadDistribution);
    return in_turns(request.tasks, static_cast<uint32_t>(*size), capacity);
  }
  if (wants_packing(request.distribution)) return packed(request.tasks, capacity);
  // Slurm's block: as many for each node as in turns, but those of a node follow each other.
  std::vector<uint32_t> nodes = deal_tasks(request.tasks, capacity);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace grappe::embedded
