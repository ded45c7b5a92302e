#include "sched/forecast/arrivals.h"

#include <algorithm>

namespace grappe::sched {

void Arrivals::add(Arrival arrival) {
  if (recent_.size() == 2 * kKept) recent_.erase(recent_.begin(), recent_.begin() + kKept);
  recent_.push_back(std::move(arrival));
}

Arrivals::Future::Future(const Arrivals& past, Random& random, Time now) : past_(past) {
  if (past.empty()) return;
  quiet_ = std::max<Time>(now - past.recent_.back().job.submit_time, 0);
  index_ = random.below(past.recent_.size() - 1);
  at_ = now;
  step();
}

void Arrivals::Future::step() {
  if (++index_ == past_.recent_.size()) {
    index_ = 1;
    at_ += quiet_;
  }
  const Time gap =
      past_.recent_[index_].job.submit_time - past_.recent_[index_ - 1].job.submit_time;
  at_ += std::max<Time>(gap, 0);
}

PendingJob Arrivals::Future::take() {
  PendingJob job = past_.recent_[index_].job;
  job.submit_time = at_;
  step();
  return job;
}

}  // namespace grappe::sched
