#include "cli/srun/allocation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/datetime.h"
#include "base/text.h"
#include "cli/options/job_request.h"
#include "cli/srun/long_call.h"
#include "model/job_state.h"
#include "model/slurm_error.h"

namespace grappe {
namespace {

using std::chrono::milliseconds;

// How long the service holds an answer; it is asked again then.
constexpr uint32_t kHoldMs = 30'000;
// A step that was granted to nobody blocks others: ask in short turns.
constexpr uint32_t kStepHoldMs = 1'000;
// Before it says that it waits: the step of an srun that has just ended may still hold its CPUs.
constexpr uint32_t kStepQuietMs = 250;

// What Slurm's srun exits with when the tasks of its step can't be bound.
constexpr int kExitNotLaunched = 192;

// The job is not one that steps can run in.
bool is_no_allocation(int code) {
  return code == kErrInvalidJobId || code == kErrAlreadyDone || code == kErrJobPending ||
         code == kErrAccessDenied;
}

}  // namespace

bool cancel_by_id(Calls& calls, const std::string& id) {
  v1::CancelRequest request;
  request.add_job_ids(id);
  return calls.call<v1::CancelResponse>("Jobs/Cancel", request).has_value();
}

void Allocator::cancel(const std::string& id) {
  if (!cancel_by_id(service_.calls, id)) report_.error("Unable to cancel job " + id);
}

int Allocator::refused(const Error& error, const v1::SubmitRequest& request) {
  const bool no_answer = error.code == kErrContactConnect || error.code < 1000;
  // Slurm's srun finds an unknown generic resource by itself, before it asks for anything.
  const bool early = error.code == kErrInvalidGres;
  if (request.test_only() && !no_answer && !early) {
    // Of what the service adds, Slurm says in this case only which partition there is not, and
    // which limit is in the way.
    if (error.code == kErrInvalidPartition || error.code == kErrAccountingPolicy) {
      for (const std::string& note : error.notes) report_.error(note);
    }
    std::fprintf(stderr, "allocation failure: %s\n", error.message.c_str());
    return 1;
  }
  report_.error(error, early ? "" : "Unable to allocate resources: ");
  const bool immediate = error.code == kErrNodesBusy || error.code == kErrCanNotStartImmediately;
  return immediate ? error_exit_code(report_, "SLURM_EXIT_IMMEDIATE") : error_exit_;
}

OrExit<v1::JobInfo> Allocator::allocate(const v1::SubmitRequest& request) {
  auto answer = service_.calls.call<v1::SubmitResponse>("Jobs/Submit", request, service_.patience);
  if (!answer) return tl::unexpected(refused(answer.error(), request));
  for (const std::string& note : answer->notes()) report_.info(note);
  if (request.test_only()) {
    report_.info(
        fmt::format("Job {} to start at {} using {} processors on nodes {} in partition {}",
                    answer->job_id(), format_datetime(answer->start_time()), answer->cpus(),
                    answer->nodes(), answer->partition()));
    return tl::unexpected(0);
  }
  if (answer->started()) return ready(std::move(*answer->mutable_job()));
  if (answer->rc() != 0) report_.info(slurm_error_text(static_cast<int>(answer->rc())));
  report_.info(fmt::format("job {} queued and waiting for resources", answer->job_id()));
  std::optional<uint32_t> immediate_s;
  if (request.spec().has_immediate_s()) immediate_s = request.spec().immediate_s();
  auto job = wait_for(answer->job_id(), v1::WaitRequest::STARTED, immediate_s);
  if (!job) return job;
  const JobState state = base_state(job->state());
  if (!is_finished(state)) {
    report_.info(fmt::format("job {} has been allocated resources", answer->job_id()));
    return ready(std::move(*job));
  }
  if (state == JobState::kCancelled || state == JobState::kDeadline) {
    report_.info("Job has been cancelled");
  }
  report_.error("Unable to allocate resources: " + slurm_error_text(kErrAlreadyDone));
  return tl::unexpected(error_exit_);
}

// When its nodes are prepared: PrologSlurmctld may still run.
OrExit<v1::JobInfo> Allocator::ready(v1::JobInfo job) {
  if (!(job.state() & kStateConfiguring)) return job;
  auto prepared = wait_for(job.job_id(), v1::WaitRequest::READY, std::nullopt);
  if (!prepared || !is_finished(base_state(prepared->state()))) return prepared;
  report_.error("Nodes " + job.nodes() + " are still not ready");
  report_.error("Something is wrong with the boot of the nodes.");
  return tl::unexpected(error_exit_);
}

OrExit<v1::JobInfo> Allocator::wait_for(uint32_t job_id, v1::WaitRequest::Until until,
                                        std::optional<uint32_t> immediate_s) {
  v1::WaitRequest wait;
  wait.set_job_id(job_id);
  wait.set_until(until);
  wait.set_timeout_ms(kHoldMs);
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::seconds(immediate_s.value_or(0));
  const auto patience = [&] {
    if (!immediate_s) return milliseconds(-1);
    return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(deadline - Clock::now()));
  };
  for (;;) {
    v1::WaitResponse answer;
    LongCall call(service_.waiting, "Jobs/Wait", wait, answer,
                  milliseconds(kHoldMs) + service_.patience);
    LongCall::Event event;
    while ((event = call.wait(signals_.fd(), patience())) == LongCall::Event::kSignal) {
      while (auto number = signals_.next()) {
        if (asks_to_stop(*number)) return tl::unexpected(revoked(job_id));
      }
    }
    if (event == LongCall::Event::kTimeout) return tl::unexpected(too_late(job_id));
    if (!call.outcome()) {
      report_.error(call.outcome().error(), "Unable to allocate resources: ");
      return tl::unexpected(error_exit_);
    }
    if (!answer.notice().empty()) report_.info(answer.notice());
    if (!answer.timed_out()) return std::move(*answer.mutable_job());
  }
}

int Allocator::revoked(uint32_t job_id) {
  cancel(std::to_string(job_id));
  report_.info(fmt::format("Job allocation {} has been revoked", job_id));
  report_.info(fmt::format("Force Terminated JobId={}", job_id));
  return error_exit_;
}

int Allocator::too_late(uint32_t job_id) {
  cancel(std::to_string(job_id));
  report_.error("Unable to allocate resources: " + slurm_error_text(kErrNodesBusy));
  return std::getenv("SLURM_EXIT_IMMEDIATE") ? error_exit_code(report_, "SLURM_EXIT_IMMEDIATE")
                                             : error_exit_;
}

int Allocator::no_step(const Error& error, uint32_t job_id) {
  if (is_no_allocation(error.code)) {
    report_.error(
        error.code == kErrAlreadyDone
            ? fmt::format("Slurm job {} has expired", job_id)
            : fmt::format("Unable to confirm allocation for job {}: {}", job_id, error.message));
    report_.info(
        fmt::format("Check SLURM_JOB_ID environment variable. Expired or invalid job {}", job_id));
  } else if (error.code == kErrCpuBind) {
    report_.error(error);
    report_.info("Job step aborted");
    return kExitNotLaunched;
  } else {
    report_.error(error, error.code == kErrContactConnect
                             ? ""
                             : fmt::format("Unable to create step for job {}: ", job_id));
  }
  return error_exit_;
}

OrExit<v1::CreateStepResponse> Allocator::create_step(v1::CreateStepRequest request,
                                                      std::optional<uint32_t> immediate_s) {
  const uint32_t job_id = request.job_id();
  request.set_wait_ms(immediate_s ? *immediate_s * 1000 : kStepQuietMs);
  auto first = service_.calls.call<v1::CreateStepResponse>(
      "Steps/Create", request, milliseconds(request.wait_ms()) + service_.patience);
  if (!first) return tl::unexpected(no_step(first.error(), job_id));
  for (const std::string& note : first->notes()) report_.info(note);
  if (!first->busy()) return std::move(*first);
  if (immediate_s) {
    report_.error(fmt::format("Unable to create step for job {}: {}", job_id,
                              slurm_error_text(kErrNodesBusy)));
    return tl::unexpected(error_exit_code(report_, "SLURM_EXIT_IMMEDIATE"));
  }
  report_.info(fmt::format("Job {} step creation temporarily disabled, retrying ({})", job_id,
                           slurm_error_text(kErrNodesBusy)));
  request.set_wait_ms(kStepHoldMs);
  for (;;) {
    v1::CreateStepResponse answer;
    int stop = 0;
    Status outcome;
    {
      LongCall call(service_.waiting, "Steps/Create", request, answer,
                    milliseconds(kStepHoldMs) + service_.patience);
      while (call.wait(signals_.fd(), milliseconds(-1)) == LongCall::Event::kSignal) {
        while (auto number = signals_.next()) {
          if (asks_to_stop(*number)) stop = *number;
        }
      }
      outcome = call.outcome();
    }
    if (stop) {
      if (outcome && !answer.busy()) cancel(fmt::format("{}.{}", job_id, answer.step_id()));
      report_.info(fmt::format("Cancelled pending job step with signal {}", stop));
      report_.error(fmt::format("Unable to create step for job {}: {}", job_id,
                                slurm_error_text(kErrAlreadyDone)));
      return tl::unexpected(error_exit_);
    }
    if (!outcome) return tl::unexpected(no_step(outcome.error(), job_id));
    if (answer.busy()) continue;
    report_.info(fmt::format("Step created for job {}", job_id));
    return answer;
  }
}

}  // namespace grappe
