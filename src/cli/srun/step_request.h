// What srun asks of the service: the program and its tasks, from the options and the caller's
// environment.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/options/job_options.h"
#include "cli/report.h"
#include "cli/srun/step_files.h"

namespace grappe {

// The program and what follows from it: names, --multi-prog, limits, the terminal. An Error ends
// srun; its code is the exit code where it has one.
Status settle_program(std::span<char*> operands, JobOptions& options, const Report& report);

// How many tasks the options ask for, as far as that can be told before the allocation.
uint32_t expected_tasks(const JobOptions& options);

// The environment of the tasks; what depends on the step is added where they run.
std::string task_environment(const JobOptions& options, bool in_own_allocation);

// All of it. `own_nodes` is the size of an allocation that srun made itself: the step takes all
// of its nodes.
v1::StepSpec make_step_spec(const JobOptions& options, const FilesPlan& files,
                            std::optional<uint32_t> own_nodes);

}  // namespace grappe
