// --prolog and --epilog: programs that srun runs around the step, where srun runs, as the user.
#pragma once

#include <string>
#include <vector>

#include "cli/report.h"
#include "cli/srun/signals.h"
#include "cli/srun/task_board.h"

namespace grappe {

// Runs `program` with the words of the step's command; its exit code. One that can't be run is
// named to the user and counts as well: Slurm goes on without it.
int run_hook(const std::string& program, const std::vector<std::string>& command,
             const StepFace& face, const Signals& signals, const Report& report);

}  // namespace grappe
