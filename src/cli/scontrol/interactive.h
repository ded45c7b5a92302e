// The interactive mode of scontrol: commands from an input until "exit", "quit" or its end.
#pragma once

#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/scontrol/session.h"

namespace grappe::scontrol {

// `echo`: the lines are not typed at a terminal, so they are written after the prompt.
void read_commands(Session& session, std::istream& input, bool echo);

// Words between blanks; those in quotes stay together, with their quotes.
std::vector<std::string> split_line(std::string_view line);

}  // namespace grappe::scontrol
