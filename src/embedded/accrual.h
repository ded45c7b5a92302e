// Which waiting jobs grow older: all, but for limits on their number (GrpJobsAccrue,
// MaxJobsAccrue).
#pragma once

#include <vector>

#include "embedded/core.h"
#include "embedded/snapshot.h"

namespace grappe::embedded {

// How many do now, by counter of the limits.
std::vector<uint64_t> accruing_jobs(const State& state);

// Of those that may start, in their order: whoever does not yet and may from now on does.
void grow_older(Core& core, const ReadyJobs& ready);

}  // namespace grappe::embedded
