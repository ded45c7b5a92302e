// sacctmgr modify job: what may still be said of a job, long after it has ended.
#pragma once

#include "embedded/core.h"
#include "grappe/v1/books.pb.h"

namespace grappe::embedded {

// All of them or none.
Result<v1::AmendJobsResponse> amend_jobs(Core& core, const Caller& caller,
                                         const v1::AmendJobsRequest& request);

}  // namespace grappe::embedded
