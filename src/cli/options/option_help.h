// The texts of --help and --usage, made from a command's rows.
#pragma once

#include <span>
#include <string>

#include "cli/options/option_table.h"

namespace grappe {

// "-t, --time=minutes"; "      --json" for a row without a letter.
std::string option_heading(const BareOption& row);

// A line for each row that is shown, below the titles of the families; --help, --usage and
// --version stand last, below "Help options:" as in Slurm.
std::string option_help(std::span<const BareOption> rows);

// The whole of --help: synopsis, options, and what the command adds.
std::string help_text(const CommandHelp& command, std::span<const BareOption> rows);

// The whole of --usage: every option in its shortest form.
std::string usage_text(const CommandHelp& command, std::span<const BareOption> rows);

// Words in lines of at most 80 letters, the later ones below the end of the start of the first.
class Filler {
 public:
  explicit Filler(std::string start);
  void add(const std::string& word);
  std::string text() const { return done_ + line_ + "\n"; }

 private:
  std::string indent_, done_, line_;
};

// "squeue [OPTIONS]" with the operands.
std::string synopsis(const CommandHelp& command);

}  // namespace grappe
