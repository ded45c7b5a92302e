// --gres=help: the generic resources that nodes have.
#pragma once

#include "cli/calls.h"
#include "cli/report.h"

namespace grappe {

// The exit code of the command.
int list_gres(Calls& calls, const Report& report);

}  // namespace grappe
