#include "embedded/cancel.h"

#include <signal.h>

#include <algorithm>

#include "base/text.h"
#include "embedded/arrays.h"
#include "embedded/books.h"
#include "embedded/finish.h"
#include "embedded/notice.h"
#include "embedded/view.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

bool any_of(const auto& list, const auto& value) {
  return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
}

bool state_matches(const Job& job, const v1::CancelRequest& request) {
  if (request.states().empty()) return true;
  return std::any_of(request.states().begin(), request.states().end(), [&](uint32_t wanted) {
    return wanted > kStateBaseMask ? (job.state & wanted) != 0
                                   : (job.state & kStateBaseMask) == wanted;
  });
}

bool on_a_node(const Job& job, const v1::CancelRequest& request) {
  if (request.nodes().empty()) return true;
  return std::any_of(job.allocation.begin(), job.allocation.end(),
                     [&](const auto& share) { return any_of(request.nodes(), share.name); });
}

bool matches(const Job& job, const v1::CancelRequest& request) {
  auto given = [](const std::string& wanted, const std::string& is) {
    return wanted.empty() || wanted == is;
  };
  bool in_partition =
      request.partition().empty() || std::find(job.partitions.begin(), job.partitions.end(),
                                               request.partition()) != job.partitions.end();
  return in_partition && any_of(request.uids(), job.uid) && given(request.account(), job.account) &&
         given(request.qos(), job.qos) && given(request.name(), job.spec->name()) &&
         given(request.reservation(), job.spec->reservation()) &&
         given(request.wckey(), job.wckey) && state_matches(job, request) &&
         on_a_node(job, request);
}

// A signal for a running job. Without flags it goes to the steps, not to the batch shell.
void tell_of_signal(Core& core, const Step& step, const Job& job, int number) {
  if (number == SIGKILL) tell_end(core, step, job.state, exec::NoticeKind::kEnd);
  if (number == SIGTERM) tell_end(core, step, job.state, exec::NoticeKind::kMessage);
}

void send_signal(Core& core, const Job& job, const v1::CancelRequest& request) {
  for (const StepPtr& step : core.state.steps_of(job.id)) {
    if (step->end_time) continue;
    bool batch = step->step_id == exec::kBatchStep;
    bool wanted = request.full() || (request.batch_only() ? batch : !batch);
    if (!wanted) continue;
    auto target = !batch                                    ? exec::SignalTarget::kTasks
                  : request.batch_only() && !request.full() ? exec::SignalTarget::kBatchShell
                                                            : exec::SignalTarget::kEverything;
    exec::StepKey key = key_of(*step);
    int number = request.signal() ? request.signal() : SIGKILL;
    tell_of_signal(core, *step, job, number);
    core.after_commit([&core, key, number, target] { core.executor.signal(key, number, target); });
  }
}

int cancel_one(Core& core, const Caller& caller, const JobSelection& selection,
               const v1::CancelRequest& request) {
  const Job* job = core.state.find(selection.job_id);
  if (!job) return kErrInvalidJobId;
  if (!may_manage(core.state, caller, *job)) return kErrAccessDenied;
  if (job->finished()) return kErrAlreadyDone;
  bool ends = request.signal() == 0 || request.signal() == SIGKILL;
  if (!selection.tasks.empty() && ends) {
    cancel_tasks(core, selection.job_id, selection.tasks, caller.uid);
    return 0;
  }
  if (job->pending()) {
    if (!ends) return kErrTryLater;
    cancel_job(core, selection.job_id, caller.uid);
    return 0;
  }
  if (ends && !request.batch_only()) {
    cancel_job(core, selection.job_id, caller.uid);
  } else {
    send_signal(core, *job, request);
  }
  return 0;
}

int cancel_step(Core& core, const Caller& caller, uint32_t job_id, const std::string& name,
                const v1::CancelRequest& request) {
  const Job* job = core.state.find(job_id);
  if (!job) return kErrInvalidJobId;
  if (!may_manage(core.state, caller, *job)) return kErrAccessDenied;
  for (const StepPtr& step : core.state.steps_of(job_id)) {
    if (step_name(step->step_id) != name) continue;
    if (step->end_time) return kErrAlreadyDone;
    if (request.dry_run()) return 0;
    exec::StepKey key = key_of(*step);
    int number = request.signal() ? request.signal() : SIGKILL;
    tell_of_signal(core, *step, *job, number);
    auto target = number == SIGKILL ? exec::SignalTarget::kEverything : exec::SignalTarget::kTasks;
    core.after_commit([&core, key, number, target] { core.executor.signal(key, number, target); });
    return 0;
  }
  return kErrInvalidJobId;
}

void add_outcome(v1::CancelResponse& response, const std::string& id, int error) {
  v1::JobOutcome& outcome = *response.add_outcomes();
  outcome.set_job_id(id);
  outcome.set_error(static_cast<uint32_t>(error));
  if (error) outcome.set_message(slurm_error_text(error));
}

// For the question before it is done (--interactive).
void describe(const Core& core, const Job& job, v1::JobOutcome& outcome) {
  fill_job(view_context(core.state.cluster), job, v1::ListJobsRequest::BRIEF,
           outcome.mutable_job());
}

void cancel_named_step(Core& core, const Caller& caller, const std::string& text, size_t dot,
                       const v1::CancelRequest& request, v1::CancelResponse& response) {
  auto selected = select_jobs(core.state, text.substr(0, dot));
  if (!selected) return add_outcome(response, text, kErrInvalidJobId);
  const uint32_t job_id = selected->front().job_id;
  int error = cancel_step(core, caller, job_id, text.substr(dot + 1), request);
  add_outcome(response, text, error);
  const Job* job = core.state.find(job_id);
  if (request.dry_run() && job) {
    describe(core, *job, *response.mutable_outcomes(response.outcomes_size() - 1));
  }
}

void cancel_named(Core& core, const Caller& caller, const std::string& text,
                  const v1::CancelRequest& request, v1::CancelResponse& response) {
  size_t dot = text.find('.');
  if (dot != std::string::npos) {
    return cancel_named_step(core, caller, text, dot, request, response);
  }
  auto selected = select_jobs(core.state, text);
  if (!selected) return add_outcome(response, text, kErrInvalidJobId);
  int error = 0;
  size_t already_done = 0;
  for (const JobSelection& selection : *selected) {
    const Job* job = core.state.find(selection.job_id);
    if (job && !matches(*job, request)) continue;
    if (request.dry_run()) {
      add_outcome(response, text, !job || job->finished() ? kErrInvalidJobId : 0);
      if (job) describe(core, *job, *response.mutable_outcomes(response.outcomes_size() - 1));
      continue;
    }
    int one = cancel_one(core, caller, selection, request);
    if (one == kErrAlreadyDone) {
      ++already_done;
    } else if (one) {
      error = one;
    }
  }
  if (already_done == selected->size() && already_done > 0) error = kErrAlreadyDone;
  if (!request.dry_run()) add_outcome(response, text, error);
}

}  // namespace

bool may_change(const Caller& caller, const Job& job) {
  return caller.is_operator || caller.uid == job.uid;
}

bool may_manage(const State& state, const Caller& caller, const Job& job) {
  return may_change(caller, job) ||
         (!job.account.empty() &&
          coordinates(state.books, role_of(caller), state.cluster.config.service.cluster_name,
                      job.account));
}

void on_cancel(Core& core, const Caller& caller, const v1::CancelRequest& request,
               Reply<v1::CancelResponse> reply) {
  v1::CancelResponse response;
  for (const std::string& text : request.job_ids()) {
    cancel_named(core, caller, text, request, response);
  }
  if (request.filtered()) {
    std::vector<uint32_t> candidates = core.state.pending();
    candidates.insert(candidates.end(), core.state.active().begin(), core.state.active().end());
    for (uint32_t id : candidates) {
      const Job* job = core.state.find(id);
      if (!job || job->finished() || !matches(*job, request)) continue;
      if (request.dry_run()) {
        v1::JobOutcome& outcome = *response.add_outcomes();
        outcome.set_job_id(std::to_string(id));
        describe(core, *job, outcome);
      } else {
        add_outcome(response, std::to_string(id), cancel_one(core, caller, {id, {}}, request));
      }
    }
  }
  core.answer<v1::CancelResponse>(reply, std::move(response));
}

}  // namespace grappe::embedded
