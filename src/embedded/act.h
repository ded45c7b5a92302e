// scontrol hold, release, requeue, suspend, resume, top, notify.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

void on_act(Core& core, const Caller& caller, const v1::JobActionRequest& request,
            Reply<v1::JobsChanged> reply);

// Also for `scontrol update Priority=0`. An operator's hold is not for the user to release.
int hold_job(Core& core, uint32_t job_id, Hold hold);
int release_job(Core& core, const Caller& caller, uint32_t job_id);

}  // namespace grappe::embedded
