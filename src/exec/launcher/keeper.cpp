#include "exec/launcher/keeper.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "base/log.h"
#include "exec/launcher/options.h"
#include "exec/os/process.h"

namespace grappe::exec {
namespace {

constexpr int kMaxBackoffMs = 2'000;
constexpr time_t kGoodStartSeconds = 1;  // a launcher that lived so long had one

pid_t start(const std::function<int(KeeperPage&)>& launcher, KeeperPage& page) {
  page.brain = 0;
  const pid_t pid = fork();
  if (pid != 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  reset_signals();
  _exit(launcher(page));
}

// A grapped whose launcher died ends by itself. Two must never work on the same state, so make
// sure before the next one starts.
void end_orphaned_brain(const KeeperPage& page) {
  const pid_t brain = page.brain;
  if (brain <= 0) return;
  for (int waited_ms = 0; waited_ms < 10'000; waited_ms += 10) {
    const pid_t gone = waitpid(brain, nullptr, WNOHANG);
    if (gone == brain || (gone < 0 && errno == ECHILD)) return;
    if (waited_ms == 5'000) kill(brain, SIGKILL);
    usleep(10'000);
  }
}

}  // namespace

int keep(const std::function<int(KeeperPage&)>& launcher) {
  prctl(PR_SET_NAME, "grappe-keeper");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  void* memory =
      mmap(nullptr, sizeof(KeeperPage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  auto& page = *static_cast<KeeperPage*>(memory);

  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, number);
  sigprocmask(SIG_BLOCK, &signals, nullptr);

  int backoff_ms = 0;
  bool stopping = false;
  while (true) {
    const time_t started = time(nullptr);
    const pid_t child = start(launcher, page);
    int status = 0;
    for (bool running = true; running;) {
      const int number = sigwaitinfo(&signals, nullptr);
      if (number == SIGTERM || number == SIGINT) stopping = true;
      if (number > 0 && number != SIGCHLD) kill(child, number);
      int one = 0;
      for (pid_t pid; (pid = waitpid(-1, &one, WNOHANG)) > 0;) {
        if (pid != child) continue;
        status = one;
        running = false;
      }
    }
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code == 0 || code == kDoNotRestart || stopping) return code;
    end_orphaned_brain(page);
    backoff_ms =
        time(nullptr) - started > kGoodStartSeconds ? 0 : std::min(2 * backoff_ms, kMaxBackoffMs);
    log_error("grappe-launcher {}; a new one is started", describe_status(status));
    usleep(static_cast<useconds_t>(backoff_ms) * 1000);
    backoff_ms = std::max(backoff_ms, 50);
  }
}

}  // namespace grappe::exec
