// grapped: the brain. Started by grappe-launcher, as an unprivileged user.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "base/log.h"
#include "daemon/daemon.h"
#include "daemon/options.h"

int main(int argc, char** argv) {
  using namespace grappe;
  auto options = parse_daemon_options(argc, argv);
  if (!options) {
    std::fprintf(stderr, "grapped: %s\n", options.error().message.c_str());
    return kDoNotRestart;
  }
  if (!options->log_file.empty()) {
    if (Status opened = open_log_file(options->log_file); !opened) {
      std::fprintf(stderr, "grapped: %s\n", opened.error().message.c_str());
    }
  }
  if (options->verbose) set_log_level(LogLevel::kDebug);
  // Before any thread starts, so that none of them takes these signals.
  sigset_t signals;
  sigemptyset(&signals);
  for (int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, number);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);

  Status done = run_daemon(*options, signals);
  if (!done) {
    log_error("{}", done.error().message);
    std::fprintf(stderr, "grapped: %s\n", done.error().message.c_str());
    return kDoNotRestart;
  }
  return 0;
}
