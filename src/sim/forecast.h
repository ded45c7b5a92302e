// When will a waiting job start? The queue is run into the future many times by the scheduler
// itself: run times are drawn from what the users' jobs needed of their limits before, and more
// jobs come as they came lately.
//
// Nothing is used that is not known at that moment. A Calibration compares forecasts with what
// became of them and corrects those that follow.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "sim/world.h"

namespace grappe::sim {

// Seconds from now. Half of the jobs start until the median, nine of ten until the bound.
struct Forecast {
  Time median = 0, bound = 0;
};

// What came lately, to be repeated in an imagined future.
class Arrivals {
 public:
  void add(const TraceJob& job);
  bool empty() const { return recent_.size() < 2; }

  // Goes on from a moment of the past chosen at random: bursts stay bursts.
  class Future {
   public:
    Future(const Arrivals& past, Random& random, Time now);
    Time at() const { return at_; }  // of the next arrival
    TraceJob take();

   private:
    void step();

    const Arrivals& past_;
    std::size_t index_ = 0;
    Time at_ = kForever;
  };

 private:
  static constexpr std::size_t kKept = 1000;
  std::vector<TraceJob> recent_;
};

struct ForecastOptions {
  uint32_t samples = 50;
  uint64_t seed = 1;
};

// The job `id` waits in `world`.
Forecast forecast(const World& world, const Arrivals& arrivals, uint64_t id,
                  const ForecastOptions& options);

// How long the job will run, drawn from history; `elapsed` seconds of it are over, -1: it waits.
Time drawn_run(const sched::RunHistory& history, const TraceJob& job, Time elapsed, Random& random);

// Factors by which raw forecasts were wrong lately.
class Calibration {
 public:
  Forecast corrected(const Forecast& raw) const;
  void add(const Forecast& raw, Time actual);

 private:
  std::vector<double> medians_, bounds_;  // of the last outcomes: actual over forecast
};

struct ForecastScore {
  uint64_t jobs = 0;  // forecasts that came due
  double mean_wait = 0;
  double mean_error = 0;  // of the median, without sign
  double covered = 0;     // part that started until the bound
  double error_part() const { return mean_wait > 0 ? mean_error / mean_wait : 0; }
};

// Runs the workload and, of the jobs that have to wait, makes a forecast for one in `every` when
// it arrives; compares it with what then happens.
ForecastScore score_forecasts(const Trial& trial, Source& jobs, uint32_t every,
                              const ForecastOptions& options);

}  // namespace grappe::sim
