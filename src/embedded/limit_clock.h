// Limits that the clock concerns: minutes are used up while jobs run, and come back as time goes
// by.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

// Ends jobs whose minutes are over and lets those be looked at again who wait for some. When to
// come back.
int64_t tick_limits(Core& core);

}  // namespace grappe::embedded
