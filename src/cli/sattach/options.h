// The command line of sattach.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/options/option_table.h"

namespace grappe {

struct SattachOptions {
  std::optional<uint32_t> input_filter, output_filter, error_filter;
  bool label = false;
  bool layout = false;
  bool pty = false;
  bool quiet = false;
  int verbose = 0;

  uint32_t job_id = 0;
  std::string step;
};

// Fills `options`, or gives the code to exit with after everything was said.
std::optional<int> read_sattach_options(int argc, char** argv, SattachOptions& options);

}  // namespace grappe
