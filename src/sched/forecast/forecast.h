// When will a waiting job start? The queue is run into the future many times by the scheduler
// itself: run times are drawn from what the users' jobs needed of their limits before, and more
// jobs come as they came lately.
//
// Nothing is used that is not known at that moment. A Calibration compares forecasts with what
// became of them and corrects those that follow.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sched/forecast/arrivals.h"
#include "sched/forecast/future.h"

namespace grappe::sched {

// Seconds from now. Half of the jobs start until the median, nine of ten until the bound.
struct Forecast {
  Time median = 0, bound = 0;
};

struct ForecastOptions {
  uint32_t samples = 50;  // futures, of a short queue
  uint64_t seed = 1;
  std::function<bool()> enough;  // true: no time is left, make the best of what there is
};

struct Forecasts {
  std::vector<std::optional<Forecast>> jobs;  // by place; none: it does not start in these futures
  uint32_t futures = 0;
};

// Of the queue's job `place`.
std::optional<Forecast> forecast(const Queue& queue, const RunHistory& history,
                                 const Arrivals& arrivals, std::size_t place,
                                 const ForecastOptions& options);
// Of all jobs of the queue.
Forecasts forecast_all(const Queue& queue, const RunHistory& history, const Arrivals& arrivals,
                       const ForecastOptions& options);

// When the queue's job `place` starts if every job runs until its limit and nobody comes, in
// seconds from now; none: not before `enough`.
std::optional<Time> start_by_limits(const Queue& queue, std::size_t place,
                                    const std::function<bool()>& enough);

// How many futures are tried for a queue of this length.
uint32_t futures_of(const Queue& queue, const ForecastOptions& options);

// Factors by which raw forecasts were wrong lately.
class Calibration {
 public:
  Forecast corrected(const Forecast& raw) const;
  void add(const Forecast& raw, Time actual);

 private:
  std::vector<double> medians_, bounds_;  // of the last outcomes: actual over forecast
  double median_factor_ = 1, bound_factor_ = 1;
};

}  // namespace grappe::sched
