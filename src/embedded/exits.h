// What the executor reports.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

void on_exec_event(Core& core, exec::ExecEvent event);

}  // namespace grappe::embedded
