// One pass of the scheduler over the state: start what fits, tell the others why they wait.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

void plan_pass(Core& core);

}  // namespace grappe::embedded
