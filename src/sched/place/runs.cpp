// Runs of neighbouring nodes: Slurm's default choice, and --contiguous.
#include <algorithm>

#include "sched/place/search.h"

namespace grappe::sched {
namespace {

// rooms[first, last): neighbours by index and of one weight.
struct Run {
  std::size_t first = 0, last = 0;
  uint32_t weight = 0;
  uint64_t cores = 0, tasks = 0;
  std::size_t nodes = 0;
  DeviceCounts devices{};
};

uint32_t weight_of(const Search& search, const Room& room) {
  return search.ground().site(room.node).node->weight;
}

// Nodes taken or dropped are stepped over: they neither count nor part their neighbours.
std::vector<Run> runs_of(const Search& search, const std::vector<Room>& rooms, bool by_weight) {
  std::vector<Run> runs;
  NodeIndex previous = 0;
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    const Room& room = rooms[i];
    uint32_t weight = by_weight ? weight_of(search, room) : 0;
    bool neighbour = !runs.empty() && room.node == previous + 1 && runs.back().weight == weight;
    if (!neighbour) runs.push_back({i, i, weight});
    previous = room.node;
    Run& run = runs.back();
    run.last = i + 1;
    if (search.settled(room.node)) continue;
    run.cores += room.cores;
    run.tasks += room.tasks;
    ++run.nodes;
    for (std::size_t d = 0; d < kMaxDeviceNeeds; ++d) run.devices[d] += room.devices[d];
  }
  std::erase_if(runs, [](const Run& run) { return run.nodes == 0; });
  return runs;
}

bool better(const Search& search, const Run& a, const Run& b) {
  if (a.weight != b.weight) return a.weight < b.weight;
  bool a_enough = search.enough(a.nodes, a.tasks, a.devices);
  bool b_enough = search.enough(b.nodes, b.tasks, b.devices);
  if (a_enough != b_enough) return a_enough;
  return a_enough ? a.cores < b.cores : a.cores > b.cores;
}

// Devices free of the kinds the job wants.
uint32_t wanted_devices(const Search& search, const Room& room) {
  uint32_t count = 0;
  for (std::size_t d = 0; d < search.needs().devices.size(); ++d) count += room.devices[d];
  return count;
}

// Of two nodes that are enough the one with fewer devices left is tighter, then with fewer cores.
bool tighter(const Search& search, const Room& a, const Room& b) {
  uint32_t a_devices = wanted_devices(search, a), b_devices = wanted_devices(search, b);
  return a_devices != b_devices ? a_devices < b_devices : a.cores < b.cores;
}

// The node of the run that is enough by itself and would be left with least.
const Room* tightest(const Search& search, const std::vector<Room>& rooms, const Run& run) {
  const Room* best = nullptr;
  for (std::size_t i = run.first; i < run.last; ++i) {
    const Room& room = rooms[i];
    if (search.settled(room.node) || !search.enough(room)) continue;
    if (!best || tighter(search, room, *best)) best = &room;
  }
  return best;
}

bool take_run(Search& search, const std::vector<Room>& rooms, const Run& run) {
  if (const Room* room = tightest(search, rooms, run)) return search.take(*room);
  bool some = false;
  for (std::size_t i = run.first; i < run.last && !search.done(); ++i) {
    if (!search.settled(rooms[i].node)) some = search.take(rooms[i]) || some;
  }
  return some;
}

bool holds_required(const Search& search, const std::vector<Pick>& picks) {
  Bitmap chosen;
  for (const Pick& pick : picks) chosen.set(pick.room->node);
  return chosen.contains(search.needs().shape->required_nodes);
}

}  // namespace

bool choose_by_runs(Search& search, const std::vector<Room>& rooms) {
  while (!search.done() && !search.full()) {
    std::vector<Run> runs = runs_of(search, rooms, true);
    const Run* best = nullptr;
    for (const Run& run : runs) {
      if (!best || better(search, run, *best)) best = &run;
    }
    if (!best || !take_run(search, rooms, *best)) return false;
  }
  return search.done();
}

bool choose_contiguous(Search& search, const std::vector<Room>& rooms) {
  for (const Run& run : runs_of(search, rooms, false)) {
    for (std::size_t first = run.first; first < run.last; ++first) {
      Search attempt = search;
      for (std::size_t i = first; i < run.last && !attempt.done(); ++i) {
        if (search.settled(rooms[i].node) || !attempt.take(rooms[i])) break;
      }
      if (!attempt.done() || !holds_required(attempt, attempt.picks())) continue;
      search.picks() = attempt.picks();
      return true;
    }
  }
  return false;
}

}  // namespace grappe::sched
