// A rough view of what a partition has free from now on for a while, to dismiss at once the many
// jobs that can't start now.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sched/snapshot.h"
#include "sched/timeline.h"

namespace grappe::sched {

class Spare {
 public:
  // What stays free in [now, now + duration).
  Spare(const Snapshot& snapshot, const Timeline& timeline, PartitionIndex partition,
        Time duration);

  // Certainly too big for what is free; never says so of a job that could start.
  bool rules_out(const Shape& shape) const;

 private:
  struct Open {
    uint64_t cpus;
    uint64_t memory_mb;
    bool idle;
  };

  bool lacks_devices(const Shape& shape) const;
  uint32_t free_devices(const GresNeed& need) const;

  const Snapshot& snapshot_;
  const Partition& partition_;
  std::vector<Open> nodes_;        // with a free core
  uint64_t cpus_ = 0;              // on all of them
  std::vector<uint32_t> devices_;  // by kind, on all of them
};

// The views of all partitions for jobs of any length, each made when first asked for.
class SpareViews {
 public:
  SpareViews(const Snapshot& snapshot, const Timeline& timeline);

  bool rules_out(const Shape& shape, PartitionIndex partition, Time duration);
  // After the timeline changed.
  void clear();

 private:
  // A view holds for every job at least as long, so one for each power of two will do.
  static constexpr int kLengths = 64;

  const Snapshot& snapshot_;
  const Timeline& timeline_;
  std::vector<std::unique_ptr<Spare>> views_;  // by partition and length
};

}  // namespace grappe::sched
