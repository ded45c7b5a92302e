// squeue and scontrol show job: which jobs and steps a request means.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

// On the engine's thread. The listing holds the records themselves, which never change, so that it
// may be written out elsewhere.
Result<JobListing> list_of(Core& core, const Caller& caller, v1::ListJobsRequest request);

}  // namespace grappe::embedded
