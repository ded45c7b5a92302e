// Every command's options, for what is made from them: docs/compat.md, the manual pages and the
// shell completion.
#pragma once

#include <string>
#include <vector>

#include "cli/options/option_table.h"

namespace grappe {

struct OptionTable {
  CommandHelp command;
  std::vector<BareOption> rows;
};

// What each command gives of itself, beside its table.
OptionTable sacct_table();
OptionTable sacctmgr_table();
OptionTable sattach_table();
OptionTable sbcast_table();
OptionTable scancel_table();
OptionTable scontrol_table();
OptionTable sdiag_table();
OptionTable seff_table();
OptionTable sinfo_table();
OptionTable sprio_table();
OptionTable squeue_table();
OptionTable sreport_table();
OptionTable sshare_table();
OptionTable sstat_table();

// All but sbatch, salloc and srun, whose common table has more columns (cli/options/job_options.h).
// A command joins by its function above and its line here.
std::vector<OptionTable> option_tables();

// Those three too, first, each with the rows it takes.
std::vector<OptionTable> all_tables();

// Markdown: command, option, environment, status.
std::string compat_page();

// Markdown: every key of the configuration files and what follows from it.
std::string configuration_page();

// A script for bash that completes options, their values and operands.
std::string bash_completion();

}  // namespace grappe
