// What scancel does with its options: one request, or with -i a question for each job first.
#pragma once

#include <istream>

#include "cli/calls.h"
#include "cli/scancel/scancel_options.h"

namespace grappe {

// The exit code: the low byte of the last error number, as Slurm's.
int cancel_jobs(Calls& calls, const ScancelOptions& options, std::istream& answers);

}  // namespace grappe
