#include "embedded/when.h"

#include <cmath>
#include <map>

#include "base/datetime.h"
#include "embedded/arrays.h"
#include "embedded/eligible.h"
#include "embedded/forecasts.h"
#include "embedded/plan_pass.h"
#include "embedded/priority.h"
#include "embedded/submit.h"
#include "embedded/view.h"
#include "model/slurm_error.h"
#include "sched/plan.h"

namespace grappe::embedded {
namespace {

using std::chrono::steady_clock;

// Everything that the forecast needs, apart from the engine's own state.
struct Question {
  v1::WhenResponse response;  // as far as it is known
  std::shared_ptr<const QueueView> view;
  size_t place = SIZE_MAX;
  sched::Calibration calibration;
};

// As the plan has it: everybody runs until his limit, nobody comes.
int64_t planned_start(const Question& q) {
  const sched::Queue& queue = q.view->queue;
  sched::Snapshot snapshot = queue.machine;
  uint32_t index = UINT32_MAX;
  for (size_t place = 0; place < queue.waiting.size(); ++place) {
    const sched::Waiter& waiter = queue.waiting[place];
    if (waiter.not_before > snapshot.now || !waiter.after.empty() || !waiter.job.copies) continue;
    if (place == q.place) index = static_cast<uint32_t>(snapshot.pending.size());
    snapshot.pending.push_back(waiter.job);
    snapshot.pending.back().tag = place;
  }
  if (index == UINT32_MAX) return 0;
  const sched::Waiting planned = sched::start_of(snapshot, queue.policy, index);
  if (planned.kept || !planned.expected_start) return planned.expected_start;
  // Others may pass it: only running the queue on tells.
  constexpr auto kMost = std::chrono::milliseconds(500);
  const auto enough = [until = steady_clock::now() + kMost] { return steady_clock::now() > until; };
  const auto start = sched::start_by_limits(queue, q.place, enough);
  return start ? snapshot.now + *start : planned.expected_start;
}

v1::WhenResponse answer(const Question& q) {
  constexpr auto kMost = std::chrono::seconds(3);
  v1::WhenResponse out = q.response;
  if (q.place == SIZE_MAX) return out;
  sched::ForecastOptions options;
  options.enough = [until = steady_clock::now() + kMost] { return steady_clock::now() > until; };
  const auto raw =
      sched::forecast(q.view->queue, *q.view->history, *q.view->arrivals, q.place, options);
  out.set_planned_start(planned_start(q));
  out.set_futures(sched::futures_of(q.view->queue, options));
  if (!raw) return out;
  const sched::Forecast told = q.calibration.corrected(*raw);
  out.set_known(true);
  out.set_median(out.now() + told.median);
  out.set_bound(out.now() + told.bound);
  return out;
}

void ask(const Core& core, const Job& job, const State::Entry* extra, Question& q) {
  v1::WhenResponse& out = q.response;
  const Eligibility now = eligible(core.state, job, core.now);
  if (now.reason != Reason::kNone) {
    out.set_reason(std::string(reason_name(now.reason)));
    out.set_detail(now.detail);
  }
  const ForecastBook& book = core.forecasts;
  out.set_runs(static_cast<uint32_t>(book.history->recent(job.uid).size()));
  out.set_scored(book.scored);
  if (book.scored) {
    out.set_covered(static_cast<double>(book.covered) / static_cast<double>(book.scored));
  }
  q.calibration = book.calibration;
  q.view = view_queue(core, extra);
  q.place = q.view->place_of(extra ? kNotSubmitted : job.id);
}

Status ask_of_wish(Core& core, const Caller& caller, const v1::JobSpec& spec, Question& q) {
  auto admitted = weigh(core, caller, spec, Admitting::kTest);
  if (!admitted) return tl::unexpected<Error>(admitted.error());
  if (admitted->waits_for) {
    return slurm_fail(static_cast<int>(admitted->waits_for), "as it is, it would never start");
  }
  State::Entry entry;
  set_priority(core, admitted->job);
  entry.job = std::make_shared<Job>(std::move(admitted->job));
  entry.shape = std::make_shared<const sched::Shape>(std::move(admitted->shape));
  entry.limits = core.state.place_for(*entry.job);
  ask(core, *entry.job, &entry, q);
  return {};
}

struct Sums {
  uint64_t forecasts = 0, open = 0, covered = 0;
  double wait = 0, error = 0;

  void add(const ForecastRow& row) {
    if (row.start == ForecastRow::kWaits) ++open;
    if (row.start <= 0) return;
    ++forecasts;
    wait += static_cast<double>(row.start - row.made);
    error += std::abs(static_cast<double>(row.start - row.median));
    if (row.start <= row.bound) ++covered;
  }
};

std::string group_of(const ForecastRow& row, v1::ScoreRequest::By by) {
  switch (by) {
    case v1::ScoreRequest::USER:
      return row.user;
    case v1::ScoreRequest::PARTITION:
      return row.partition;
    case v1::ScoreRequest::DAY:
      return format_datetime(row.made).substr(0, 10);
    default:
      return "";
  }
}

}  // namespace

Result<std::function<v1::WhenResponse()>> look_ahead(Core& core, const Caller& caller,
                                                     const v1::WhenRequest& request) {
  const State& state = core.state;
  auto q = std::make_shared<Question>();
  q->response.set_now(core.now);
  if (request.has_spec()) {
    Status asked = ask_of_wish(core, caller, request.spec(), *q);
    if (!asked) return tl::unexpected<Error>(asked.error());
    return [q] { return answer(*q); };
  }
  std::optional<uint32_t> task;
  if (request.has_array_task_id()) task = request.array_task_id();
  const JobPtr job = job_or_task(state, request.job_id(), task);
  const bool privately = state.cluster.config.service.private_data.jobs && !caller.is_operator;
  if (!job || (privately && job->uid != caller.uid)) return slurm_fail(kErrInvalidJobId);
  fill_job(view_context(state.cluster), *job, v1::ListJobsRequest::BRIEF,
           q->response.mutable_job());
  if (job->pending()) ask(core, *job, nullptr, *q);
  return [q] { return answer(*q); };
}

Result<v1::ScoreResponse> score_forecasts(Store& store, v1::ScoreRequest request, int64_t now,
                                          const std::string& only) {
  std::map<std::string, Sums> groups;
  if (request.by() == v1::ScoreRequest::ALL) groups[""] = {};
  const int64_t end = request.end() ? request.end() : now + 1;
  Status read = store.each_forecast(request.start(), end, SIZE_MAX, [&](const ForecastRow& row) {
    if (!only.empty() && row.user != only) return;
    if (!request.user().empty() && row.user != request.user()) return;
    if (!request.partition().empty() && row.partition != request.partition()) return;
    groups[group_of(row, request.by())].add(row);
  });
  if (!read) return tl::unexpected<Error>(read.error());
  v1::ScoreResponse out;
  for (const auto& [name, sums] : groups) {
    v1::ScoreRow& row = *out.add_rows();
    row.set_name(name);
    row.set_forecasts(sums.forecasts);
    row.set_open(sums.open);
    if (sums.forecasts == 0) continue;
    const auto count = static_cast<double>(sums.forecasts);
    row.set_mean_wait(sums.wait / count);
    row.set_mean_error(sums.error / count);
    row.set_covered(static_cast<double>(sums.covered) / count);
  }
  return out;
}

}  // namespace grappe::embedded
