// A batch script as sbatch sees it: is it one, and what do its #SBATCH lines ask for.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace grappe {

// Where the script is: as given if it has a '/', else in `folder`, else on PATH. What is found
// nowhere is given back as it is, for the message.
std::string find_script(const std::string& name, const std::string& folder);

// The whole file, or standard input for "". `error` names what was typed.
Result<std::string> read_script(const std::string& path, const std::string& typed);

// Empty, no "#!" line, NUL bytes, DOS line ends: Slurm's words, a line for each note and the last
// as the message.
Status check_script(std::string_view script);

// "#!/bin/sh" and the command.
std::string wrapped_script(std::string_view command);

struct Directives {
  std::vector<std::string> sbatch;  // words of all #SBATCH lines, in order
  std::vector<std::string> pbs;     // the same of #PBS
  std::vector<std::string> bsub;    // and of #BSUB
  bool old_prefix = false;          // "#SLURM" was used
};

// Comment lines up to the first command. Words follow blanks; quotes of both kinds and a
// backslash work as in a shell, except that a blank ends a word even after a backslash; '#'
// begins a remark. The message of a failure is Slurm's, for a "fatal:" line.
Result<Directives> read_directives(std::string_view script, std::string_view name);

}  // namespace grappe
