// What sbatch, salloc and srun share once the options are read: the parts of a job that the
// caller's own process gives, exit codes, and -v.
#pragma once

#include <string>

#include "cli/calls.h"
#include "cli/options/job_options.h"
#include "cli/report.h"
#include "grappe/v1/jobs.pb.h"

namespace grappe {

// Sends a submission; while the queue is full it is repeated for a while, as Slurm does.
Result<v1::SubmitResponse> send_submit(const v1::SubmitRequest& request, Calls& calls,
                                       const Report& report);

// Working folder, umask, host, session, the command line as typed; before the options are applied,
// because some replace it, and before getopt reorders argv.
void describe_caller(int argc, char** argv, JobOptions& options);

// The exit code of an error: 1, or SLURM_EXIT_ERROR. A value that is no such code is reported.
int error_exit_code(const Report& report, const char* variable = "SLURM_EXIT_ERROR");

// The service could not be reached or did not answer, as while it is being restarted.
bool service_is_away(int code);

// With -v: each option that is set, as Slurm lists them.
void list_options(const JobOptions& options, const Report& report);

}  // namespace grappe
