// sbatch: from options and a script to a submitted job.
#pragma once

#include <optional>
#include <string>

#include "cli/calls.h"
#include "cli/options/job_options.h"
#include "cli/report.h"
#include "grappe/v1/jobs.pb.h"

namespace grappe {

// Sends the job and prints what became of it; the exit code of sbatch.
int submit_batch_job(const v1::SubmitRequest& request, const JobOptions& options, Calls& calls,
                     const Report& report, int error_exit);

// --wait: until the job, or every task of its array, has ended. The highest exit code; 1 for one
// that a signal ended.
int wait_for_job(uint32_t job_id, Calls& calls, const Report& report, int error_exit);

// What sbatch would submit for this command line; or the code to exit with, after the user was
// told.
std::optional<int> read_batch_job(int argc, char** argv, Report& report, v1::JobSpec& spec);

}  // namespace grappe
