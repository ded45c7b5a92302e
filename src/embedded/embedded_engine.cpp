#include "embedded/embedded_engine.h"

#include <future>

#include "base/local_time.h"
#include "base/log.h"
#include "embedded/act.h"
#include "embedded/amend.h"
#include "embedded/books.h"
#include "embedded/cancel.h"
#include "embedded/diag.h"
#include "embedded/exits.h"
#include "embedded/finish.h"
#include "embedded/history.h"
#include "embedded/keeping.h"
#include "embedded/listing.h"
#include "embedded/nodes.h"
#include "embedded/noted.h"
#include "embedded/partition_changes.h"
#include "embedded/partitions.h"
#include "embedded/plan_pass.h"
#include "embedded/priority.h"
#include "embedded/recover.h"
#include "embedded/reservation_records.h"
#include "embedded/reservations.h"
#include "embedded/sampling.h"
#include "embedded/shape.h"
#include "embedded/share_list.h"
#include "embedded/steps.h"
#include "embedded/submit.h"
#include "embedded/timers.h"
#include "embedded/update.h"
#include "embedded/usage.h"
#include "embedded/waiting.h"
#include "embedded/when.h"
#include "embedded/why.h"
#include "model/slurm_error.h"

namespace grappe::embedded {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A pass over the queue that takes longer is one that nobody should wait for.
constexpr int64_t kLongPassUs = 2'000;
// One that is made for everybody who looks.
constexpr int64_t kShortPassUs = 200;

Result<std::unique_ptr<EmbeddedEngine>> EmbeddedEngine::open(Parts parts) {
  std::unique_ptr<EmbeddedEngine> engine(new EmbeddedEngine(std::move(parts)));
  Status recovered = recover(engine->core_);
  if (!recovered) return tl::unexpected(recovered.error());
  engine->note_admin_levels();
  return engine;
}

EmbeddedEngine::EmbeddedEngine(Parts parts)
    : parts_(std::move(parts)),
      state_(parts_.cluster),
      core_(state_, parts_.executor, parts_.store, parts_.site) {
  set_time();
  core_.counters.since = core_.now;
}

EmbeddedEngine::~EmbeddedEngine() {
  stop();
}

void EmbeddedEngine::start() {
  committer_ = std::make_unique<Committer>(
      parts_.store, [this](const std::vector<uint32_t>& created, const Error& error) {
        // The committer waits: what it takes back must not be used meanwhile.
        std::promise<void> done;
        loop_.post([&] {
          take_back(core_, created, error);
          done.set_value();
        });
        done.get_future().wait();
      });
  core_.forecasts.not_before = steady_clock::now() + milliseconds(1'000);  // answers come first
  loop_.start([this](Loop::On thread) { return after_batch(thread); });
  lists_.start();
  plans_.start();
  forecasts_.start();
  reports_.start();
  keeping_.start();
  rolls_.start();
  parts_.executor.listen([this](std::vector<exec::ExecEvent> events) {
    auto task = [this, events = std::move(events)]() mutable {
      set_time();
      for (exec::ExecEvent& event : events) on_exec_event(core_, std::move(event));
    };
    carry_out(std::move(task), Loop::On::kThreadOfEvent);
  });
}

void EmbeddedEngine::stop() {
  stopping_ = true;
  loop_.stop();
  lists_.stop();
  plans_.stop();
  forecasts_.stop();
  reports_.stop();
  keeping_.stop();
  if (committer_) committer_->stop();
  rolls_.stop();
}

void EmbeddedEngine::set_time() {
  core_.now_ms = parts_.now_ms();
  core_.now = core_.now_ms / 1000;
}

// Timers look at every job that the clock concerns: of many not at each little event, but at most a
// tenth of the time. They count in seconds.
void EmbeddedEngine::tick_if_due() {
  const auto now = steady_clock::now();
  const auto due = last_tick_ + microseconds(last_tick_us_ * 9);
  if (now < due) {
    next_tick_ = std::min(next_tick_, due);
    return;
  }
  const int64_t next_ms = on_tick(core_);
  last_tick_ = steady_clock::now();
  last_tick_us_ = std::chrono::duration_cast<microseconds>(last_tick_ - now).count();
  next_tick_ = last_tick_ + milliseconds(std::max<int64_t>(next_ms - core_.now_ms, 1));
}

// A pass that takes long is not made for each little event either, unless a person waits for its
// outcome (srun, salloc).
void EmbeddedEngine::plan_if_due() {
  const bool too_soon = steady_clock::now() - last_plan_ < microseconds(last_plan_us_ * 9);
  if (!too_soon || core_.somebody_waits_for_the_plan()) plan();
}

// He sees his last submission planned.
void EmbeddedEngine::plan_for_who_looks() {
  if (last_plan_us_ <= kShortPassUs) plan();
}

void EmbeddedEngine::plan() {
  if (!core_.plan_wanted || !core_.executor_ready) return;
  const auto now = steady_clock::now();
  core_.plan_wanted = false;
  queue_stands_ = plan_pass(core_);
  last_plan_ = steady_clock::now();
  last_plan_us_ = std::chrono::duration_cast<microseconds>(last_plan_ - now).count();
}

// Hands what changed to the disk, and what follows from it.
void EmbeddedEngine::commit() {
  Batch batch;
  batch.changes = state_.take_changes();
  if (!batch.changes.empty()) add_old_figures(core_, batch.changes);
  batch.effects.swap(core_.effects);
  batch.created.swap(core_.created);
  for (uint32_t id : batch.created) {
    batch.effects.push_back({[this, id] {
                               std::lock_guard lock(confirmed_mutex_);
                               confirmed_.push_back(id);
                             },
                             id});
  }
  if (!batch.changes.empty() || !batch.effects.empty()) committer_->push(std::move(batch));
}

void EmbeddedEngine::forget_confirmed() {
  std::vector<uint32_t> confirmed;
  {
    std::lock_guard lock(confirmed_mutex_);
    confirmed.swap(confirmed_);
  }
  for (uint32_t id : confirmed) core_.unconfirmed.erase(id);
}

// An hour that is over is summed up beside the engine, when all that was decided in it is on disk.
void EmbeddedEngine::roll_up_if_due() {
  if (core_.now < rolled_until_) {
    // The clock was set back: this hour comes once more.
    state_.reroll_from(core_.now);
    rolled_until_ = hour_start(core_.now);
  }
  const int64_t until = hour_start(core_.now);
  if (rolling_ || until <= rolled_until_ || core_.now < roll_again_at_) return;
  rolling_ = true;
  auto done = [this](Result<int64_t> result) {
    constexpr int64_t kPause = 60;
    rolling_ = false;
    if (!result) log_error("{}: it is tried again", result.error().message);
    const bool further = result && *result > rolled_until_;
    if (further) rolled_until_ = *result;
    roll_again_at_ = further ? 0 : core_.now + kPause;
  };
  core_.after_commit([this, until, done] {
    rolls_.post([this, until, done] {
      auto result = parts_.store.roll_up(until);
      loop_.post([done, result = std::move(result)] { done(result); });
    });
  });
}

void EmbeddedEngine::learn_for_forecasts() {
  forecasts_.post([this, now = core_.now] {
    auto past = std::make_shared<const PastForecasts>(read_past_forecasts(parts_.store, now));
    loop_.post([this, past] {
      set_time();
      learn_from_past(core_, *past);
      core_.forecasts.under_way = false;
    });
  });
}

// A thirtieth of one core at most, and no more often than people look.
void EmbeddedEngine::forecast_if_due() {
  ForecastBook& book = core_.forecasts;
  const auto begin = steady_clock::now();
  if (!core_.executor_ready || forecast_due(core_) > begin) return;
  book.under_way = true;
  if (!book.knows_past) return learn_for_forecasts();
  book.wanted = false;
  forecasts_.post([this, begin, view = view_queue(core_)] {
    auto made = std::make_shared<sched::Forecasts>(foresee(*view, stopping_));
    loop_.post([this, begin, view, made] {
      constexpr auto kPause = milliseconds(2'000);
      set_time();
      take_forecasts(core_, *view, *made);
      const auto end = steady_clock::now();
      core_.forecasts.under_way = false;
      core_.forecasts.not_before =
          end + std::max<steady_clock::duration>(kPause, (end - begin) * 30);
    });
  });
}

// Plan, commit, say when to be called again.
steady_clock::time_point EmbeddedEngine::after_batch(Loop::On thread) {
  set_time();
  forget_confirmed();
  tick_if_due();
  // A short pass may start a job with the commit that takes it; on a long one nobody waits.
  if (last_plan_us_ > kLongPassUs) commit();
  // Where nothing could start a moment ago, a client has its answer first.
  const bool answer_first =
      queue_stands_ && thread == Loop::On::kThreadOfRequest && !core_.somebody_waits_for_the_plan();
  if (!answer_first) plan_if_due();
  core_.run_after_plan();
  note_events(core_);
  roll_up_if_due();
  forecast_if_due();
  commit();
  auto next = next_tick_;
  if (core_.executor_ready) next = std::min(next, forecast_due(core_));
  if (core_.plan_wanted && core_.executor_ready) {
    next = std::min(next, last_plan_ + microseconds(last_plan_us_ * 9 + 100));
  }
  return next;
}

PrivateData EmbeddedEngine::hides(const Caller& caller) const {
  return caller.is_operator ? PrivateData() : state_.cluster.config.service.private_data;
}

// The thread that brings requests has other clients: it does not make long plans.
void EmbeddedEngine::carry_out(Loop::Task task, Loop::On thread) {
  if (last_plan_us_ > kLongPassUs) {
    loop_.post(std::move(task));
  } else {
    loop_.run_or_post(std::move(task), thread);
  }
}

template <class T>
void EmbeddedEngine::read(Reply<T> reply, std::function<Result<T>()> handler) {
  carry_out([this, reply = std::move(reply), handler = std::move(handler)] {
    set_time();
    plan_for_who_looks();
    reply(handler());
  });
}

template <class T>
void EmbeddedEngine::write(const Caller& caller, Reply<T> reply,
                           std::function<void(Reply<T>)> handler) {
  std::string trouble = committer_->trouble();
  if (!trouble.empty()) return reply(slurm_fail(kErrWritingFile, trouble));
  carry_out([this, caller, reply = std::move(reply), handler = std::move(handler)] {
    set_time();
    if (const std::string* known = core_.answers.find(caller)) {
      T answer;
      answer.ParseFromString(*known);
      return core_.answer<T>(reply, std::move(answer));
    }
    core_.asking = &caller;
    handler(reply);
    core_.asking = nullptr;
  });
}

void EmbeddedEngine::submit(const Caller& caller, v1::SubmitRequest request,
                            Reply<v1::SubmitResponse> reply) {
  auto shared = std::make_shared<v1::SubmitRequest>(std::move(request));
  write<v1::SubmitResponse>(caller, std::move(reply), [this, caller, shared](auto r) {
    on_submit(core_, caller, std::move(*shared), std::move(r));
  });
}

void EmbeddedEngine::list_jobs(const Caller& caller, v1::ListJobsRequest request,
                               Reply<JobListing> reply) {
  constexpr size_t kShort = 64;  // not worth the other thread
  carry_out([this, caller, request = std::move(request), reply = std::move(reply)]() mutable {
    set_time();
    plan_for_who_looks();
    auto listing = list_of(core_, caller, std::move(request));
    if (!listing || listing->jobs <= kShort) return reply(std::move(listing));
    lists_.post([listing = std::move(*listing), reply = std::move(reply)]() mutable {
      reply(std::move(listing));
    });
  });
}

// Only what the configuration says is the engine's; the books are read beside it.
void EmbeddedEngine::history(const Caller& caller, v1::HistoryRequest request,
                             Reply<HistoryListing> reply) {
  loop_.post([this, caller, request = std::move(request), reply = std::move(reply)]() mutable {
    set_time();
    const Cluster& cluster = state_.cluster;
    std::optional<uid_t> only;
    if (cluster.config.service.private_data.jobs && !caller.is_operator) only = caller.uid;
    lists_.post([this, context = view_context(cluster), now = core_.now, only,
                 request = std::move(request), reply = std::move(reply)] {
      reply(history_of(parts_.store, context, request, now, only));
    });
  });
}

void EmbeddedEngine::books(const Caller& caller, v1::BooksRequest request,
                           Reply<v1::BooksResponse> reply) {
  read<v1::BooksResponse>(std::move(reply), [this, caller, request]() -> Result<v1::BooksResponse> {
    return list_books(core_, caller, request);
  });
}

void EmbeddedEngine::change_books(const Caller& caller, v1::ChangeBooksRequest request,
                                  Reply<v1::ChangeBooksResponse> reply) {
  auto shared = std::make_shared<v1::ChangeBooksRequest>(std::move(request));
  write<v1::ChangeBooksResponse>(caller, std::move(reply), [this, caller, shared](auto r) {
    on_change_books(core_, caller, *shared, std::move(r));
    note_admin_levels();
  });
}

void EmbeddedEngine::transactions(const Caller& caller, v1::TransactionsRequest request,
                                  Reply<v1::TransactionsResponse> reply) {
  lists_.post([this, caller, request = std::move(request), reply = std::move(reply)] {
    reply(transactions_of(parts_.store, caller, request));
  });
}

void EmbeddedEngine::amend_jobs(const Caller& caller, v1::AmendJobsRequest request,
                                Reply<v1::AmendJobsResponse> reply) {
  write<v1::AmendJobsResponse>(caller, std::move(reply), [this, caller, request](auto r) {
    core_.answer<v1::AmendJobsResponse>(r, embedded::amend_jobs(core_, caller, request));
  });
}

// From the moment that all which counts on known contents is committed.
void EmbeddedEngine::archive(const Caller& caller, v1::ArchiveRequest request,
                             Reply<v1::ArchiveResponse> reply) {
  if (!caller.is_administrator) return reply(slurm_fail(kErrAccessDenied));
  loop_.post([this, request = std::move(request), reply = std::move(reply)] {
    set_time();
    state_.forget_contents();
    const std::string name = state_.cluster.config.service.cluster_name;
    core_.after_commit([this, now = core_.now, name, request, reply] {
      keeping_.post([this, now, name, request, reply] {
        reply(archive_jobs(parts_.store, parts_.site.state_dir, name, now, request));
      });
    });
  });
}

void EmbeddedEngine::load_archive(const Caller& caller, v1::LoadArchiveRequest request,
                                  Reply<v1::ArchiveResponse> reply) {
  if (!caller.is_administrator) return reply(slurm_fail(kErrAccessDenied));
  keeping_.post([this, request = std::move(request), reply = std::move(reply)] {
    reply(load_archived(parts_.store, request));
  });
}

void EmbeddedEngine::backup(const Caller& caller, v1::BackupRequest request,
                            Reply<v1::BackupResponse> reply) {
  if (!caller.is_administrator) return reply(slurm_fail(kErrAccessDenied));
  keeping_.post([this, request = std::move(request), reply = std::move(reply)] {
    reply(back_up(parts_.store, parts_.site.state_dir, parts_.now_ms() / 1000, request));
  });
}

void EmbeddedEngine::note_admin_levels() {
  std::map<std::string, v1::AdminLevel> levels;
  for (const auto& [name, user] : state_.books.users()) {
    if (user->admin_level() != v1::ADMIN_NONE && !user->stamp().deleted()) {
      levels[name] = user->admin_level();
    }
  }
  std::lock_guard lock(levels_mutex_);
  levels_ = std::move(levels);
}

v1::AdminLevel EmbeddedEngine::admin_level(const std::string& user) const {
  std::lock_guard lock(levels_mutex_);
  auto found = levels_.find(book_name(user));
  return found == levels_.end() ? v1::ADMIN_NONE : found->second;
}

void EmbeddedEngine::shares(const Caller& caller, v1::SharesRequest request,
                            Reply<v1::SharesResponse> reply) {
  read<v1::SharesResponse>(std::move(reply),
                           [this, caller, request] { return list_shares(core_, caller, request); });
}

void EmbeddedEngine::boosts(const Caller& caller, v1::BoostsRequest,
                            Reply<v1::BoostsResponse> reply) {
  read<v1::BoostsResponse>(std::move(reply), [this, caller]() -> Result<v1::BoostsResponse> {
    return list_boosts(core_, caller);
  });
}

void EmbeddedEngine::change_boost(const Caller& caller, v1::ChangeBoostRequest request,
                                  Reply<v1::BoostsResponse> reply) {
  write<v1::BoostsResponse>(caller, std::move(reply), [this, caller, request](auto r) {
    core_.answer<v1::BoostsResponse>(r, embedded::change_boost(core_, caller, request));
  });
}

void EmbeddedEngine::priorities(const Caller& caller, v1::PrioritiesRequest request,
                                Reply<v1::PrioritiesResponse> reply) {
  read<v1::PrioritiesResponse>(std::move(reply), [this, caller, request] {
    return list_priorities(core_, caller, request);
  });
}

template <class Request, class Response>
void EmbeddedEngine::report(const Caller& caller, Request request, Reply<Response> reply,
                            Result<Response> (*make)(Store&, const ReportContext&,
                                                     const Request&)) {
  loop_.post(
      [this, caller, request = std::move(request), reply = std::move(reply), make]() mutable {
        set_time();
        reports_.post([this, context = report_context(core_, caller), request = std::move(request),
                       reply = std::move(reply),
                       make] { reply(make(parts_.store, context, request)); });
      });
}

void EmbeddedEngine::usage(const Caller& caller, v1::UsageRequest request,
                           Reply<v1::UsageResponse> reply) {
  report(caller, std::move(request), std::move(reply), usage_report);
}

void EmbeddedEngine::job_sizes(const Caller& caller, v1::JobSizesRequest request,
                               Reply<v1::JobSizesResponse> reply) {
  report(caller, std::move(request), std::move(reply), job_sizes_report);
}

void EmbeddedEngine::reservation_usage(const Caller& caller, v1::ReservationUsageRequest request,
                                       Reply<v1::ReservationUsageResponse> reply) {
  report(caller, std::move(request), std::move(reply), reservation_report);
}

void EmbeddedEngine::events(const Caller& caller, v1::EventsRequest request,
                            Reply<v1::EventsResponse> reply) {
  report(caller, std::move(request), std::move(reply), events_report);
}

// What still runs is in memory, the rest is read as the history is.
void EmbeddedEngine::samples(const Caller& caller, v1::SamplesRequest request,
                             Reply<v1::SamplesResponse> reply) {
  loop_.post([this, caller, request = std::move(request), reply = std::move(reply)]() mutable {
    set_time();
    const Job* job = state_.find(request.job_id());
    std::optional<uid_t> only;
    if (state_.cluster.config.service.private_data.jobs && !caller.is_operator) only = caller.uid;
    if (job && only && job->uid != *only) return reply(slurm_fail(kErrInvalidJobId));
    lists_.post([this, running = running_samples(core_, request), only,
                 request = std::move(request), reply = std::move(reply)]() mutable {
      reply(samples_of(parts_.store, request, std::move(running), only));
    });
  });
}

// Each holds a copy of the whole queue until it is answered: not too many at a time.
template <class Response, class Look>
void EmbeddedEngine::plan_beside(Reply<Response> reply, Look look) {
  constexpr int kMostPlans = 8;
  loop_.post([this, look = std::move(look), reply = std::move(reply)] {
    if (plans_waiting_ >= kMostPlans) {
      return reply(fail("many ask why just now: try again in a moment"));
    }
    set_time();
    Result<std::function<Response()>> plan_again = look();
    if (!plan_again) return reply(tl::unexpected<Error>(plan_again.error()));
    ++plans_waiting_;
    plans_.post([this, plan_again = std::move(*plan_again), reply] {
      reply(plan_again());
      --plans_waiting_;
    });
  });
}

void EmbeddedEngine::why(const Caller& caller, v1::WhyRequest request,
                         Reply<v1::WhyResponse> reply) {
  plan_beside(std::move(reply),
              [this, caller, request] { return look_into(core_, caller, request); });
}

void EmbeddedEngine::when(const Caller& caller, v1::WhenRequest request,
                          Reply<v1::WhenResponse> reply) {
  plan_beside(std::move(reply),
              [this, caller, request] { return look_ahead(core_, caller, request); });
}

void EmbeddedEngine::score(const Caller& caller, v1::ScoreRequest request,
                           Reply<v1::ScoreResponse> reply) {
  loop_.post([this, caller, request = std::move(request), reply = std::move(reply)]() mutable {
    set_time();
    const bool privately = state_.cluster.config.service.private_data.jobs && !caller.is_operator;
    lists_.post([this, now = core_.now, only = privately ? caller.user : std::string(),
                 request = std::move(request), reply = std::move(reply)] {
      reply(score_forecasts(parts_.store, request, now, only));
    });
  });
}

void EmbeddedEngine::cancel(const Caller& caller, v1::CancelRequest request,
                            Reply<v1::CancelResponse> reply) {
  write<v1::CancelResponse>(caller, std::move(reply), [this, caller, request](auto r) {
    on_cancel(core_, caller, request, std::move(r));
  });
}

void EmbeddedEngine::update_job(const Caller& caller, v1::UpdateJobRequest request,
                                Reply<v1::JobsChanged> reply) {
  write<v1::JobsChanged>(caller, std::move(reply), [this, caller, request](auto r) {
    on_update_job(core_, caller, request, std::move(r));
  });
}

void EmbeddedEngine::act(const Caller& caller, v1::JobActionRequest request,
                         Reply<v1::JobsChanged> reply) {
  write<v1::JobsChanged>(caller, std::move(reply), [this, caller, request](auto r) {
    on_act(core_, caller, request, std::move(r));
  });
}

void EmbeddedEngine::wait(const Caller& caller, v1::WaitRequest request,
                          Reply<v1::WaitResponse> reply) {
  carry_out([this, caller, request, reply = std::move(reply)] {
    set_time();
    on_wait(core_, caller, request, reply);
  });
}

void EmbeddedEngine::complete(const Caller& caller, v1::CompleteRequest request,
                              Reply<v1::CompleteResponse> reply) {
  write<v1::CompleteResponse>(caller, std::move(reply), [this, caller, request](auto r) {
    const Job* job = state_.find(request.job_id());
    if (!job || !may_change(caller, *job)) {
      return core_.answer<v1::CompleteResponse>(
          r, slurm_fail(job ? kErrAccessDenied : kErrInvalidJobId));
    }
    auto status = static_cast<int>(request.exit_code());
    if (job->pending()) {
      cancel_job(core_, job->id, caller.uid);
    } else {
      end_by_status(core_, job->id, status);
    }
    core_.answer<v1::CompleteResponse>(r, v1::CompleteResponse{});
  });
}

void EmbeddedEngine::script(const Caller& caller, v1::ScriptRequest request,
                            Reply<v1::ScriptResponse> reply) {
  write<v1::ScriptResponse>(caller, std::move(reply), [this, caller, request](auto r) {
    JobPtr job = state_.get(request.job_id());
    if (!job && request.past()) job = last_run_of(parts_.store, request.job_id());
    if (!job) return core_.answer<v1::ScriptResponse>(r, slurm_fail(kErrInvalidJobId));
    if (!may_change(caller, *job)) {
      return core_.answer<v1::ScriptResponse>(r, slurm_fail(kErrAccessDenied));
    }
    if (job->script_key.empty()) {
      return core_.answer<v1::ScriptResponse>(r, slurm_fail(kErrScriptMissing));
    }
    core_.after_commit([this, job, r] {
      v1::ScriptResponse response;
      auto script = parts_.store.content(job->script_key);
      auto environment = parts_.store.content(job->environment_key);
      if (!script) return r(tl::unexpected(script.error()));
      response.set_script(std::move(*script));
      if (environment) response.set_environment(std::move(*environment));
      r(std::move(response));
    });
  });
}

void EmbeddedEngine::create_step(const Caller& caller, v1::CreateStepRequest request,
                                 Reply<v1::CreateStepResponse> reply) {
  auto shared = std::make_shared<v1::CreateStepRequest>(std::move(request));
  write<v1::CreateStepResponse>(caller, std::move(reply), [this, caller, shared](auto r) {
    on_create_step(core_, caller, std::move(*shared), std::move(r));
  });
}

void EmbeddedEngine::update_step(const Caller& caller, v1::UpdateStepRequest request,
                                 Reply<v1::UpdateStepResponse> reply) {
  write<v1::UpdateStepResponse>(caller, std::move(reply), [this, caller, request](auto r) {
    on_update_step(core_, caller, request, std::move(r));
  });
}

void EmbeddedEngine::step_use(const Caller& caller, v1::StepUseRequest request,
                              Reply<v1::StepUseResponse> reply) {
  loop_.post([this, caller, request = std::move(request), reply = std::move(reply)]() mutable {
    set_time();
    on_step_use(core_, caller, std::move(request), std::move(reply));
  });
}

void EmbeddedEngine::nodes(const Caller& caller, v1::NodesRequest request,
                           Reply<v1::NodesResponse> reply) {
  read<v1::NodesResponse>(std::move(reply), [this, caller, request]() -> Result<v1::NodesResponse> {
    if (hides(caller).nodes) return slurm_fail(kErrAccessDenied);
    return list_nodes(core_, request);
  });
}

void EmbeddedEngine::update_node(const Caller& caller, v1::UpdateNodeRequest request,
                                 Reply<v1::Empty> reply) {
  write<v1::Empty>(caller, std::move(reply), [this, caller, request](auto r) {
    Status done = update_nodes(core_, caller, request);
    core_.answer<v1::Empty>(
        r, done ? Result<v1::Empty>(v1::Empty{}) : Result<v1::Empty>(tl::unexpected(done.error())));
  });
}

void EmbeddedEngine::partitions(const Caller& caller, v1::PartitionsRequest request,
                                Reply<v1::PartitionsResponse> reply) {
  read<v1::PartitionsResponse>(std::move(reply),
                               [this, caller, request]() -> Result<v1::PartitionsResponse> {
                                 if (hides(caller).partitions) return slurm_fail(kErrAccessDenied);
                                 return list_partitions(core_, caller, request);
                               });
}

void EmbeddedEngine::change_partition(const Caller& caller, v1::ChangePartitionRequest request,
                                      Reply<v1::Empty> reply) {
  write<v1::Empty>(caller, std::move(reply), [this, caller, request](auto r) {
    Status done = embedded::change_partition(core_, caller, request);
    core_.answer<v1::Empty>(
        r, done ? Result<v1::Empty>(v1::Empty{}) : Result<v1::Empty>(tl::unexpected(done.error())));
  });
}

void EmbeddedEngine::reservations(const Caller& caller, v1::ReservationsRequest request,
                                  Reply<v1::ReservationsResponse> reply) {
  read<v1::ReservationsResponse>(
      std::move(reply), [this, caller, request]() -> Result<v1::ReservationsResponse> {
        return list_reservations(core_, request, hides(caller).reservations ? &caller : nullptr);
      });
}

void EmbeddedEngine::change_reservation(const Caller& caller, v1::ChangeReservationRequest request,
                                        Reply<v1::ChangeReservationResponse> reply) {
  write<v1::ChangeReservationResponse>(caller, std::move(reply), [this, caller, request](auto r) {
    core_.answer<v1::ChangeReservationResponse>(
        r, embedded::change_reservation(core_, caller, request));
  });
}

void EmbeddedEngine::licenses(const Caller&, v1::LicensesRequest request,
                              Reply<v1::LicensesResponse> reply) {
  read<v1::LicensesResponse>(std::move(reply), [this, request]() -> Result<v1::LicensesResponse> {
    v1::LicensesResponse response;
    for (const auto& [name, license] : state_.cluster.licenses) {
      if (!request.name().empty() && request.name() != name) continue;
      v1::LicenseInfo& info = *response.add_licenses();
      info.set_name(name);
      info.set_total(license.total);
      info.set_used(license.used);
      info.set_reserved(license.reserved);
      info.set_remote(license.remote);
    }
    return response;
  });
}

void EmbeddedEngine::config(const Caller&, v1::ConfigRequest, Reply<v1::ConfigResponse> reply) {
  read<v1::ConfigResponse>(std::move(reply), [this]() -> Result<v1::ConfigResponse> {
    v1::ConfigResponse response;
    response.set_now(core_.now);
    response.set_controller("Slurmctld(primary) at " + state_.cluster.host + " is UP");
    parts_.show_config(state_.cluster, response);
    return response;
  });
}

void EmbeddedEngine::reconfigure(const Caller& caller, v1::Empty,
                                 Reply<v1::ReconfigureResponse> reply) {
  if (!caller.is_operator) return reply(slurm_fail(kErrUserId));
  write<v1::ReconfigureResponse>(caller, std::move(reply), [this](auto r) {
    v1::ReconfigureResponse response;
    std::vector<std::string> warnings;
    auto cluster = parts_.reload(warnings);
    if (!cluster) {
      return core_.answer<v1::ReconfigureResponse>(r, tl::unexpected(cluster.error()));
    }
    auto changed = std::move(state_.cluster.partition_changes);
    Status taken = state_.reconfigure(std::move(*cluster));
    if (!taken) {
      state_.cluster.partition_changes = std::move(changed);
      return core_.answer<v1::ReconfigureResponse>(r, tl::unexpected(taken.error()));
    }
    forget_partition_changes(core_, changed);
    state_.refresh_licenses();
    for (std::string& warning : warnings) response.add_warnings(std::move(warning));
    note_cluster(core_);
    forget_arrivals(core_);
    reconfigure_usage(core_);
    recalculate_priorities(core_);
    core_.plan_wanted = true;
    core_.answer<v1::ReconfigureResponse>(r, std::move(response));
  });
}

void EmbeddedEngine::ping(const Caller&, v1::Empty, Reply<v1::PingResponse> reply) {
  read<v1::PingResponse>(std::move(reply), [this]() -> Result<v1::PingResponse> {
    v1::PingResponse response;
    response.set_version("22.05.8");
    response.set_host(state_.cluster.host);
    response.set_now(core_.now);
    response.set_started(core_.counters.since);
    response.set_cluster(state_.cluster.config.service.cluster_name);
    return response;
  });
}

void EmbeddedEngine::diag(const Caller& caller, v1::DiagRequest request,
                          Reply<v1::DiagResponse> reply) {
  if (request.reset() && !caller.is_operator) return reply(slurm_fail(kErrAccessDenied));
  read<v1::DiagResponse>(std::move(reply), [this, request]() -> Result<v1::DiagResponse> {
    return diagnose(core_, committer_->stats(), request.reset());
  });
}

}  // namespace grappe::embedded
