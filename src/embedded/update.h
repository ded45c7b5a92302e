// scontrol update job.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

void on_update_job(Core& core, const Caller& caller, const v1::UpdateJobRequest& request,
                   Reply<v1::JobsChanged> reply);

}  // namespace grappe::embedded
