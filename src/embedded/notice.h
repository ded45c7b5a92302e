// The line that a step finds on its standard error before the service ends it:
// "slurmstepd: error: *** JOB 12 ON node1 CANCELLED AT 2026-11-15T20:46:30 DUE TO TIME LIMIT ***".
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

// To one step; `job_state` with its flags says why.
void tell_end(Core& core, const Step& step, uint32_t job_state);

// To every step of the job that still runs.
void tell_end(Core& core, uint32_t job_id);

}  // namespace grappe::embedded
