// Prolog and epilog: programs of the site that run as root (in personal mode as the owner)
// around a job.
//
// They get an environment made from nothing: a PATH, and of what the engine listed (none of which
// a user wrote) only the names that Slurm gives to a prolog.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace grappe::exec {

// Nobody but root (and ourselves) can change the program or any folder or link on the way to it.
Status check_trusted_program(const std::string& path);

// The programs that a path or a pattern names, in order.
std::vector<std::string> hook_programs(const std::string& pattern);

// Starts it in a session of its own, in "/", with no input and no output. It dies with us.
Result<pid_t> start_hook(const std::string& path, const std::string& environment);

}  // namespace grappe::exec
