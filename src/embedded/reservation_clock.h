// What reservations do as time goes by: they start, end, come again, and replace lost nodes.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

// At every tick. Returns the second at which something is due next.
int64_t tick_reservations(Core& core);

}  // namespace grappe::embedded
