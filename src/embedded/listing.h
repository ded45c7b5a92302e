// squeue and scontrol show job: which jobs and steps a request means.
#pragma once

#include "embedded/core.h"
#include "embedded/view.h"

namespace grappe::embedded {

// On the engine's thread: the records that the request asks for, as pointers that stay valid.
struct JobList {
  v1::ListJobsRequest request;
  int64_t now = 0;
  ViewContext context;
  std::vector<JobPtr> jobs;
  v1::ListJobsResponse steps;  // steps are filled in at once: there are few
};
Result<JobList> select_for_list(Core& core, const Caller& caller, v1::ListJobsRequest request);

// Anywhere: the long work of filling in the answer.
v1::ListJobsResponse fill_list(const JobList& list);

}  // namespace grappe::embedded
