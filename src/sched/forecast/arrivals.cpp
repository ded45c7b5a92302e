#include "sched/forecast/arrivals.h"

#include <algorithm>

namespace grappe::sched {
namespace {

// Few arrivals in a shorter past are taken for all that came in this time: five jobs in the first
// minute of a service are no reason to expect five in every other.
constexpr Time kShortestPast = 86400;
constexpr std::size_t kFew = 100;

}  // namespace

void Arrivals::add(Arrival arrival) {
  if (recent_.size() == 2 * kKept) recent_.erase(recent_.begin(), recent_.begin() + kKept);
  recent_.push_back(std::move(arrival));
}

Arrivals::Future::Future(const Arrivals& past, Random& random, Time now) : past_(past) {
  if (past.empty()) return;
  const Time first = past.recent_.front().job.submit_time;
  const Time busy = std::max<Time>(past.recent_.back().job.submit_time - first, 0);
  const Time shortest = past.recent_.size() < kFew ? kShortestPast : 0;
  quiet_ = std::max<Time>({now - first - busy, shortest - busy, 0});
  index_ = random.below(past.recent_.size() - 1);
  at_ = now;
  if (now - first < shortest) {
    // Most of it is quiet, and so the moment from which it goes on.
    const auto moment = static_cast<Time>(random.below(static_cast<uint64_t>(busy + quiet_)));
    if (moment >= busy) {
      index_ = past.recent_.size() - 1;
      at_ -= moment - busy;
    }
  }
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
