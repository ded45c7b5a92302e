// One pass of the scheduler over the state: start what fits, tell the others why they wait.
#pragma once

#include "embedded/core.h"
#include "sched/plan.h"

namespace grappe::embedded {

// Whether the queue stands still: jobs wait and none could start.
bool plan_pass(Core& core);

// As the configuration has it.
sched::Policy policy_of(const Cluster& cluster);

}  // namespace grappe::embedded
