// Callers that wait for a job to start or to end.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

void on_wait(Core& core, const Caller& caller, v1::WaitRequest request,
             Reply<v1::WaitResponse> reply);

// Something about this job has changed: answer those for whom it is enough.
void wake_waiters(Core& core, uint32_t job_id);

// A line for the job's user who waits for its end, as salloc does; whether there is one.
bool tell_waiters(Core& core, const Job& job, const std::string& notice);

// Answers those whose time is up; returns when the next one's will be (ms), or INT64_MAX.
int64_t expire_waiters(Core& core);

}  // namespace grappe::embedded
