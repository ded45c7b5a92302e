#include "exec/launcher/launcher.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>

#include "base/log.h"
#include "exec/os/files.h"
#include "exec/os/process.h"
#include "exec/shepherd/step_setup.h"
#include "exec/step_name.h"

namespace grappe::exec {
namespace {

constexpr std::chrono::seconds kBrainStopPatience{30};

}  // namespace

Launcher::Launcher(const LauncherOptions& options, KeeperPage& page)
    : options_(options),
      privileged_(geteuid() == 0),
      brain_(loop_, options_, page, [this](LauncherRequest& request) { handle(request); }) {}

int Launcher::run() {
  prctl(PR_SET_NAME, "grappe-launcher");
  if (auto done = set_up(); !done) {
    log_error("grappe-launcher: {}", done.error().message);
    return kDoNotRestart;
  }
  recover();
  brain_.start();
  loop_.run();
  cgroups_->remove_root();
  return exit_code_;
}

Status Launcher::set_up() {
  umask(022);
  signal(SIGPIPE, SIG_IGN);
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  open_files_limit_ = files.rlim_cur;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  auto store = StepStore::open(options_.state_dir, options_.run_dir);
  if (!store) return tl::unexpected(store.error());
  store_ = std::move(*store);
  auto spares = Spares::open(options_.state_dir + "/spare-tmp");
  if (!spares) return tl::unexpected(spares.error());
  tmp_spares_ = std::move(*spares);
  if (auto done = lock_state(); !done) return done;
  cgroups_.emplace(options_.cgroup, privileged_);
  can_mount_ = privileged_ && may_have_private_mounts();
  watch_signals();
  return {};
}

// Two launchers on one state would both start the same steps.
Status Launcher::lock_state() {
  const std::string path = options_.state_dir + "/launcher.lock";
  lock_.reset(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock_) return fail_errno("open " + path, errno);
  for (int attempt = 0; attempt < 500; ++attempt) {
    if (flock(lock_.get(), LOCK_EX | LOCK_NB) == 0) return {};
    usleep(10'000);
  }
  return fail("another grappe-launcher works on " + options_.state_dir);
}

// --- Processes and signals.

void Launcher::watch_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, number);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  signals_.reset(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  loop_.add(signals_.get(), EPOLLIN, [this](uint32_t) { take_signal(); });
}

void Launcher::take_signal() {
  signalfd_siginfo info{};
  while (read(signals_.get(), &info, sizeof info) == sizeof info) {
    if (info.ssi_signo == SIGHUP) brain_.terminate(SIGHUP);
    if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT) stop(0);
  }
  reap();
}

// Steps go on: their shepherds need nobody, and the next launcher finds them.
void Launcher::stop(int code) {
  if (stopping_) return;
  stopping_ = true;
  exit_code_ = code;
  if (!brain_.running()) return loop_.stop();
  brain_.terminate(SIGTERM);
  loop_.after(kBrainStopPatience, [this] { brain_.terminate(SIGKILL); });
}

void Launcher::on_exit(pid_t pid, std::function<void(int)> action) {
  children_[pid] = std::move(action);
}

void Launcher::reap() {
  siginfo_t info{};
  while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0) {
    const pid_t pid = info.si_pid;
    // What a prolog or epilog left running ends with it, while its number is still its own.
    if (hooks_.erase(pid)) kill(-pid, SIGKILL);
    int status = 0;
    waitpid(pid, &status, 0);
    info = {};
    if (pid == brain_.pid()) {
      const bool again = brain_.ended(status, !stopping_);
      brain_greeted_ = false;
      if (again) continue;
      if (!stopping_) exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
      loop_.stop();
    } else if (auto child = children_.extract(pid)) {
      child.mapped()(status);
    }
  }
}

// --- Finding again what an earlier launcher started.

void Launcher::recover() {
  for (JobRecord& record : store_->jobs()) {
    const uint32_t id = record.job_id;
    Job& job = jobs_[id];
    // Until a step shows that it had all it needs: the record is written before cgroups and
    // folders are made, so they are made again (they may be there). A prolog that was running died
    // with its launcher, and runs again with the next start.
    job.phase = JobPhase::kNew;
    job.record = std::move(record);
  }
  for (const StepKey key : store_->list()) recover_step(key);
}

void Launcher::recover_step(StepKey key) {
  const ExitRecord record = store_->read(key);
  auto control = store_->connect(key);
  if (!record.begun && !control) {  // it never came to life: the engine asks again
    store_->remove(key);
    return;
  }
  Job& job = jobs_[key.job_id];
  if (job.record.job_id == 0) {
    job.record.job_id = key.job_id;
    job.record.restart = key.restart;
  }
  job.phase = JobPhase::kReady;
  Step& step = steps_[key];
  step.started.key = key;
  step.phase = StepPhase::kRunning;
  if (!control || record.complete) return step_ended(key);
  step.control = std::move(*control);
  const std::string hello = make_frame(ControlType::kHello);
  [[maybe_unused]] const ssize_t n = write(step.control.get(), hello.data(), hello.size());
  watch_control(key);
}

}  // namespace grappe::exec
