// Every command's options, for what is made from them: docs/compat.md and the shell completion.
#pragma once

#include <string_view>
#include <vector>

#include "cli/options/option_table.h"

namespace grappe {

struct OptionTable {
  std::string_view command;
  std::vector<BareOption> rows;
};

// The rows of each command, given beside its table.
std::vector<BareOption> sattach_rows();
std::vector<BareOption> sbcast_rows();
std::vector<BareOption> scancel_rows();
std::vector<BareOption> scontrol_rows();
std::vector<BareOption> sdiag_rows();
std::vector<BareOption> sinfo_rows();
std::vector<BareOption> squeue_rows();

// All but sbatch, salloc and srun, whose common table has more columns (cli/options/job_options.h).
// A command joins by a function that gives its rows (bare_options()) and its line here.
std::vector<OptionTable> option_tables();

// Markdown: command, option, environment, status.
std::string compat_page();

// A script for bash that completes long options.
std::string bash_completion();

}  // namespace grappe
