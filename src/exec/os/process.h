// What a process does about itself between fork and its own work.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <vector>

#include "base/unique_fd.h"

namespace grappe::exec {

// Closes every descriptor above 2 that is not listed.
void close_all_but(std::vector<int> keep);

// Default action for every signal, none blocked: as a program expects to be started.
void reset_signals();
// The same for a child of the launcher or of a shepherd, who began so: both change little.
void give_signals_back();

// Standard input, output and error become /dev/null.
void detach_standard_streams();

// All of the above for a program of the site, in the child: a session of its own that ends with
// its parent.
void leave_parent();

// What ps shows in place of our arguments; cut to the room that these had.
void write_title(std::span<char> room, const std::string& title);

struct Pipe {
  UniqueFd read_end, write_end;
};
// Both ends close on exec. Invalid ends when there are no descriptors left.
Pipe make_pipe();

// "NAME=value\0NAME=value\0" lists: `over` wins over `base` where both name a variable;
// a name alone takes the variable away.
std::vector<std::string> merge_environment(const std::string& base, const std::string& over);
// The value of a variable, or an empty string.
std::string environment_value(const std::vector<std::string>& environment, const std::string& name);
void set_environment_value(std::vector<std::string>& environment, const std::string& name,
                           const std::string& value);
void unset_environment_value(std::vector<std::string>& environment, const std::string& name);

// For execve: pointers into `words`, with the null at the end.
std::vector<char*> as_argv(std::vector<std::string>& words);

// What `status` of wait(2) means, for a sentence: "exited with status 3".
std::string describe_status(int status);

}  // namespace grappe::exec
