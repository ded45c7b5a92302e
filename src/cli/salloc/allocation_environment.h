// The variables that describe a granted allocation to the command that salloc or srun starts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/job_environment.h"
#include "grappe/v1/jobs.pb.h"

namespace grappe {

// {4, 4, 2} -> "4(x2),2", as in SLURM_JOB_CPUS_PER_NODE.
std::string repeat_counts(const std::vector<uint32_t>& counts);

// How many tasks of the request each node takes. Without a number of tasks: as many as fit.
std::vector<uint32_t> tasks_per_node(const v1::JobSpec& spec, const std::vector<uint32_t>& cpus);

void add_allocation(const v1::JobInfo& job, const JobOptions& options, Environment& environment);

}  // namespace grappe
