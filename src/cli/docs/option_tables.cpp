#include "cli/docs/option_tables.h"

#include "cli/options/job_command_line.h"

namespace grappe {

std::vector<OptionTable> option_tables() {
  return {sacct_table(),    sacctmgr_table(), sreport_table(), squeue_table(),  sinfo_table(),
          scontrol_table(), scancel_table(),  sdiag_table(),   sattach_table(), sbcast_table(),
          sprio_table(),    sshare_table(),   sstat_table(),   seff_table()};
}

std::vector<OptionTable> all_tables() {
  std::vector<OptionTable> tables;
  for (Commands command : {kSbatch, kSalloc, kSrun}) {
    tables.push_back({job_command_help(command), job_rows_by_family(command)});
  }
  for (OptionTable& table : option_tables()) tables.push_back(std::move(table));
  return tables;
}

}  // namespace grappe
