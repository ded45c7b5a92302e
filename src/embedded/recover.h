// The start of the engine: everything the store knows becomes the state again.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

// Jobs and steps, then what operators had set. `core.now` is the time of the start.
Status recover(Core& core);

}  // namespace grappe::embedded
