// The scripts with which a job that has given nodes back brings its environment up to date.
#pragma once

#include "cli/scontrol/session.h"

namespace grappe::scontrol {

// slurm_job_7_resize.sh and .csh in this folder, when we are in the job ourselves.
void write_resize_scripts(Session& session, const std::string& job_id);

}  // namespace grappe::scontrol
