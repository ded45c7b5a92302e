#include "cli/command.h"

#include <cstdio>

#include "cli/squeue/squeue.h"

namespace grappe {

int run_squeue(int argc, char** argv) {
  SqueueOptions options;
  if (auto exit = read_squeue_options(argc, argv, options)) return *exit;
  if (options.verbosity) {
    std::string text = describe_options(options);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }
  ServiceCalls calls;
  return squeue(options, calls);
}

}  // namespace grappe
