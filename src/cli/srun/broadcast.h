// --bcast: the program is copied to the nodes before the step, and runs from there.
#pragma once

#include "cli/options/job_options.h"
#include "cli/report.h"
#include "cli/srun/signals.h"

namespace grappe {

// Nothing to do without --bcast. False after a complaint.
bool broadcast_program(uint32_t job_id, JobOptions& options, const Signals& signals,
                       const Report& report);

}  // namespace grappe
