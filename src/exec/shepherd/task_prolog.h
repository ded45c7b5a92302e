// TaskProlog and --task-prolog: programs that run as the user before each task and may change the
// task's environment: they print "export NAME=value", "unset NAME" or "print text" lines.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace grappe::exec {

// Applies the lines to `environment`; what is to be printed goes to standard output. `kind` is how
// messages call it: "user task_prolog". On failure the error has one line for each thing to say, in
// its notes, and the code to exit with.
Status run_task_prolog(const std::string& kind, const std::string& program,
                       std::vector<std::string>& environment);

// The lines alone; returns what is to be printed.
std::string apply_task_prolog(const std::string& output, std::vector<std::string>& environment);

}  // namespace grappe::exec
