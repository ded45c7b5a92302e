#include "sim/forecast.h"

#include <algorithm>
#include <cmath>

namespace grappe::sim {
namespace {

constexpr Time kSlack = 60;  // seconds: factors of shorter times mean nothing
constexpr std::size_t kOutcomes = 600;
constexpr std::size_t kFewOutcomes = 30;

// Waits for the start of one job.
class Watch : public Observer {
 public:
  explicit Watch(uint64_t id) : id_(id) {}
  void started(const TraceJob& job, Time now) override {
    if (job.id == id_) at_ = now;
  }
  bool done() const { return at_ != kForever; }
  Time at() const { return at_; }

 private:
  uint64_t id_;
  Time at_ = kForever;
};

// A long queue is run in larger steps, and only its head is looked at in each: there are so many
// jobs that what this gets wrong of one is made good by another.
constexpr std::size_t kShortQueue = 300;

// A part of the mean run, so that the machine stays full between the plans.
Time step_of(const World& future) {
  if (future.waiting().size() <= kShortQueue) return 0;
  double sum = 0;
  for (const TraceJob& job : future.waiting()) sum += static_cast<double>(job.run);
  return static_cast<Time>(sum / static_cast<double>(future.waiting().size()) / 4);
}

uint32_t samples_for(std::size_t queue, uint32_t wanted) {
  constexpr std::size_t kWork = 25000;
  auto affordable = static_cast<uint32_t>(kWork / std::max<std::size_t>(queue, 1));
  return std::clamp(affordable, std::min(3u, wanted), wanted);
}

Time quantile(std::vector<Time>& sorted, double part) {
  auto place = static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1) + 0.5);
  return sorted[place];
}

double quantile_of(std::vector<double> values, double part) {
  auto place = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

double factor(Time actual, Time forecast) {
  return static_cast<double>(actual + kSlack) / static_cast<double>(forecast + kSlack);
}

Time scaled(Time forecast, double by) {
  double seconds = static_cast<double>(forecast + kSlack) * by - static_cast<double>(kSlack);
  return static_cast<Time>(std::max(seconds, 0.0));
}

void remember(std::vector<double>& list, double value) {
  if (list.size() == 2 * kOutcomes) list.erase(list.begin(), list.begin() + kOutcomes);
  list.push_back(value);
}

std::vector<double> latest(const std::vector<double>& list) {
  return {list.end() - static_cast<std::ptrdiff_t>(std::min(list.size(), kOutcomes)), list.end()};
}

// Those who come later are behind the job; the first of them may pass it, a thousand tell as much
// as all.
constexpr std::size_t kNewcomers = 1000;

// One future: seconds until the job starts.
Time imagine(const World& world, const Arrivals& arrivals, uint64_t id, Random& random) {
  auto run = [&](const TraceJob& job, Time elapsed) {
    return drawn_run(world.history(), job, elapsed, random);
  };
  Watch watch(id);
  World future = world.imagined(&watch, run);
  Arrivals::Future next(arrivals, random, world.now());
  const Time step = step_of(future);
  if (step) future.see_only(kShortQueue);
  std::size_t newcomers = 0;
  while (!watch.done()) {
    const bool more = newcomers < kNewcomers;
    Time at = std::min(future.next_end(), more ? next.at() : kForever);
    if (at == kForever) break;
    future.advance(std::max(at, future.now() + step));
    for (; next.at() <= future.now() && newcomers < kNewcomers; ++newcomers) {
      TraceJob job = next.take();
      job.run = run(job, -1);
      future.submit(job);
    }
    future.schedule();
  }
  return watch.done() ? watch.at() - world.now() : future.now() - world.now();
}

}  // namespace

void Arrivals::add(const TraceJob& job) {
  if (recent_.size() == 2 * kKept) recent_.erase(recent_.begin(), recent_.begin() + kKept);
  recent_.push_back(job);
}

Arrivals::Future::Future(const Arrivals& past, Random& random, Time now) : past_(past) {
  if (past.empty()) return;
  index_ = random.below(past.recent_.size() - 1);
  at_ = now;
  step();
}

void Arrivals::Future::step() {
  if (++index_ == past_.recent_.size()) index_ = 1;
  at_ += past_.recent_[index_].submit - past_.recent_[index_ - 1].submit;
}

TraceJob Arrivals::Future::take() {
  TraceJob job = past_.recent_[index_];
  job.id = 0;
  job.submit = at_;
  step();
  return job;
}

Time drawn_run(const sched::RunHistory& history, const TraceJob& job, Time elapsed,
               Random& random) {
  auto runs = history.recent(job.user);
  // Those with the same limit tell most; else all, as parts of their limits.
  constexpr std::size_t kEnough = 4;
  auto pick = [&](bool alike) -> Time {
    Time chosen = -1;
    std::size_t seen = 0, fitting = 0;
    for (const sched::RunHistory::Run& r : runs) {
      if (alike && r.limit != job.limit) continue;
      ++seen;
      Time run = r.limit == job.limit
                     ? r.run
                     : static_cast<Time>(static_cast<double>(r.run) /
                                         static_cast<double>(std::max<Time>(r.limit, 1)) *
                                         static_cast<double>(job.limit));
      if (run <= elapsed) continue;
      if (random.below(++fitting) == 0) chosen = run;
    }
    return alike && seen < kEnough ? -1 : chosen;
  };
  Time run = pick(true);
  if (run < 0) run = pick(false);
  // Nothing like it: somewhere between now and the limit.
  if (run < 0) {
    auto left = static_cast<double>(std::max<Time>(job.limit - std::max<Time>(elapsed, 0), 1));
    run = std::max<Time>(elapsed, 0) + static_cast<Time>(std::ceil(left * random.uniform()));
  }
  return std::clamp<Time>(run, std::max<Time>(elapsed + 1, 1), std::max(job.limit, elapsed + 1));
}

Forecast forecast(const World& world, const Arrivals& arrivals, uint64_t id,
                  const ForecastOptions& options) {
  Random random(options.seed * 0x9e3779b97f4a7c15 + id);
  std::vector<Time> waits;
  uint32_t samples = samples_for(world.waiting().size(), options.samples);
  for (uint32_t i = 0; i < samples; ++i) waits.push_back(imagine(world, arrivals, id, random));
  std::sort(waits.begin(), waits.end());
  return {quantile(waits, 0.5), quantile(waits, 0.9)};
}

Forecast Calibration::corrected(const Forecast& raw) const {
  if (bounds_.size() < kFewOutcomes) return raw;
  Time median = scaled(raw.median, quantile_of(latest(medians_), 0.5));
  return {median, std::max(median, scaled(raw.bound, quantile_of(latest(bounds_), 0.9)))};
}

void Calibration::add(const Forecast& raw, Time actual) {
  remember(medians_, factor(actual, raw.median));
  remember(bounds_, factor(actual, raw.bound));
}

}  // namespace grappe::sim
