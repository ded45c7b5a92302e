// The resource limits of a user's shell that a task gets: those of --propagate, or of
// PropagateResourceLimits where that was not given.
#pragma once

#include <vector>

#include "exec/executor.h"
#include "grappe/v1/spec.pb.h"
#include "model/config.h"

namespace grappe::embedded {

std::vector<exec::RlimitSetting> rlimits_of(const v1::JobSpec& spec, const JobsConfig& config);
std::vector<exec::RlimitSetting> rlimits_of(const v1::StepSpec& spec, const JobsConfig& config);

}  // namespace grappe::embedded
