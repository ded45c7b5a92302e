// grappe-launcher's command line.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace grappe::exec {

struct LauncherOptions {
  std::string state_dir;           // --state: what must survive a restart
  std::string run_dir;             // --run: sockets of the steps
  std::string socket;              // --socket: where grapped's clients connect; may be empty
  std::string cgroup = "grappe";   // --cgroup: name of our folder in each cgroup hierarchy
  std::string user = "grappe";     // --user: who grapped runs as, when we are root
  std::vector<std::string> brain;  // after "--": grapped and its arguments
  std::string brain_environment;   // ours, when we started
  mode_t brain_umask = 022;
  std::string program_dir;  // where our own programs are
  int service_fd = -1;      // what listens on `socket`, for grapped to accept from
  std::span<char> title;    // the memory of our arguments, for what ps shows of a shepherd
};

Result<LauncherOptions> parse_launcher_options(int argc, char** argv);

// The exit status with which grapped (or the launcher) says that a restart would not help.
inline constexpr int kDoNotRestart = 78;

}  // namespace grappe::exec
