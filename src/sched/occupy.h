// Carries out what a plan decides, in a snapshot: for whoever runs one into the future.
#pragma once

#include "sched/plan.h"

namespace grappe::sched {

// The job as it runs from now on, with what `start` gives it.
RunningJob running_job(const Snapshot& snapshot, const PendingJob& job, const Start& start);

// Adds it to those that run, and takes what it has from its nodes and licences.
void occupy(Snapshot& snapshot, RunningJob job);
// Gives that back. The last of those that run takes its place in the list.
void vacate(Snapshot& snapshot, std::size_t running);

}  // namespace grappe::sched
