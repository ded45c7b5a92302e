// #PBS and #BSUB lines in a batch script: what Slurm understands of them, as sbatch options.
// What it does not understand is named to the user and left out.
#pragma once

#include <optional>

#include "cli/options/job_command_line.h"
#include "cli/report.h"
#include "cli/sbatch/batch_script.h"

namespace grappe {

std::optional<int> apply_foreign(const Directives& directives, const JobCommandLine& line,
                                 const Report& report, JobOptions& options);

}  // namespace grappe
