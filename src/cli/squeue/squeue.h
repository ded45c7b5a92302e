// squeue: from options and the service's answer to text.
#pragma once

#include "cli/calls.h"
#include "cli/format/output.h"
#include "cli/squeue/options.h"
#include "cli/squeue/sort.h"

namespace grappe {

// The whole command behind its options; the result is the exit code.
int squeue(SqueueOptions& options, Calls& calls);

// What the service is asked for: as little as the format and the order need.
v1::ListJobsRequest jobs_request(const SqueueOptions& options);

// Header and lines of the jobs. Fails on a sort key that has no order, after the header.
Status print_jobs(const v1::ListJobsResponse& jobs, const SqueueOptions& options,
                  const SortContext& sort, Output& output);
void print_steps(const v1::ListJobsResponse& jobs, const SqueueOptions& options,
                 std::string_view cluster, Output& output);

}  // namespace grappe
