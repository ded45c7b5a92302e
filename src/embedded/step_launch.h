// From a step to what the executor is to start.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

// After the commit. Only while the StepSpec still has its environment, that is once.
void launch_step(Core& core, uint32_t job_id, uint32_t step_id);

}  // namespace grappe::embedded
