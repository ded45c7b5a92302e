#include "embedded/forecasts.h"

#include <algorithm>

#include "base/log.h"
#include "embedded/core.h"
#include "embedded/eligible.h"
#include "embedded/plan_pass.h"
#include "embedded/shape.h"
#include "embedded/snapshot.h"

namespace grappe::embedded {
namespace {

using std::chrono::steady_clock;

constexpr size_t kRecentJobs = 5000;       // read at the start
constexpr size_t kRecentArrivals = 1000;   // of them
constexpr size_t kRecentForecasts = 2000;  // the same
constexpr double kMostAtOnce = 200;        // rows that are written down at once
constexpr double kSecondsEach = 10;

// Replaced, not changed, while a forecast that is being made holds it.
template <class T>
T& own(std::shared_ptr<T>& shared) {
  if (shared.use_count() > 1) shared = std::make_shared<T>(*shared);
  return *shared;
}

sched::Time limit_of(const Job& job) {
  const uint32_t minutes = job.settled.time_limit;
  return minutes == kInfinite ? sched::kForever : sched::Time{minutes} * 60;
}

// How long it ran says something of the next one: not where others ended it.
void learn_run(ForecastBook& book, const Job& job, int64_t end) {
  if (job.start_time == 0 || end <= job.start_time || job.allocation.empty()) return;
  const JobState state = job.base();
  if (state == JobState::kNodeFail || state == JobState::kPreempted) return;
  own(book.history).add(job.uid, end - job.start_time - job.suspended_s, limit_of(job));
}

void score(ForecastBook& book, const ForecastRow& row) {
  ++book.scored;
  if (row.start <= row.bound) ++book.covered;
  book.calibration.add({row.raw_median - row.made, row.raw_bound - row.made}, row.start - row.made);
}

sched::Arrival arrival_of(const State& state, const State::Entry& entry, int64_t now) {
  sched::Arrival out{pending_view(state, entry, 0, now), entry.shape, nullptr};
  // What may be another thing when the like of it comes again: its limits, its reservation.
  out.job.chains = {};
  out.job.tres = nullptr;
  out.job.reservation = UINT32_MAX;
  out.job.deadline = 0;
  out.job.copies = std::max(out.job.copies, 1u);
  return out;
}

// Jobs that are over, as they came.
void learn_arrival(Core& core, const Job& past) {
  auto shape = shape_of(core.state.cluster, past);
  if (!shape) return;
  State::Entry entry;
  entry.job = std::make_shared<Job>(past);
  entry.shape = std::make_shared<const sched::Shape>(std::move(*shape));
  own(core.forecasts.arrivals).add(arrival_of(core.state, entry, core.now));
}

// As if each had to be over, however it ends.
std::vector<uint32_t> awaited(const State& state, const Job& job) {
  std::vector<uint32_t> out;
  for (const Dependency& item : job.dependency.items) {
    if (item.kind != DependencyKind::kSingleton) {
      out.push_back(item.job_id);
      continue;
    }
    for (uint32_t id : state.namesakes(job)) {
      if (id < job.id) out.push_back(id);
    }
  }
  return out;
}

// What has to happen before it counts: nothing, a moment, the end of others; or it is not known.
bool joins_queue(const State& state, const Eligibility& now, const Job& job,
                 sched::Waiter& waiter) {
  if (now.reason == Reason::kNone) return true;
  waiter.not_before = now.again_at;
  if (now.reason == Reason::kJobArrayTaskLimit) return job.waiting != nullptr;
  if (now.reason == Reason::kDependency) waiter.after = awaited(state, job);
  return now.again_at > 0 || !waiter.after.empty();
}

void add_waiter(const Core& core, const State::Entry& entry, QueueView& view) {
  const Job& job = *entry.job;
  sched::Waiter waiter;
  if (!joins_queue(core.state, eligible(core.state, job, core.now), job, waiter)) return;
  waiter.job = pending_view(core.state, entry, 0, core.now);
  if (job.waiting) {
    waiter.job.copies = startable_tasks(core.state, job);
    waiter.more = job.waiting->count() - std::min(waiter.job.copies, job.waiting->count());
    waiter.group = job.array_job_id;
  }
  view.shapes.push_back(entry.shape);
  if (entry.limits) view.tres.push_back(entry.limits->tres);
  view.queue.waiting.push_back(std::move(waiter));
}

// It has an own place in the queue already, or its first forecast is an old one.
bool may_write(const ForecastBook& book, const Job& job) {
  auto known = book.open.find(job.id);
  return known == book.open.end() || known->second.restarts != job.restarts;
}

void write_down(Core& core, const Job& job, const sched::Forecast& raw,
                const CurrentForecasts::When& told, int64_t made) {
  ForecastRow row;
  row.job_id = job.id;
  row.restarts = job.restarts;
  row.made = made;
  row.user = job.user;
  row.partition = job.partitions.front();
  row.median = told.median;
  row.bound = told.bound;
  row.raw_median = made + raw.median;
  row.raw_bound = made + raw.bound;
  core.state.save_forecast(row);
  core.forecasts.open[job.id] = std::move(row);
}

}  // namespace

PastForecasts read_past_forecasts(Store& store, int64_t now) {
  PastForecasts past;
  const Status jobs =
      store.each_recent_job(kRecentJobs, [&](const Job& job) { past.jobs.push_back(job); });
  auto by_submission = [](const Job& a, const Job& b) { return a.submit_time < b.submit_time; };
  std::stable_sort(past.jobs.begin(), past.jobs.end(), by_submission);
  const Status rows =
      store.each_forecast(now - kForecastsKept, INT64_MAX, kRecentForecasts,
                          [&](const ForecastRow& row) { past.rows.push_back(row); });
  std::reverse(past.rows.begin(), past.rows.end());
  for (const Status& read : {jobs, rows}) {
    if (!read) log_warn("forecasts begin without what was known: {}", read.error().message);
  }
  return past;
}

void learn_from_past(Core& core, const PastForecasts& past) {
  ForecastBook& book = core.forecasts;
  for (const Job& job : past.jobs) learn_run(book, job, job.end_time);
  const size_t old = past.jobs.size() - std::min(past.jobs.size(), kRecentArrivals);
  for (size_t i = old; i < past.jobs.size(); ++i) learn_arrival(core, past.jobs[i]);
  for (ForecastRow row : past.rows) {
    const Job* job = core.state.find(row.job_id);
    const bool its_run = job && job->restarts == row.restarts;
    if (row.start == ForecastRow::kWaits && its_run && job->pending()) {
      book.open[row.job_id] = row;
    } else if (row.start == ForecastRow::kWaits && its_run && job->start_time) {
      // It started before anybody knew of its forecast.
      row.start = job->start_time;
      core.state.save_forecast(row);
    }
    if (row.start > 0) score(book, row);
  }
  book.allowed_at = core.now;
  book.knows_past = true;
}

void note_arrival(Core& core, uint32_t job_id) {
  core.state.for_entry(job_id, [&](const State::Entry& entry) {
    own(core.forecasts.arrivals).add(arrival_of(core.state, entry, core.now));
  });
}

void note_run(Core& core, const Job& job) {
  learn_run(core.forecasts, job, core.now);
}

void note_start(Core& core, const Job& record) {
  auto found = core.forecasts.open.find(record.id);
  if (found == core.forecasts.open.end()) return;
  ForecastRow row = std::move(found->second);
  core.forecasts.open.erase(found);
  if (row.restarts != record.restarts) return;
  row.start = core.now;
  score(core.forecasts, row);
  core.state.save_forecast(std::move(row));
}

void note_no_start(Core& core, const Job& record) {
  auto found = core.forecasts.open.find(record.id);
  if (found == core.forecasts.open.end()) return;
  found->second.start = ForecastRow::kNever;
  core.state.save_forecast(std::move(found->second));
  core.forecasts.open.erase(found);
}

void forget_arrivals(Core& core) {
  core.forecasts.arrivals = std::make_shared<sched::Arrivals>();
}

size_t QueueView::place_of(uint32_t id) const {
  auto found = std::find(ids.begin(), ids.end(), id);
  return found == ids.end() ? SIZE_MAX : static_cast<size_t>(found - ids.begin());
}

std::shared_ptr<const QueueView> view_queue(const Core& core, const State::Entry* extra) {
  const State& state = core.state;
  auto view = std::make_shared<QueueView>();
  view->queue.machine = snapshot_of(state, {}, core.now);
  view->queue.policy = policy_of(state.cluster);
  view->history = core.forecasts.history;
  view->arrivals = core.forecasts.arrivals;
  view->queue.waiting.reserve(state.pending_count());
  state.for_each_pending([&](const State::Entry& entry) { add_waiter(core, entry, *view); });
  if (extra) {
    const size_t before = view->queue.waiting.size();
    add_waiter(core, *extra, *view);
    if (view->queue.waiting.size() > before) view->queue.waiting.back().job.job_id = kNotSubmitted;
  }
  for (const sched::RunningJob& running : view->queue.machine.running) {
    const auto id = static_cast<uint32_t>(running.tag);
    view->queue.groups.push_back(state.find(id)->array_job_id);
    if (const LimitPlace* place = state.place(id)) view->tres.push_back(place->tres);
  }
  // Those that have ended and are being cleaned up are as good as gone.
  for (sched::RunningJob& running : view->queue.machine.running) {
    const Job& job = *state.find(static_cast<uint32_t>(running.tag));
    running.leaving = running.leaving || job.finished();
  }
  sched::settle(view->queue);
  for (const sched::Waiter& waiter : view->queue.waiting) view->ids.push_back(waiter.job.job_id);
  return view;
}

sched::Forecasts foresee(const QueueView& view, const std::atomic<bool>& stopping) {
  constexpr auto kMost = std::chrono::seconds(3);
  sched::ForecastOptions options;
  options.samples = 30;
  options.enough = [&stopping, until = steady_clock::now() + kMost] {
    return stopping || steady_clock::now() > until;
  };
  return sched::forecast_all(view.queue, *view.history, *view.arrivals, options);
}

void take_forecasts(Core& core, const QueueView& view, const sched::Forecasts& made) {
  ForecastBook& book = core.forecasts;
  auto next = std::make_shared<CurrentForecasts>();
  next->made = view.queue.machine.now;
  book.allowance = std::min(
      kMostAtOnce, book.allowance + static_cast<double>(core.now - book.allowed_at) / kSecondsEach);
  book.allowed_at = core.now;
  // The newest first: the earlier a job's forecast is made, the more it says.
  std::vector<std::pair<uint32_t, size_t>> order;
  for (size_t place = 0; place < made.jobs.size(); ++place)
    order.push_back({view.ids[place], place});
  std::sort(order.rbegin(), order.rend());
  for (const auto& [id, place] : order) {
    const Job* job = core.state.find(id);
    if (!made.jobs[place] || !job || !job->pending()) continue;
    const sched::Forecast told = book.calibration.corrected(*made.jobs[place]);
    const CurrentForecasts::When when{next->made + told.median, next->made + told.bound};
    next->jobs[id] = when;
    if (book.allowance < 1 || !may_write(book, *job)) continue;
    book.allowance -= 1;
    write_down(core, *job, *made.jobs[place], when, next->made);
  }
  book.current = std::move(next);
}

steady_clock::time_point forecast_due(const Core& core) {
  const ForecastBook& book = core.forecasts;
  if (book.under_way) return steady_clock::time_point::max();
  if (!book.knows_past) return book.not_before;
  if (core.state.pending_count() == 0) return steady_clock::time_point::max();
  constexpr auto kOld = std::chrono::minutes(2);
  return book.wanted ? book.not_before : book.not_before + kOld;
}

}  // namespace grappe::embedded
