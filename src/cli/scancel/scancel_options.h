// What scancel was asked for: its options, its environment and its operands.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/options/option_table.h"
#include "grappe/v1/jobs.pb.h"

namespace grappe {

struct ScancelOptions {
  // The filters, the signal and the flags; job_ids come from the operands.
  v1::CancelRequest request;
  std::vector<std::string> filters;  // "partition=c-iq": what was asked of a job, for -v
  bool interactive = false;
  bool signal_given = false;
  bool quiet = false;
  int verbose = 0;
  std::string clusters;
  std::string complaint;  // of a value, for lines that Slurm writes without the command's name
};

// Reads environment, options and operands; the code to exit with if that is all.
std::optional<int> read_scancel_options(int argc, char** argv, ScancelOptions& options);

// "12", "12_3", "12_[1-4]", "12.0", "12_3.0".
bool is_job_operand(std::string_view text);

}  // namespace grappe
