// One job as `scontrol show job` writes it.
#pragma once

#include <string>

#include "cli/scontrol/record.h"
#include "grappe/v1/jobs.pb.h"

namespace grappe::scontrol {

std::string format_job(const v1::JobInfo& job, const Style& style);

// "3:0", "0:9": the exit code and the signal of a wait(2) status.
std::string exit_code_text(uint32_t status);

}  // namespace grappe::scontrol
