// What a limit that keeps a job is made of: how much of it is taken, by whom, and when enough of it
// is free again.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/limits/table.h"
#include "sched/snapshot.h"

namespace grappe::sched {

// A running job as limits count it.
struct CountedRun {
  const LimitChain* chain = nullptr;  // null: it counts nowhere
  const TresAmounts* tres = nullptr;
  Bitmap nodes;
  uint64_t seconds_left = 0;
  Time end = kForever;
};

struct LimitBreak {
  Rule rule;
  uint64_t used = 0;   // by others
  uint64_t asked = 0;  // by this job
  bool never = false;  // whatever others do
  // Running jobs that take some of it, those that end first first: index and how much.
  std::vector<std::pair<size_t, uint64_t>> takers;
  Time frees_at = 0;  // when enough of these have ended, or use has decayed; 0: not within sight
};

// Of the first rule that the job breaks. `reason`: where none is broken by what the job asks for at
// the least, the rule that gives this reason. False: there is no such rule.
struct BreakQuestion {
  const LimitChain* chain = nullptr;
  LimitedJob job;
  const LimitTable* table = nullptr;
  const std::vector<CountedRun>* running = nullptr;
  Reason reason = Reason::kNone;
  Time now = 0;
  int64_t half_life_s = 0;  // of use; 0: it does not decay
};
bool report_break(const BreakQuestion& question, LimitBreak& out);

}  // namespace grappe::sched
