// Preemption in the engine: who may take whose place, as configuration and books have it, and what
// happens to a running job that makes room.
#pragma once

#include "embedded/core.h"
#include "sched/plan.h"

namespace grappe::embedded {

// For the scheduler: the rules, and a job's part in them.
sched::PreemptRules preempt_rules(const State& state);
uint32_t preempt_class(const State& state, const Job& job);
void fill_eviction(const State& state, const Job& job, int64_t now, sched::RunningJob& out);

// Ended (after its grace), queued again or suspended, so that `by` can start.
void evict_job(Core& core, uint32_t job_id, uint32_t by);

// The end of a grace. Returns when it ends if it has not, else 0.
int64_t tick_grace(Core& core, const Job& job);

// Jobs that were suspended for others, whose place is free again.
void resume_evicted(Core& core);

}  // namespace grappe::embedded
