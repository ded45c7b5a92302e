// The wiring: configuration, store, executor, engine, service, API, HTTP.
#pragma once

#include <signal.h>

#include "base/result.h"
#include "daemon/options.h"

namespace grappe {

// Runs until one of `signals` (blocked by the caller) says to end; SIGHUP reads the configuration
// anew. Fails when it can't start, with a sentence for the operator.
Status run_daemon(const DaemonOptions& options, const sigset_t& signals);

}  // namespace grappe
