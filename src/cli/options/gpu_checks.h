// Rules between the options that ask for GPUs, which sbatch, salloc and srun know by themselves.
#pragma once

#include <string>

#include "grappe/v1/spec.pb.h"

namespace grappe {

// What is wrong with the GPUs of a job, in Slurm's words; empty if nothing is.
std::string gpu_conflict(const v1::JobSpec& spec);

}  // namespace grappe
