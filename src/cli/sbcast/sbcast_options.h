// What sbcast was asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/option_table.h"

namespace grappe {

struct SbcastOptions {
  bool force = false;
  bool preserve = false;
  bool send_libs = false;
  std::vector<std::string> exclude = {"/lib", "/usr/lib", "/lib64", "/usr/lib64"};
  std::string job;  // "12" or "12.0"
  uint64_t block_size = 8 * 1024 * 1024;
  int verbose = 0;
  std::string source;
  std::string destination;
};

// The code to exit with if everything is said.
std::optional<int> read_sbcast_options(int argc, char** argv, SbcastOptions& options);

}  // namespace grappe
