// TaskProlog: a program of the site that runs as the user before each task and may change the
// task's environment: it prints "export NAME=value", "unset NAME" or "print text" lines.
#pragma once

#include <string>
#include <vector>

namespace grappe::exec {

// Applies the lines to `environment`; what is to be printed goes to standard output.
void run_task_prolog(const std::string& program, std::vector<std::string>& environment);

// The lines alone; returns what is to be printed.
std::string apply_task_prolog(const std::string& output, std::vector<std::string>& environment);

}  // namespace grappe::exec
