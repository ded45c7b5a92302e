#include "embedded/waiting.h"

#include "embedded/view.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

bool reached(const Job& job, v1::WaitRequest::Until until) {
  if (job.finished()) return until != v1::WaitRequest::ENDED || !(job.state & kStateCompleting);
  if (job.pending() || until == v1::WaitRequest::ENDED) return false;
  return until == v1::WaitRequest::STARTED || !(job.state & kStateConfiguring);
}

v1::WaitResponse response_of(const Core& core, const Job& job, v1::WaitRequest::Until until,
                             bool timed_out) {
  v1::WaitResponse response;
  if (until == v1::WaitRequest::READY && core.failed_prologs.contains(job.id)) {
    response.set_notice("PrologSlurmctld failed, job killed");
  }
  response.set_timed_out(timed_out);
  fill_job(view_context(core.state.cluster), job, v1::ListJobsRequest::FULL,
           response.mutable_job());
  return response;
}

}  // namespace

void on_wait(Core& core, const Caller& caller, v1::WaitRequest request,
             Reply<v1::WaitResponse> reply) {
  const Job* job = core.state.find(request.job_id());
  if (!job) return core.answer<v1::WaitResponse>(reply, slurm_fail(kErrInvalidJobId));
  if (reached(*job, request.until())) {
    return core.answer<v1::WaitResponse>(reply, response_of(core, *job, request.until(), false));
  }
  core.waiters.emplace(request.job_id(), Waiter{caller.uid, request.until(),
                                                core.now_ms + request.timeout_ms(), reply});
}

void wake_waiters(Core& core, uint32_t job_id) {
  const Job* job = core.state.find(job_id);
  auto [begin, end] = core.waiters.equal_range(job_id);
  for (auto it = begin; it != end;) {
    if (job && !reached(*job, it->second.until)) {
      ++it;
      continue;
    }
    if (job) {
      core.answer<v1::WaitResponse>(it->second.reply,
                                    response_of(core, *job, it->second.until, false));
    } else {
      core.answer<v1::WaitResponse>(it->second.reply, slurm_fail(kErrInvalidJobId));
    }
    it = core.waiters.erase(it);
  }
}

bool tell_waiters(Core& core, const Job& job, const std::string& notice) {
  bool told = false;
  auto [begin, end] = core.waiters.equal_range(job.id);
  for (auto it = begin; it != end;) {
    const Waiter& waiter = it->second;
    if (waiter.until == v1::WaitRequest::STARTED || waiter.uid != job.uid) {
      ++it;
      continue;
    }
    v1::WaitResponse response = response_of(core, job, waiter.until, true);
    response.set_notice(notice);
    core.answer<v1::WaitResponse>(waiter.reply, std::move(response));
    it = core.waiters.erase(it);
    told = true;
  }
  return told;
}

int64_t expire_waiters(Core& core) {
  int64_t next = INT64_MAX;
  for (auto it = core.waiters.begin(); it != core.waiters.end();) {
    if (it->second.deadline_ms > core.now_ms) {
      next = std::min(next, it->second.deadline_ms);
      ++it;
      continue;
    }
    if (const Job* job = core.state.find(it->first)) {
      core.answer<v1::WaitResponse>(it->second.reply,
                                    response_of(core, *job, it->second.until, true));
    } else {
      core.answer<v1::WaitResponse>(it->second.reply, slurm_fail(kErrInvalidJobId));
    }
    it = core.waiters.erase(it);
  }
  return next;
}

}  // namespace grappe::embedded
