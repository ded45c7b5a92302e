// How often which wait: quantiles of any number of values in little memory, to within 3 %.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/snapshot.h"

namespace grappe::sim {

class Histogram {
 public:
  void add(sched::Time value);
  uint64_t count() const { return count_; }
  // The value that this part of all does not exceed.
  sched::Time quantile(double part) const;
  // The part that is at most `value`.
  double part_up_to(sched::Time value) const;

 private:
  static std::size_t bin(sched::Time value);
  static sched::Time upper(std::size_t bin);

  uint64_t count_ = 0;
  std::vector<uint64_t> bins_;
};

}  // namespace grappe::sim
