// The priority of jobs: first come, first served (priority/basic), or the sum of the factors of
// priority/multifactor.
#pragma once

#include "embedded/core.h"
#include "grappe/v1/share.pb.h"
#include "model/job.h"
#include "sched/priority.h"

namespace grappe::embedded {

// Of a job that is new, or that something has changed of; not of one whose priority was set by
// hand.
void set_priority(Core& core, Job& job);

// When a period is over, and soon after a change of the books: usage, fair share and the priority
// of every job that waits. Says when it wants to be called again.
int64_t tick_priorities(Core& core);
// Now: at the start, and with another configuration.
void recalculate_priorities(Core& core);

// The pending jobs of a user whose boost has begun or ended.
void weigh_user(Core& core, const std::string& user);

// Each partition of a pending job is one row.
Result<v1::PrioritiesResponse> list_priorities(Core& core, const Caller& caller,
                                               const v1::PrioritiesRequest& request);

}  // namespace grappe::embedded
