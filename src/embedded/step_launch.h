// From a step to what the executor is to start.
#pragma once

#include "embedded/core.h"
#include "embedded/task_binding.h"

namespace grappe::embedded {

struct StepBinding {
  CpuBind asked;
  std::vector<NodeBinding> nodes;  // of the step; empty: tasks are not bound here
};

// Fails with Slurm's words when --cpu-bind can't be satisfied.
Result<StepBinding> bind_step(const Core& core, const Job& job, const Step& step);

// After the commit. Only while the StepSpec still has its environment, that is once.
void launch_step(Core& core, uint32_t job_id, uint32_t step_id, const StepBinding& binding);

}  // namespace grappe::embedded
