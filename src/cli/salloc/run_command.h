// The command that salloc runs in an allocation: a process group of its own, in the foreground of
// the terminal if salloc was.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/options/job_environment.h"

namespace grappe {

// $SHELL, else the shell of the user's account.
std::vector<std::string> shell_command();

// As the shell would find it; empty if nowhere.
std::string find_command(const std::string& name);

struct Identity {
  uid_t uid = 0;
  gid_t gid = 0;
};

// `identity` is given when root runs the command as somebody else.
Result<pid_t> start_command(const std::string& path, const std::vector<std::string>& argv,
                            const Environment& environment, const Identity* identity);

// The wait status. A command that stops itself is continued: there is no shell to bring it back.
int wait_for_command(pid_t command);

}  // namespace grappe
