// What came lately, to be repeated in an imagined future.
#pragma once

#include <memory>
#include <vector>

#include "base/random.h"
#include "sched/snapshot.h"

namespace grappe::sched {

// A job as it came, with what it points to.
struct Arrival {
  PendingJob job;  // its submit_time is when it came
  std::shared_ptr<const Shape> shape;
  std::shared_ptr<const TresAmounts> tres;
};

class Arrivals {
 public:
  void add(Arrival arrival);
  void clear() { recent_.clear(); }
  bool empty() const { return recent_.size() < 2; }

  // Goes on from a moment of the past chosen at random: bursts stay bursts, and so does the quiet
  // since the last one came.
  class Future {
   public:
    Future(const Arrivals& past, Random& random, Time now);
    Time at() const { return at_; }  // of the next arrival
    PendingJob take();

   private:
    void step();

    const Arrivals& past_;
    std::size_t index_ = 0;
    Time quiet_ = 0;  // from the last one until now
    Time at_ = kForever;
  };

 private:
  static constexpr std::size_t kKept = 1000;
  std::vector<Arrival> recent_;
};

}  // namespace grappe::sched
