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

// --ntasks-per-node spreads tasks and refuses none: those that it has no place for go where tasks
// are dealt when all nodes are full.
std::vector<uint32_t> room_on_nodes(const LayoutRequest& request) {
  std::vector<uint32_t> rooms = request.capacity;
  if (!request.max_per_node) return rooms;
  for (uint32_t& tasks : rooms) {
    tasks = request.overcommit ? request.max_per_node : std::min(tasks, request.max_per_node);
  }
  return rooms;
}

}  // namespace

Result<std::vector<uint32_t>> lay_out(const LayoutRequest& request) {
  if (request.capacity.empty()) return slurm_fail(kErrInvalidNodeCount);
  const uint64_t room =
      std::accumulate(request.capacity.begin(), request.capacity.end(), uint64_t{0});
  if (room < request.tasks && !request.overcommit && request.chosen.empty()) {
    return slurm_fail(kErrTooManyCpus);
  }
  if (!request.chosen.empty()) return request.chosen;
  const std::vector<uint32_t> rooms = room_on_nodes(request);
  std::string_view first = request.distribution;
  first = first.substr(0, first.find_first_of(":,"));
  if (first == "cyclic") return deal_tasks(request.tasks, rooms);
  if (first.starts_with("plane=")) {
    auto size = parse_uint(first.substr(6), 1u << 20);
    if (!size || *size == 0) return slurm_fail(kErrBadDistribution);
    return in_turns(request.tasks, static_cast<uint32_t>(*size), rooms);
  }
  if (wants_packing(request.distribution)) return packed(request.tasks, rooms);
  // Slurm's block: as many for each node as in turns, but those of a node follow each other.
  std::vector<uint32_t> nodes = deal_tasks(request.tasks, rooms);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace grappe::embedded
