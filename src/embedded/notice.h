// The line that a step finds on its standard error before the service ends it:
// "slurmstepd: error: *** JOB 12 ON node1 CANCELLED AT 2026-11-15T20:46:30 DUE TO TIME LIMIT ***".
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

// To one step; `job_state` with its flags says why. A SIGTERM that a user sends to the tasks is
// theirs to handle: then the kind is not kEnd, and srun does not speak of an aborted step.
void tell_end(Core& core, const Step& step, uint32_t job_state, exec::NoticeKind kind);

// To every step of the job that still runs.
void tell_end(Core& core, uint32_t job_id);

}  // namespace grappe::embedded
