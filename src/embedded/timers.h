// What happens by the clock: limits, warnings, the second kill, old records.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

// Does what is due and returns when it wants to be called again (ms since the epoch).
int64_t on_tick(Core& core);

}  // namespace grappe::embedded
