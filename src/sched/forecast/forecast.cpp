#include "sched/forecast/forecast.h"

#include <algorithm>

namespace grappe::sched {
namespace {

constexpr std::size_t kAllOfThem = SIZE_MAX;

// A long queue is run in larger steps, and only its head is looked at in each: there are so many
// jobs that what this gets wrong of one is made good by another.
constexpr std::size_t kShortQueue = 300;

// A part of the mean run, so that the machine stays full between the plans.
Time step_of(const Queue& queue, const RunHistory& history, Random& random) {
  constexpr std::size_t kLookedAt = 200;
  const std::size_t size = queue.waiting.size();
  if (size <= kShortQueue) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < kLookedAt; ++i) {
    const PendingJob& job = queue.waiting[i * size / kLookedAt].job;
    sum += static_cast<double>(drawn_run(history, job.user, job.time_limit, -1, random));
  }
  return static_cast<Time>(sum / static_cast<double>(kLookedAt) / 4);
}

uint32_t samples_for(std::size_t queue, uint32_t wanted) {
  constexpr std::size_t kWork = 25000;
  auto affordable = static_cast<uint32_t>(kWork / std::max<std::size_t>(queue, 1));
  return std::clamp(affordable, std::min(3u, wanted), wanted);
}

// Those who come later are behind the job; the first of them may pass it, a thousand tell as much
// as all.
constexpr std::size_t kNewcomers = 1000;

struct Imagined {
  std::vector<Time> starts;  // by place, seconds from now; kForever: never
  bool whole = true;         // false: there was no time to run it to its end
};

// It was not run to its end: who has not started will at the pace of those before it.
void go_on_at_this_pace(const Queue& queue, const Future& future, std::vector<Time>& starts) {
  const auto over = static_cast<double>(future.now() - queue.machine.now);
  const auto started = static_cast<double>(future.started_count());
  if (future.started_count() == 0) return;
  for (std::size_t place = 0; place < starts.size(); ++place) {
    if (starts[place] != kForever) continue;
    const double pace = std::max(static_cast<double>(place) / started, 1.0);
    starts[place] = static_cast<Time>(over * pace);
  }
}

bool is_done(const Future& future, std::size_t place, std::size_t all) {
  return place == kAllOfThem ? future.started_count() == all : future.started(place) != kForever;
}

Imagined imagine(const Queue& queue, const RunHistory& history, const Arrivals& arrivals,
                 std::size_t place, const ForecastOptions& options, Random& random) {
  const Time step = step_of(queue, history, random);
  Arrivals::Future next(arrivals, random, queue.machine.now);
  Future future(queue, &history, random, kShortQueue);
  std::size_t newcomers = 0;
  Imagined out;
  future.schedule();
  while (!is_done(future, place, queue.waiting.size())) {
    const bool more = newcomers < kNewcomers;
    const Time at = std::min(future.next(), more ? next.at() : kForever);
    if (at == kForever) break;
    if (options.enough && options.enough()) {
      out.whole = false;
      break;
    }
    future.advance(std::max(at, future.now() + step));
    for (; next.at() <= future.now() && newcomers < kNewcomers; ++newcomers) {
      future.submit(next.take());
    }
    future.schedule();
  }
  out.starts.reserve(queue.waiting.size());
  for (std::size_t i = 0; i < queue.waiting.size(); ++i) {
    const Time start = future.started(i);
    out.starts.push_back(start == kForever ? kForever : start - queue.machine.now);
  }
  if (!out.whole) go_on_at_this_pace(queue, future, out.starts);
  return out;
}

// The best of what there is: a future that was cut short counts only where it is the first.
std::vector<Imagined> imagine_many(const Queue& queue, const RunHistory& history,
                                   const Arrivals& arrivals, std::size_t place,
                                   const ForecastOptions& options, Random& random) {
  std::vector<Imagined> out;
  const uint32_t samples = samples_for(queue.waiting.size(), options.samples);
  for (uint32_t i = 0; i < samples; ++i) {
    Imagined one = imagine(queue, history, arrivals, place, options, random);
    const bool whole = one.whole;
    if (whole || out.empty()) out.push_back(std::move(one));
    if (!whole) break;
  }
  return out;
}

Time quantile(const std::vector<Time>& sorted, double part) {
  auto place = static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1) + 0.5);
  return sorted[place];
}

// None where it does not start in half of them.
std::optional<Forecast> sum_up(const std::vector<Imagined>& futures, std::size_t place) {
  std::vector<Time> waits;
  for (const Imagined& future : futures) {
    if (future.starts[place] != kForever) waits.push_back(future.starts[place]);
  }
  if (waits.empty() || waits.size() * 2 < futures.size()) return std::nullopt;
  std::sort(waits.begin(), waits.end());
  return Forecast{quantile(waits, 0.5), quantile(waits, 0.9)};
}

constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;

}  // namespace

uint32_t futures_of(const Queue& queue, const ForecastOptions& options) {
  return samples_for(queue.waiting.size(), options.samples);
}

std::optional<Forecast> forecast(const Queue& queue, const RunHistory& history,
                                 const Arrivals& arrivals, std::size_t place,
                                 const ForecastOptions& options) {
  Random random(options.seed * kGolden + queue.waiting[place].job.job_id);
  return sum_up(imagine_many(queue, history, arrivals, place, options, random), place);
}

std::optional<Time> start_by_limits(const Queue& queue, std::size_t place,
                                    const std::function<bool()>& enough) {
  Random random(kGolden);
  Future future(queue, nullptr, random, kShortQueue);
  for (future.schedule(); future.started(place) == kForever; future.schedule()) {
    const Time at = future.next();
    if (at == kForever || enough()) return std::nullopt;
    future.advance(at);
  }
  return future.started(place) - queue.machine.now;
}

Forecasts forecast_all(const Queue& queue, const RunHistory& history, const Arrivals& arrivals,
                       const ForecastOptions& options) {
  Forecasts out;
  if (queue.waiting.empty()) return out;
  Random random(options.seed * kGolden);
  const auto futures = imagine_many(queue, history, arrivals, kAllOfThem, options, random);
  out.futures = static_cast<uint32_t>(futures.size());
  for (std::size_t i = 0; i < queue.waiting.size(); ++i) out.jobs.push_back(sum_up(futures, i));
  return out;
}

}  // namespace grappe::sched
