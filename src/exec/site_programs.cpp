#include "exec/site_programs.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/unique_fd.h"
#include "exec/os/process.h"

namespace grappe::exec {

class SitePrograms::Runner {
 public:
  explicit Runner(Listener listener)
      : listener_(std::move(listener)), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    thread_ = std::thread([this] { work(); });
  }
  ~Runner() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake();
    thread_.join();
    for (const Running& one : running_) kill(-one.pid, SIGKILL);
    for (const Running& one : running_) waitpid(one.pid, nullptr, 0);
  }

  void add(SiteProgram program) {
    {
      const std::lock_guard lock(mutex_);
      wanted_.push_back(std::move(program));
    }
    wake();
  }

 private:
  struct Running {
    SiteProgramEnded about;
    pid_t pid;
    UniqueFd ends;  // readable when it has ended
  };

  void wake() {
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t n = write(wake_.get(), &one, sizeof one);
  }

  void work() {
    while (true) {
      std::vector<SiteProgram> wanted;
      {
        const std::lock_guard lock(mutex_);
        if (stopping_) return;
        wanted.swap(wanted_);
      }
      for (SiteProgram& program : wanted) start(std::move(program));
      std::vector<pollfd> waits{{wake_.get(), POLLIN, 0}};
      for (const Running& one : running_) waits.push_back({one.ends.get(), POLLIN, 0});
      if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) return;
      uint64_t count;
      [[maybe_unused]] const ssize_t n = read(wake_.get(), &count, sizeof count);
      for (size_t i = running_.size(); i-- > 0;) {
        if (waits[i + 1].revents != 0) finish(i);
      }
    }
  }

  void start(SiteProgram program) {
    SiteProgramEnded about{program.job_id, program.restart, program.kind, ""};
    std::vector<std::string> words{program.path};
    auto entries = merge_environment(program.environment, "");
    const std::vector<char*> argv = as_argv(words), environment = as_argv(entries);
    const pid_t pid = fork();
    if (pid == 0) {
      leave_parent();
      if (chdir("/") != 0) _exit(126);
      execve(argv[0], argv.data(), environment.data());
      _exit(127);
    }
    const int fd = pid < 0 ? -1 : static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    if (fd >= 0) {
      running_.push_back({std::move(about), pid, UniqueFd(fd)});
      return;
    }
    if (pid > 0) {
      kill(-pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
    about.failure = program.path + " could not be started";
    listener_(std::move(about));
  }

  void finish(size_t index) {
    Running one = std::move(running_[index]);
    running_.erase(running_.begin() + static_cast<ptrdiff_t>(index));
    // While its number is still its own.
    kill(-one.pid, SIGKILL);
    int status = 0;
    waitpid(one.pid, &status, 0);
    if (status != 0) one.about.failure = describe_status(status);
    listener_(std::move(one.about));
  }

  Listener listener_;
  UniqueFd wake_;
  std::thread thread_;
  std::vector<Running> running_;  // of the thread alone, while it lives

  std::mutex mutex_;  // guards what follows
  std::vector<SiteProgram> wanted_;
  bool stopping_ = false;
};

SitePrograms::SitePrograms(Listener listener)
    : runner_(std::make_unique<Runner>(std::move(listener))) {}
SitePrograms::~SitePrograms() = default;

void SitePrograms::run(SiteProgram program) {
  runner_->add(std::move(program));
}

}  // namespace grappe::exec
