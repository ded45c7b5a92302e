// One job as `scontrol show job` writes it.
#pragma once

#include <string>

#include "cli/scontrol/record.h"
#include "grappe/v1/jobs.pb.h"

namespace grappe::scontrol {

std::string format_job(const v1::JobInfo& job, const Style& style);

}  // namespace grappe::scontrol
