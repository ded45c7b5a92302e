// Programs that carry out commands (sacctmgr, scontrol, sreport): the one on their command line or,
// where there is none, those that are typed at their prompt.
#pragma once

#include <unistd.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace grappe {

struct CommandLoop {
  std::string_view program;  // its name is the prompt
  // Carries out one command, given as its words.
  std::function<void(std::span<const std::string> words)> run;
  const bool& ended;  // "exit" was such a command
  int input = STDIN_FILENO;
};

// Runs `operands` as one command, or reads commands until one of them ends it; "!!" repeats the
// last. False: the input was over before.
bool run_commands(const CommandLoop& loop, std::span<char* const> operands);

// Words between blanks; those in quotes stay together, with their quotes.
std::vector<std::string> split_line(std::string_view line);

}  // namespace grappe
