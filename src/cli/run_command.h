// How commands begin: they read their options and then ask the service, once or again and again.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <optional>

#include "cli/calls.h"

namespace grappe {

// `read` gives the code to exit with, when there is nothing left to do; else `run` does.
template <class Options, class Run>
int run_command(int argc, char** argv, std::optional<int> (*read)(int, char**, Options&), Run run) {
  Options options;
  if (auto exit = read(argc, argv, options)) return *exit;
  ServiceCalls calls;
  return run(options, calls);
}

// -i: what `report` shows again and again, so many seconds apart; once, if there are none.
template <class ReportOnce>
int repeat_every(unsigned seconds, ReportOnce report) {
  for (;;) {
    const int code = report();
    if (!seconds) return code;
    std::fputs("\n", stdout);
    std::fflush(stdout);
    sleep(seconds);
  }
}

}  // namespace grappe
