#include "sim/forecast.h"

#include <cmath>
#include <cstdlib>
#include <unordered_map>

namespace grappe::sim {
namespace {

// Knows which forecasts are out and compares each when its job starts.
class Scorer : public Observer {
 public:
  struct Out {
    sched::Forecast raw, told;
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

  void made(uint64_t id, const sched::Forecast& raw, Time now) {
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
  sched::Calibration calibration_;
  std::unordered_map<uint64_t, Out> out_;
  ForecastScore score_;
  double wait_ = 0, error_ = 0, covered_ = 0;
};

}  // namespace

sched::Queue queue_of(const World& world) {
  sched::Queue queue;
  queue.machine = world.snapshot();
  queue.policy = world.policy();
  for (sched::PendingJob& job : queue.machine.pending) {
    queue.waiting.emplace_back().job = std::move(job);
  }
  queue.machine.pending.clear();
  settle(queue);
  return queue;
}

std::optional<sched::Forecast> forecast(const World& world, const sched::Arrivals& arrivals,
                                        uint64_t id, const sched::ForecastOptions& options) {
  const std::vector<TraceJob>& waiting = world.waiting();
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (waiting[i].id != id) continue;
    // By time of arrival, as the queue is here.
    return sched::forecast(queue_of(world), world.history(), arrivals, i, options);
  }
  return std::nullopt;
}

ForecastScore score_forecasts(const Trial& trial, Source& jobs, uint32_t every,
                              const sched::ForecastOptions& options) {
  Scorer scorer;
  World world(trial, &scorer);
  sched::Arrivals arrivals;
  uint64_t waited = 0;
  std::optional<TraceJob> next = jobs.next();
  while (next || !world.idle()) {
    Time at = std::min(next ? next->submit : kForever, world.next_end());
    world.advance(std::max(at, world.now()));
    for (; next && next->submit <= at; next = jobs.next()) {
      world.submit(*next);
      arrivals.add(world.arrival_of(*next));
    }
    world.schedule();
    const std::vector<TraceJob>& queue = world.waiting();
    for (std::size_t i = queue.size(); i-- > 0 && queue[i].submit == at;) {
      if (waited++ % every) continue;
      const auto told = forecast(world, arrivals, queue[i].id, options);
      if (told) scorer.made(queue[i].id, *told, at);
    }
  }
  return scorer.score();
}

}  // namespace grappe::sim
