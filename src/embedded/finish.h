// The end of jobs: by themselves, by a limit, by a person.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

// The job is over: takes `state` at once, its steps are ended, and when nothing is left of it
// its resources are free again. `exit_status` as wait(2) gives it.
void end_job(Core& core, uint32_t job_id, JobState state, Reason reason, int exit_status);

// By hand, whatever its state.
void cancel_job(Core& core, uint32_t job_id, uid_t by);

// Steps have ended and the executor has cleaned up: free the resources, requeue if wanted.
void job_cleaned(Core& core, uint32_t job_id);

// Whether a job whose run has failed through no fault of its own is queued again.
bool may_run_again(const Core& core, const Job& job);

enum class Requeue { kRun, kHold, kSpecialExit };

// Back to the queue: at once when pending or finished, after its end when it runs.
Status requeue_job(Core& core, uint32_t job_id, Requeue how);

// A signal to everything of the job: first SIGTERM, KillWait later SIGKILL (timers.h).
void terminate_steps(Core& core, uint32_t job_id, int signal_number);

// When every step has ended: asks the executor to clean up. Does nothing otherwise.
void clean_if_over(Core& core, uint32_t job_id);

}  // namespace grappe::embedded
