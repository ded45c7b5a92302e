// What one plan has found out about each shape, so that it is found out once.
//
// In the course of a plan resources only get fewer: what could not start now can't later, nor can
// a longer run of the same shape.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "sched/feasible/feasible.h"

namespace grappe::sched {

// Longer than every run, also than one without limit.
inline constexpr Time kNoRun = kForever + 1;

// A shape in a partition.
struct ShapeFacts {
  PartitionIndex partition = 0;
  const Needs* needs = nullptr;
  Reason never = Reason::kNone;  // why it could not even run on an empty machine
  Bitmap suitable;
  Bitmap usable;         // suitable and available
  bool lacking = false;  // what is usable would not be enough if it were empty

  Time fails_now = kNoRun;  // this long or longer can't start now
  // Runs of at least this length can't start before that time.
  struct NotBefore {
    Time length, start;
  };
  std::vector<NotBefore> not_before;

  Time earliest_hope(Time length) const;
};

class ShapeMemo {
 public:
  ShapeMemo(const Snapshot& snapshot, const std::vector<NodeFacts>& facts);

  ShapeFacts& facts(const Shape* shape, PartitionIndex partition);
  // Only if something is known already.
  ShapeFacts* known(const Shape* shape, PartitionIndex partition);
  // Resources were given back: failures are no longer certain.
  void forget_failures();

 private:
  struct Entry {
    Needs needs;
    std::vector<ShapeFacts> partitions;
  };

  const Snapshot& snapshot_;
  const std::vector<NodeFacts>& nodes_;
  Bitmap available_;
  std::unordered_map<const Shape*, std::unique_ptr<Entry>> entries_;
};

}  // namespace grappe::sched
