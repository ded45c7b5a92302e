// PrologSlurmctld, EpilogSlurmctld and UnkillableStepProgram: programs of the site that the service
// runs around a job, as its own user.
//
// While the prolog runs the job has its resources and is CONFIGURING. If it fails, a batch job goes
// back to the queue, and any other ends. It runs again when the service was restarted meanwhile.
// The epilog runs when the job is over, the third when a step of it will not end; nobody waits for
// these.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

// False where there is none: the job may begin.
bool run_site_prolog(Core& core, uint32_t job_id);
// After a restart of the service.
void resume_site_prolog(Core& core, uint32_t job_id);
void run_site_epilog(Core& core, uint32_t job_id);
void run_unkillable_program(Core& core, const Step& step);

void site_program_ended(Core& core, const exec::SiteProgramEnded& ended);

}  // namespace grappe::embedded
