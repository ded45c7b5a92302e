// scancel: ends jobs, or sends them a signal.
#include <iostream>

#include "cli/cluster_name.h"
#include "cli/command.h"
#include "cli/report.h"
#include "cli/scancel/cancel.h"

namespace grappe {

int run_scancel(int argc, char** argv) {
  ScancelOptions options;
  if (auto code = read_scancel_options(argc, argv, options)) return *code;
  ServiceCalls calls;
  if (!options.clusters.empty()) {
    Status known = check_cluster_name(calls, options.clusters);
    if (!known) {
      Report("scancel").error(known.error());
      return 1;
    }
  }
  return cancel_jobs(calls, options, std::cin);
}

}  // namespace grappe
