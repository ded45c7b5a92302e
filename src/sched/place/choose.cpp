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
  bool found = search.ground().partition->least_loaded ? choose_least_loaded(search, rooms)
                                                       : choose_by_runs(search, rooms);
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

// Drops the node that can take least and is not required; false when there is none to drop.
bool drop_smallest(std::vector<Room>& rooms, const Bitmap& required) {
  auto smallest = rooms.end();
  for (auto room = rooms.begin(); room != rooms.end(); ++room) {
    if (required.test(room->node)) continue;
    if (smallest == rooms.end() || room->cores < smallest->cores ||
        (room->cores == smallest->cores && room->devices < smallest->devices)) {
      smallest = room;
    }
  }
  if (smallest == rooms.end()) return false;
  rooms.erase(smallest);
  return true;
}

// Small nodes that come first may use up the allowed number of nodes: on failure try without
// the smallest, until there are too few.
std::optional<Placement> search_nodes(const Needs& needs, const Ground& ground,
                                      std::vector<Room> rooms, const Bitmap& required,
                                      uint32_t max_nodes) {
  uint32_t fewest = fewest_nodes(needs, *ground.partition);
  while (rooms.size() >= fewest) {
    Search search(needs, ground, max_nodes);
    if (run_search(search, rooms, required)) {
      if (std::optional<Placement> placement = price(search)) return placement;
    }
    if (max_nodes >= rooms.size() || !drop_smallest(rooms, required)) break;
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

std::optional<Placement> choose_among(const Needs& needs, const Ground& ground,
                                      std::vector<Room> rooms, const Bitmap& required) {
  if (!needs.counts_tasks) {
    std::erase_if(rooms, [&](const Room& room) { return room.tasks < needs.tasks_per_node; });
  }
  Bitmap here;
  for (const Room& room : rooms) here.set(room.node);
  if (!here.contains(required) || hopeless(needs, ground, rooms)) return std::nullopt;
  uint32_t max_nodes = most_nodes(needs, *ground.partition);
  if (max_nodes == 1 && needs.counts_tasks) {
    std::erase_if(rooms, [&](const Room& room) { return room.tasks < needs.ntasks; });
  }
  if (needs.wants_job_devices() && needs.shape->max_nodes == UINT32_MAX) {
    uint32_t few =
        std::max({nodes_for_devices(needs, rooms), needs.shape->min_nodes, required.count()});
    if (few < max_nodes) {
      if (auto placement = search_nodes(needs, ground, rooms, required, few)) return placement;
    }
  }
  return search_nodes(needs, ground, std::move(rooms), required, max_nodes);
}

}  // namespace

std::optional<Placement> choose(const Needs& needs, const Ground& ground, std::vector<Room> rooms) {
  const Shape& shape = *needs.shape;
  if (shape.features.empty()) {
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
