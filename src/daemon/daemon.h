// The wiring: configuration, store, executor, engine, service, API, HTTP.
#pragma once

#include <functional>
#include <memory>

#include "exec/executor.h"
#include "store/store.h"

namespace grappe {

// What a test puts between the engine and what it works with; grapped itself has none.
struct DaemonSeams {
  std::function<std::unique_ptr<Store>(std::unique_ptr<Store>)> store;
  std::function<std::unique_ptr<exec::Executor>(std::unique_ptr<exec::Executor>)> executor;
};

// grapped, from its command line to the signal that ends it; SIGHUP reads the configuration anew.
// The status to exit with.
int daemon_main(int argc, char** argv, const DaemonSeams& seams = {});

}  // namespace grappe
