#include "cli/srun/signals.h"

#include <sys/signalfd.h>

namespace grappe {
namespace {

constexpr int kSignals[] = {SIGINT,  SIGQUIT, SIGCONT, SIGTERM, SIGHUP,
                            SIGALRM, SIGUSR1, SIGUSR2, SIGWINCH};

}  // namespace

Signals::Signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int number : kSignals) sigaddset(&set, number);
  sigprocmask(SIG_BLOCK, &set, &before_);
  // A reader of our output that went away shows as an error of write().
  signal(SIGPIPE, SIG_IGN);
  fd_.reset(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

Signals::~Signals() {
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<int> Signals::next() {
  signalfd_siginfo info;
  if (read(fd_.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) {
    return std::nullopt;
  }
  return static_cast<int>(info.ssi_signo);
}

void Signals::restore_in_child() const {
  signal(SIGPIPE, SIG_DFL);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

bool asks_to_stop(int number) {
  return number == SIGINT || number == SIGQUIT || number == SIGTERM || number == SIGHUP;
}

}  // namespace grappe
