// Stopping a running job where it stands, and letting it go on.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

// Its CPUs are others' meanwhile; memory and devices stay its own.
void suspend_job(Core& core, uint32_t job_id);
void resume_job(Core& core, uint32_t job_id);

}  // namespace grappe::embedded
