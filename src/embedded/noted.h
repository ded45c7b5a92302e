// Writes down what the reports need to know beside the jobs: when nodes could not be used, what the
// cluster had, what was reserved.
//
// The engine compares after each batch what is with what was written last, so that no change of a
// node or a reservation has to think of it.
#pragma once

#include <map>
#include <string>

#include "model/usage.h"
#include "store/store.h"

namespace grappe::embedded {

class Core;

// What is written and not over.
struct Noted {
  std::map<std::string, NodeEvent> events;  // by node; the cluster: ""
  std::map<uint32_t, ReservationWindow> windows;
};

void restore_noted(Core& core, const Recovered& recovered);
// After the start and after a change of the configuration.
void note_cluster(Core& core);
// Before each commit.
void note_events(Core& core);
// Of reservations that have not begun; these are not written.
std::vector<ReservationWindow> planned_windows(const Core& core);

}  // namespace grappe::embedded
