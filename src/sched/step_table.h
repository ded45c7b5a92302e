// Counts of something free over future time: a row per instant at which one of them changes.
//
// Each row holds from its time until the next row's. One table is the free cores, memory and
// devices of a node; another is the free licences of the cluster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sched/snapshot.h"

namespace grappe::sched {

class StepTable {
 public:
  // From `start` on, for ever, the counts are `values`.
  StepTable(Time start, std::vector<int64_t> values);

  std::size_t width() const { return width_; }
  std::size_t rows() const { return times_.size(); }
  Time start() const { return times_.front(); }
  // The counts at `t`; before the start, those at the start.
  std::span<const int64_t> at(Time t) const { return row(find(t)); }

  // The least of each count in [from, to), which must not be empty.
  void lowest(Time from, Time to, std::span<int64_t> out) const;
  // The same; gives up and returns false once one of the first counts is below its floor. `hint`
  // is 0 or what an earlier call with the same floor left, whose span neither began nor ended later
  // than this one: it saves looking up the row, and what was too low is the first to be looked at.
  bool lowest(Time from, Time to, std::span<const int64_t> floor, std::span<int64_t> out,
              std::size_t& hint) const;
  // The first change after `t`; kForever when there is none.
  Time next_change(Time t) const;
  // Adds `delta` to the counts in [from, to).
  void add(Time from, Time to, std::span<const int64_t> delta);

 private:
  std::size_t find(Time t) const;  // the row that holds at `t`
  std::size_t split(Time t);       // makes a row begin at `t`
  std::span<const int64_t> row(std::size_t i) const { return {&values_[i * width_], width_}; }

  std::size_t width_;
  std::vector<Time> times_;
  std::vector<int64_t> values_;
};

}  // namespace grappe::sched
