// What counts against limits at one instant, and whether a job goes beyond one.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/bitmap.h"
#include "sched/limits/rules.h"

namespace grappe::sched {

// A job as limits see it.
struct LimitedJob {
  const TresAmounts* tres = nullptr;
  uint64_t minutes = 0;           // its time limit; UINT32_MAX: none
  const Bitmap* nodes = nullptr;  // it has, if they are chosen
  double factor = 1;              // its minutes count so much

  uint64_t amount(uint16_t i) const { return i < tres->size() ? (*tres)[i] : 0; }
};

// What is in use, by counter.
class InUse {
 public:
  InUse() = default;
  // `node`: the place of "node" among the trackable resources.
  InUse(size_t counters, size_t tres, uint16_t node);

  size_t counters() const { return jobs_.size(); }
  size_t width() const { return width_; }  // how many trackable resources
  uint16_t node() const { return node_; }

  // A job that has started and may run `seconds` more.
  void add_running(const LimitChain& chain, const LimitedJob& job, uint64_t seconds);
  // It has ended. Which nodes are still in use must be said anew, by add_nodes().
  void remove_running(const LimitChain& chain, const LimitedJob& job, uint64_t seconds);
  void add_nodes(const LimitChain& chain, const Bitmap& nodes);
  // `amounts` and `wall` in seconds, decayed.
  void set_used(uint32_t counter, const std::vector<double>& amounts, double wall);
  void set_fair_share(uint32_t counter, double factor);

  uint64_t jobs(uint32_t counter) const { return jobs_[counter]; }
  uint64_t tres(uint32_t counter, uint16_t i) const { return tres_[at(counter, i)]; }
  uint64_t run_minutes(uint32_t counter, uint16_t i) const {
    return run_seconds_[at(counter, i)] / 60;
  }
  uint64_t used_minutes(uint32_t counter, uint16_t i) const {
    return used_.empty() ? 0 : static_cast<uint64_t>(used_[at(counter, i)] / 60);
  }
  uint64_t wall_minutes(uint32_t counter) const {
    return wall_.empty() ? 0 : static_cast<uint64_t>(wall_[counter] / 60);
  }
  // Nobody has said anything: the best there is.
  uint64_t fair_share(uint32_t counter) const {
    return fair_share_.empty() ? fair_share_amount(1) : fair_share_[counter];
  }
  const Bitmap& nodes(uint32_t counter) const { return nodes_[counter]; }

 private:
  size_t at(uint32_t counter, uint16_t i) const { return counter * width_ + i; }

  size_t width_ = 0;
  uint16_t node_ = UINT16_MAX;
  std::vector<uint32_t> jobs_;
  std::vector<uint64_t> tres_, run_seconds_;
  std::vector<Bitmap> nodes_;  // several jobs on one node are one node
  std::vector<double> used_, wall_;
  std::vector<uint64_t> fair_share_;
};

// The first rule that the job would break by starting; null: it may. `safe`: only if it can run to
// its end within what is left of the minutes.
const Rule* broken_rule(const LimitChain& chain, const LimitedJob& job, const InUse& in_use,
                        bool safe);
// This one rule.
bool breaks(const Rule& rule, const LimitedJob& job, const InUse& in_use, bool safe);
// Why the job may not start; kNone when it may.
Reason limit_reason(const LimitChain& chain, const LimitedJob& job, const InUse& in_use, bool safe);

// Why it may not be submitted. `submitted` by counter: pending and running jobs; `count` more are
// to come. `node`: the place of "node" among the trackable resources.
Reason submit_reason(const LimitChain& chain, const LimitedJob& job,
                     const std::vector<uint64_t>& submitted, uint64_t count, uint16_t node);

// How many of `count` jobs may grow older, beside those that do (by counter).
uint64_t may_accrue(const LimitChain& chain, const std::vector<uint64_t>& accruing, uint64_t count);

// A job that has run for `minutes` goes beyond what minutes there were, and is ended for it.
bool minutes_are_over(const LimitChain& chain, const LimitedJob& job, const InUse& in_use);

}  // namespace grappe::sched
