#include "embedded/act.h"

#include <fmt/core.h>

#include <algorithm>

#include "embedded/arrays.h"
#include "embedded/cancel.h"
#include "embedded/finish.h"
#include "embedded/priority.h"
#include "embedded/steps.h"
#include "embedded/suspend.h"
#include "embedded/view.h"
#include "embedded/waiting.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

constexpr size_t kLongestMessage = 4096;  // of scontrol notify

int suspend_by_hand(Core& core, const Caller& caller, uint32_t job_id) {
  if (!caller.is_operator) return kErrAccessDenied;
  const Job* job = core.state.find(job_id);
  if (job->pending()) return kErrJobPending;
  if (job->finished()) return kErrAlreadyDone;
  if (job->base() == JobState::kSuspended) return 0;
  if (job->state & kStateConfiguring) return kErrDisabled;
  suspend_job(core, job_id);
  return 0;
}

int resume_by_hand(Core& core, const Caller& caller, uint32_t job_id) {
  if (!caller.is_operator) return kErrAccessDenied;
  const Job* job = core.state.find(job_id);
  if (job->pending()) return kErrJobPending;
  if (job->finished()) return kErrAlreadyDone;
  if (job->base() != JobState::kSuspended) return kErrJobNotSuspended;
  if (job->preempt_time) core.state.edit(job_id).preempt_time = 0;
  resume_job(core, job_id);
  return 0;
}

int requeue(Core& core, const v1::JobActionRequest& request, uint32_t job_id, Requeue how) {
  const Job* job = core.state.find(job_id);
  if (request.incomplete() && job->base() == JobState::kCompleted) return 0;
  // --no-requeue is the owner's word: it holds for everybody.
  if (job->spec->has_requeue() && !job->spec->requeue()) return kErrDisabled;
  Status done = requeue_job(core, job_id, how);
  return done ? 0 : done.error().code;
}

// A line for whoever looks at the job: its batch script's stderr, or the salloc or srun that has
// the allocation.
int notify_job(Core& core, uint32_t job_id, const std::string& text) {
  const Job* job = core.state.find(job_id);
  if (job->finished()) return kErrAlreadyDone;
  if (job->spec->batch()) {
    if (job->pending()) return kErrDisabled;
    const exec::StepKey key{job_id, exec::kBatchStep, job->restarts};
    core.after_commit([&core, key, text] {
      core.executor.notify(key, "slurmstepd: error: " + text, exec::NoticeKind::kMessage);
    });
    return 0;
  }
  if (tell_waiters(core, *job, text)) return 0;
  for (const StepPtr& step : core.state.steps_of(job_id)) {
    if (step->end_time) continue;
    core.after_commit([&core, key = key_of(*step), text] {
      core.executor.notify(key, "srun: " + text, exec::NoticeKind::kMessage);
    });
    return 0;
  }
  return kErrDisabled;
}

bool may_reorder(const Core& core, const Caller& caller) {
  return caller.is_operator || core.state.cluster.config.scheduling.parameters.enable_user_top;
}

// The priority that is worked out anew every few minutes stays where it was put by its niceness.
void place_at(Core& core, uint32_t job_id, uint32_t priority) {
  Job& record = core.state.edit(job_id);
  if (core.state.cluster.config.priority.type == "priority/multifactor" &&
      !record.direct_priority) {
    auto spec = std::make_shared<v1::JobSpec>(*record.spec);
    const int64_t nice = int64_t{spec->nice()} - (int64_t{priority} - record.priority);
    spec->set_nice(static_cast<int32_t>(std::clamp<int64_t>(nice, INT32_MIN, INT32_MAX)));
    record.spec = std::move(spec);
  }
  record.priority = priority;
}

// Before all other pending jobs of the same user: takes the highest of their priorities, and each
// of those that were ahead the next lower one. No two of them share one: of equals the older would
// go first, and a second job that is put on top must stay the second.
int to_top(Core& core, uint32_t job_id) {
  const Job* job = core.state.find(job_id);
  if (!job->pending()) return kErrNotPending;
  std::vector<const Job*> ahead;
  for (uint32_t id : core.state.pending()) {
    const Job* other = core.state.find(id);
    const bool counts = other->uid == job->uid && id != job_id && other->priority > 0;
    if (counts && other->priority >= job->priority) ahead.push_back(other);
  }
  if (ahead.empty()) return 0;
  std::stable_sort(ahead.begin(), ahead.end(),
                   [](const Job* a, const Job* b) { return a->priority > b->priority; });
  std::vector<std::pair<uint32_t, uint32_t>> places;
  const uint32_t lowest_top = static_cast<uint32_t>(ahead.size()) + 1;  // 0 would be a hold
  const uint32_t top = std::max(ahead.front()->priority, lowest_top);
  uint32_t last = top;
  for (size_t i = 0; i < ahead.size(); ++i) {
    const uint32_t lower = i + 1 < ahead.size() ? ahead[i + 1]->priority : job->priority;
    const uint32_t left = static_cast<uint32_t>(ahead.size() - i);  // room for those that follow
    last = std::min(std::max(lower, left), last - 1);
    places.emplace_back(ahead[i]->id, last);
  }
  for (auto [id, priority] : places) place_at(core, id, priority);
  place_at(core, job_id, top);
  core.plan_wanted = true;
  return 0;
}

int act_on(Core& core, const Caller& caller, const v1::JobActionRequest& request, uint32_t job_id) {
  const Job* job = core.state.find(job_id);
  if (!job) return kErrInvalidJobId;
  using Request = v1::JobActionRequest;
  bool mine = may_manage(core.state, caller, *job);
  switch (request.action()) {
    case Request::HOLD:
    case Request::HOLD_USER: {
      if (!mine) return kErrUserId;
      bool admin =
          caller.is_operator && caller.uid != job->uid && request.action() == Request::HOLD;
      return hold_job(core, job_id, admin ? Hold::kAdmin : Hold::kUser);
    }
    case Request::RELEASE:
      return mine ? release_job(core, caller, job_id) : int{kErrUserId};
    case Request::REQUEUE:
      return mine ? requeue(core, request, job_id, Requeue::kRun) : int{kErrUserId};
    case Request::REQUEUE_HOLD: {
      const Requeue how = request.special_exit() ? Requeue::kSpecialExit : Requeue::kHold;
      return mine ? requeue(core, request, job_id, how) : int{kErrUserId};
    }
    case Request::SUSPEND:
      return suspend_by_hand(core, caller, job_id);
    case Request::RESUME:
      return resume_by_hand(core, caller, job_id);
    case Request::TOP:
      return mine ? to_top(core, job_id) : int{kErrUserId};
    case Request::NOTIFY:
      return mine ? notify_job(core, job_id, request.message().substr(0, kLongestMessage))
                  : int{kErrUserId};
    default:
      return kErrNotSupported;
  }
}

}  // namespace

int hold_job(Core& core, uint32_t job_id, Hold hold) {
  const Job* job = core.state.find(job_id);
  if (job->finished()) return kErrJobFinished;
  // One that runs is held when it comes back into the queue.
  Job& record = core.state.edit(job_id);
  if (record.hold == Hold::kNone) record.reason_detail.clear();
  record.hold = hold;
  record.priority = 0;
  record.reason = hold == Hold::kAdmin ? Reason::kJobHeldAdmin : Reason::kJobHeldUser;
  return 0;
}

int release_job(Core& core, const Caller& caller, uint32_t job_id) {
  const Job* job = core.state.find(job_id);
  if (job->finished()) return kErrJobFinished;
  if (job->hold == Hold::kAdmin && !caller.is_operator) return kErrAccessDenied;
  if (job->hold == Hold::kNone) return 0;
  Job& record = core.state.edit(job_id);
  record.hold = Hold::kNone;
  record.state &= ~(kStateResvDelHold | kStateSpecialExit);
  record.reason = Reason::kNone;
  record.reason_detail.clear();
  set_priority(core, record);
  core.plan_wanted = true;
  return 0;
}

void on_act(Core& core, const Caller& caller, const v1::JobActionRequest& request,
            Reply<v1::JobsChanged> reply) {
  if (request.action() == v1::JobActionRequest::TOP && !may_reorder(core, caller)) {
    return reply(slurm_fail(kErrAccessDenied));
  }
  v1::JobsChanged response;
  std::vector<std::string> ids(request.job_ids().begin(), request.job_ids().end());
  if (!request.job_name().empty()) {
    std::optional<uint32_t> uid;
    if (request.has_uid()) uid = request.uid();
    ids = jobs_named(core.state, caller, request.job_name(), uid);
  }
  // The first of the list is to be the first of all.
  if (request.action() == v1::JobActionRequest::TOP) std::reverse(ids.begin(), ids.end());
  for (const std::string& id : ids) {
    v1::JobsChanged changed;
    change_each(
        core, id, [&](uint32_t target) { return act_on(core, caller, request, target); }, changed);
    // The place in the queue is the array's, not a task's.
    if (request.action() == v1::JobActionRequest::TOP && changed.outcomes_size() > 0) {
      const v1::JobOutcome& last = changed.outcomes(changed.outcomes_size() - 1);
      v1::JobOutcome& outcome = *response.add_outcomes();
      outcome = last;
      outcome.set_job_id(id);
    } else {
      response.MergeFrom(changed);
    }
  }
  core.answer<v1::JobsChanged>(reply, std::move(response));
}

}  // namespace grappe::embedded
