#include "cli/command.h"

#include <cstdio>

#include "cli/sinfo/sinfo.h"

namespace grappe {

int run_sinfo(int argc, char** argv) {
  SinfoOptions options;
  if (auto exit = read_sinfo_options(argc, argv, options)) return *exit;
  if (options.verbosity) {
    std::string text = describe_options(options);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }
  ServiceCalls calls;
  return sinfo(options, calls);
}

}  // namespace grappe
