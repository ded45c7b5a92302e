#include "cli/docs/option_tables.h"

namespace grappe {

std::vector<OptionTable> option_tables() {
  return {
      {"squeue", squeue_rows()},   {"sinfo", sinfo_rows()}, {"scontrol", scontrol_rows()},
      {"scancel", scancel_rows()}, {"sdiag", sdiag_rows()}, {"sattach", sattach_rows()},
      {"sbcast", sbcast_rows()},
  };
}

}  // namespace grappe
