// scancel: end jobs and steps, or send them a signal.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

void on_cancel(Core& core, const Caller& caller, const v1::CancelRequest& request,
               Reply<v1::CancelResponse> reply);

// Whose it is, and operators.
bool may_change(const Caller& caller, const Job& job);
// Coordinators of its account too: they end, hold and change jobs, but do not run anything in them.
bool may_manage(const State& state, const Caller& caller, const Job& job);

}  // namespace grappe::embedded
