// Choices that use more nodes than needed or the emptiest ones: LLN, --spread-job, -N2-4.
#include <algorithm>

#include "sched/place/search.h"

namespace grappe::sched {
namespace {

// Not yet settled, the one with the greatest part of its cores free first.
std::vector<const Room*> emptiest_first(const Search& search, const std::vector<Room>& rooms) {
  std::vector<const Room*> order;
  for (const Room& room : rooms) {
    if (!search.settled(room.node)) order.push_back(&room);
  }
  auto emptier = [&](const Room* a, const Room* b) {
    uint64_t cores_a = search.ground().site(a->node).facts->cores;
    uint64_t cores_b = search.ground().site(b->node).facts->cores;
    return a->cores * cores_b > b->cores * cores_a;
  };
  std::stable_sort(order.begin(), order.end(), emptier);
  return order;
}

// One task less on the node that has most, the last of those; false when all have one.
bool give_up_one_task(std::vector<Pick>& picks) {
  Pick* most = nullptr;
  for (Pick& pick : picks) {
    if (!most || pick.tasks >= most->tasks) most = &pick;
  }
  if (!most || most->tasks <= 1) return false;
  --most->tasks;
  return true;
}

}  // namespace

void deal_evenly(Search& search) {
  std::vector<Pick>& picks = search.picks();
  uint32_t left = search.needs().ntasks;
  for (Pick& pick : picks) pick.tasks = 0;
  for (bool some = true; some && left > 0;) {
    some = false;
    for (Pick& pick : picks) {
      if (left == 0 || pick.tasks >= pick.room->tasks) continue;
      ++pick.tasks;
      --left;
      some = true;
    }
  }
}

bool choose_least_loaded(Search& search, const std::vector<Room>& rooms) {
  for (const Room* room : emptiest_first(search, rooms)) {
    if (search.done()) break;
    search.take(*room);
  }
  return search.done();
}

bool choose_spread(Search& search, const std::vector<Room>& rooms) {
  if (!choose_least_loaded(search, rooms)) return false;
  if (search.needs().wants_job_devices()) return true;
  for (const Room* room : emptiest_first(search, rooms)) {
    if (!search.full()) search.picks().push_back({room, search.needs().tasks_per_node});
  }
  if (search.needs().counts_tasks) deal_evenly(search);
  return true;
}

void widen(Search& search, const std::vector<Room>& rooms) {
  const Needs& needs = search.needs();
  std::vector<const Room*> order;
  for (const Room& room : rooms) {
    if (!search.settled(room.node)) order.push_back(&room);
  }
  auto lighter = [&](const Room* a, const Room* b) {
    return search.ground().site(a->node).node->weight < search.ground().site(b->node).node->weight;
  };
  std::stable_sort(order.begin(), order.end(), lighter);
  for (const Room* room : order) {
    if (search.full()) return;
    if (needs.counts_tasks && !give_up_one_task(search.picks())) return;
    search.picks().push_back({room, needs.counts_tasks ? 1 : needs.tasks_per_node});
  }
}

}  // namespace grappe::sched
