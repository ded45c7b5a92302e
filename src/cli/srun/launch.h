// One step, from its request to its end: what srun does once the options are settled.
#pragma once

#include "cli/options/job_options.h"
#include "cli/report.h"
#include "cli/srun/allocation.h"
#include "cli/srun/signals.h"

namespace grappe {

// Runs the step in the job of --jobid, or in an allocation of its own; the exit code of srun.
int run_step(JobOptions& options, Service service, Signals& signals, const Report& report,
             int error_exit);

// Connects to the step's socket, which appears when its tasks are ready. Gives up when the step
// is gone (`still_there` says no) or a signal asks to stop; then the descriptor is empty and errno
// says which: ENOENT, EINTR, or why it can't be connected to.
UniqueFd await_step_socket(const std::string& path, Signals& signals,
                           const std::function<bool()>& still_there);

}  // namespace grappe
