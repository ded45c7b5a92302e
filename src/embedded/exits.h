// What the executor reports.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

// The end of a running job whose script or command ended so, as wait(2) tells it.
void end_by_status(Core& core, uint32_t job_id, int status);

void on_exec_event(Core& core, exec::ExecEvent event);

}  // namespace grappe::embedded
