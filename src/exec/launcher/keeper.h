// The outermost process: keeps a launcher running.
//
// It does nothing else, so that nothing can go wrong with it. When the launcher dies, grapped
// notices and ends, and both are started anew; the shepherds go on meanwhile and become the
// keeper's children, so that somebody reaps them.
#pragma once

#include <sys/types.h>

#include <functional>

namespace grappe::exec {

// Shared between the keeper and the launchers it starts.
struct KeeperPage {
  volatile pid_t brain;  // grapped, or 0
};

// Runs `launcher` in a child, again and again until it ends with status 0 or kDoNotRestart, or
// until we are told to end (SIGTERM, SIGINT: passed on, as is SIGHUP). Returns the status to exit
// with.
int keep(const std::function<int(KeeperPage&)>& launcher);

}  // namespace grappe::exec
