// The families of rows behind job_options(), each in a file of its own.
#pragma once

#include <span>

#include "cli/options/job_options.h"

namespace grappe {

std::span<const JobOption> constraint_rows();
std::span<const JobOption> resource_rows();
std::span<const JobOption> layout_rows();
std::span<const JobOption> gpu_rows();
std::span<const JobOption> time_rows();
std::span<const JobOption> file_rows();
std::span<const JobOption> policy_rows();
std::span<const JobOption> site_rows();
std::span<const JobOption> srun_rows();
std::span<const JobOption> command_rows();

}  // namespace grappe
