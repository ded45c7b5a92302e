#include <cmath>
#include <cstdlib>
#include <unordered_map>

#include "sim/forecast.h"

namespace grappe::sim {
namespace {

// Knows which forecasts are out and compares each when its job starts.
class Scorer : public Observer {
 public:
  struct Out {
    Forecast raw, told;
    Time made;
  };

  void started(const TraceJob& job, Time now) override {
    auto found = out_.find(job.id);
    if (found == out_.end()) return;
    const Out& out = found->second;
    Time wait = now - out.made;
    ++score_.jobs;
    wait_ += static_cast<double>(wait);
    error_ += std::abs(static_cast<double>(wait - out.told.median));
    covered_ += wait <= out.told.bound ? 1 : 0;
    calibration_.add(out.raw, wait);
    out_.erase(found);
  }

  void made(uint64_t id, const Forecast& raw, Time now) {
    out_[id] = {raw, calibration_.corrected(raw), now};
  }

  ForecastScore score() const {
    ForecastScore score = score_;
    double jobs = score.jobs ? static_cast<double>(score.jobs) : 1;
    score.mean_wait = wait_ / jobs;
    score.mean_error = error_ / jobs;
    score.covered = covered_ / jobs;
    return score;
  }

 private:
  Calibration calibration_;
  std::unordered_map<uint64_t, Out> out_;
  ForecastScore score_;
  double wait_ = 0, error_ = 0, covered_ = 0;
};

}  // namespace

ForecastScore score_forecasts(const Trial& trial, Source& jobs, uint32_t every,
                              const ForecastOptions& options) {
  Scorer scorer;
  World world(trial, &scorer);
  Arrivals arrivals;
  uint64_t waited = 0;
  std::optional<TraceJob> next = jobs.next();
  while (next || !world.idle()) {
    Time at = std::min(next ? next->submit : kForever, world.next_end());
    world.advance(std::max(at, world.now()));
    for (; next && next->submit <= at; next = jobs.next()) {
      world.submit(*next);
      arrivals.add(*next);
    }
    world.schedule();
    const std::vector<TraceJob>& queue = world.waiting();
    for (std::size_t i = queue.size(); i-- > 0 && queue[i].submit == at;) {
      if (waited++ % every) continue;
      scorer.made(queue[i].id, forecast(world, arrivals, queue[i].id, options), at);
    }
  }
  return scorer.score();
}

}  // namespace grappe::sim
