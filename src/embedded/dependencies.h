// Jobs that wait for other jobs.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

// Reads --dependency into the job, with Slurm's refusals (unknown kinds, a circle).
Status set_dependency(Core& core, Job& job, const std::string& text);

// A job has started or ended: look again at those that wait for it.
void resolve_dependents(Core& core, uint32_t job_id);

// Looks again at what this pending job waits for: fulfilled conditions leave its list.
void resolve(Core& core, uint32_t job_id);

// Does it still wait? `never`: what it waits for can't come any more. `again_at`: by the clock.
struct DependencyWait {
  bool waits = false;
  bool never = false;
  int64_t again_at = 0;
};
DependencyWait dependency_wait(const State& state, const Job& job, int64_t now);

// Of an array that follows another task by task (aftercorr): the first waiting task whose
// counterpart has ended well; without such a condition the first waiting task.
std::optional<uint32_t> next_task(const State& state, const Job& record);

}  // namespace grappe::embedded
