#include "sched/place/choose.h"

#include <algorithm>

#include "sched/feasible/features.h"
#include "sched/place/search.h"

namespace grappe::sched {
namespace {

bool take_required(Search& search, const std::vector<Room>& rooms, const Bitmap& required) {
  for (const Room& room : rooms) {
    if (required.test(room.node) && !search.take(room)) return false;
  }
  return true;
}

bool run_search(Search& search, const std::vector<Room>& rooms, const Bitmap& required) {
  const Shape& shape = *search.needs().shape;
  if (shape.contiguous) return choose_contiguous(search, rooms);
  if (!take_required(search, rooms, required)) return false;
  if (shape.spread) return choose_spread(search, rooms);
  bool found = search.ground().partition->least_loaded
                   ? choose_least_loaded(search, rooms)
                   : choose_packed(search, rooms) || choose_by_runs(search, rooms);
  bool range = shape.max_nodes != UINT32_MAX && !shape.use_min_nodes;
  if (found && range && !search.needs().wants_job_devices()) widen(search, rooms);
  // With CPUs to spare on every node there is no reason to fill one before the next.
  bool spare = shape.overcommit || takes_whole_node(search.needs(), *search.ground().partition);
  if (found && spare && search.needs().counts_tasks) deal_evenly(search);
  return found;
}

std::optional<Placement> price(Search& search) {
  Placement placement;
  for (const Pick& pick : search.picks()) {
    NodeIndex node = pick.room->node;
    Piece piece =
        piece_on(search.needs(), search.ground().site(node), node, pick.tasks, pick.devices);
    if (!fits(piece, *pick.room)) return std::nullopt;
    placement.pieces.push_back(piece);
  }
  auto by_node = [](const Piece& a, const Piece& b) { return a.node < b.node; };
  std::sort(placement.pieces.begin(), placement.pieces.end(), by_node);
  return placement;
}

// Fewer devices, where they are counted for the whole job; else fewer cores.
bool smaller(const Needs& needs, const Room& a, const Room& b) {
  if (needs.wants_job_devices() && a.devices != b.devices) return a.devices < b.devices;
  return a.cores != b.cores ? a.cores < b.cores : a.devices < b.devices;
}

// The node that can take least, of those not required and not yet dropped.
const Room* smallest(const Needs& needs, const std::vector<Room>& rooms, const Bitmap& required,
                     const Bitmap& dropped) {
  const Room* least = nullptr;
  for (const Room& room : rooms) {
    if (required.test(room.node) || dropped.test(room.node)) continue;
    if (!least || smaller(needs, room, *least)) least = &room;
  }
  return least;
}

// Small nodes that come first may use up the allowed number of nodes: on failure try without
// the smallest, until there are too few.
std::optional<Placement> search_nodes(const Needs& needs, const Ground& ground,
                                      const std::vector<Room>& rooms, const Bitmap& required,
                                      uint32_t min_nodes, uint32_t max_nodes) {
  Bitmap dropped;
  for (std::size_t left = rooms.size(); left >= min_nodes; --left) {
    Search search(needs, ground, min_nodes, max_nodes, dropped);
    if (run_search(search, rooms, required)) {
      if (std::optional<Placement> placement = price(search)) return placement;
    }
    const Room* room = smallest(needs, rooms, required, dropped);
    if (max_nodes >= left || !room) break;
    dropped.set(room->node);
  }
  return std::nullopt;
}

// The least number of nodes that hold the devices counted for the whole job: Slurm gathers them
// on few nodes, even past nodes that come first.
uint32_t nodes_for_devices(const Needs& needs, const std::vector<Room>& rooms) {
  uint32_t most = 1;
  for (std::size_t d = 0; d < needs.devices.size(); ++d) {
    if (needs.devices[d].per_job == 0) continue;
    std::vector<uint32_t> counts;
    for (const Room& room : rooms) counts.push_back(room.devices[d]);
    std::sort(counts.rbegin(), counts.rend());
    uint32_t nodes = 0, sum = 0;
    while (nodes < counts.size() && sum < needs.devices[d].per_job) sum += counts[nodes++];
    most = std::max(most, nodes);
  }
  return most;
}

// Nothing that has too little in total can succeed, whichever nodes are chosen.
bool hopeless(const Needs& needs, const Ground& ground, const std::vector<Room>& rooms) {
  if (rooms.size() < fewest_nodes(needs, *ground.partition)) return true;
  uint64_t tasks = 0;
  std::array<uint64_t, kMaxDeviceNeeds> devices{};
  for (const Room& room : rooms) {
    tasks += room.tasks;
    for (std::size_t d = 0; d < needs.devices.size(); ++d) devices[d] += room.devices[d];
  }
  if (needs.counts_tasks && tasks < needs.ntasks) return true;
  for (std::size_t d = 0; d < needs.devices.size(); ++d) {
    if (devices[d] < needs.devices[d].per_job) return true;
  }
  return false;
}

// The node can take a part of the job, or all of it if it is to be the only one.
bool useful(const Needs& needs, const Room& room, bool only) {
  uint32_t tasks = only ? needs.ntasks : 1;
  if (room.tasks < (needs.counts_tasks ? tasks : needs.tasks_per_node)) return false;
  for (std::size_t d = 0; only && d < needs.devices.size(); ++d) {
    if (room.devices[d] < needs.devices[d].per_job) return false;
  }
  return true;
}

std::optional<Placement> choose_among(const Needs& needs, const Ground& ground,
                                      std::vector<Room> rooms, const Bitmap& required) {
  uint32_t min_nodes = fewest_nodes(needs, *ground.partition);
  uint32_t max_nodes = most_nodes(needs, *ground.partition);
  std::erase_if(rooms, [&](const Room& room) { return !useful(needs, room, max_nodes == 1); });
  Bitmap here;
  for (const Room& room : rooms) here.set(room.node);
  if (!here.contains(required) || hopeless(needs, ground, rooms)) return std::nullopt;
  if (needs.wants_job_devices()) {
    min_nodes = std::max({min_nodes, nodes_for_devices(needs, rooms), required.count()});
    if (min_nodes < max_nodes) {
      auto few = search_nodes(needs, ground, rooms, required, min_nodes, min_nodes);
      if (few) return few;
    }
  }
  return search_nodes(needs, ground, rooms, required, min_nodes, max_nodes);
}

}  // namespace

std::optional<Placement> choose(const Needs& needs, const Ground& ground, std::vector<Room> rooms) {
  const Shape& shape = *needs.shape;
  if (shape.features.empty() && shape.preferred.empty()) {
    return choose_among(needs, ground, std::move(rooms), shape.required_nodes);
  }
  for (FeatureChoice& choice : feature_choices(shape, *ground.nodes, rooms)) {
    std::optional<Placement> placement = choose_among(needs, ground, std::move(choice.rooms),
                                                      shape.required_nodes | choice.required);
    if (placement) return placement;
  }
  return std::nullopt;
}

}  // namespace grappe::sched
