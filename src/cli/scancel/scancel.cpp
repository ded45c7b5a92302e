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
  if (!knows_clusters(calls, options.clusters, Report("scancel"))) return 1;
  return cancel_jobs(calls, options, std::cin);
}

}  // namespace grappe
