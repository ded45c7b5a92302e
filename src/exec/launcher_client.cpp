#include "exec/launcher_client.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "base/log.h"
#include "exec/protocol.h"
#include "exec/step_name.h"

namespace grappe::exec {

// Callers write to the socket themselves while it takes everything; what it does not take waits for
// the thread, which also reads.
class LauncherExecutor::Connection {
 public:
  explicit Connection(UniqueFd socket)
      : socket_(std::move(socket)), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    fcntl(socket_.get(), F_SETFD, FD_CLOEXEC);
    fcntl(socket_.get(), F_SETFL, fcntl(socket_.get(), F_GETFL) | O_NONBLOCK);
    send(Hello{});
  }
  ~Connection() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake();
    if (thread_.joinable()) thread_.join();
  }

  void start(Listener listener) {
    listener_ = std::move(listener);
    thread_ = std::thread([this] { run(); });
  }

  void send(const LauncherRequest& request) {
    const std::string frame = encode_request(request);
    {
      const std::lock_guard lock(mutex_);
      const bool first = outgoing_.empty();
      outgoing_ += frame;
      if (!first) return;
      write_some();
      if (outgoing_.empty()) return;
    }
    wake();
  }

 private:
  void wake() {
    const uint64_t one = 1;
    // Fails only when the counter is full, and then the thread is awake anyway.
    [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof one);
  }

  void run() {
    while (true) {
      pollfd fds[2] = {{wake_.get(), POLLIN, 0}, {lost_ ? -1 : socket_.get(), POLLIN, 0}};
      {
        const std::lock_guard lock(mutex_);
        if (lost_) outgoing_.clear(), written_ = 0;
        if (stopping_ && outgoing_.empty()) return;
        if (!outgoing_.empty()) fds[1].events |= POLLOUT;
      }
      if (poll(fds, 2, -1) < 0 && errno != EINTR) return;
      uint64_t count;
      [[maybe_unused]] const ssize_t drained = read(wake_.get(), &count, sizeof count);
      if (fds[1].revents & POLLOUT) {
        const std::lock_guard lock(mutex_);
        write_some();
      }
      if (fds[1].revents & (POLLIN | POLLHUP | POLLERR)) read_some();
    }
  }

  // With the mutex held. A connection that is gone is noticed by who reads.
  void write_some() {
    const ssize_t n = ::send(socket_.get(), outgoing_.data() + written_,
                             outgoing_.size() - written_, MSG_NOSIGNAL);
    if (n < 0) return;
    written_ += static_cast<size_t>(n);
    if (written_ < outgoing_.size()) return;
    outgoing_.clear();
    written_ = 0;
  }

  void read_some() {
    char buffer[65536];
    const ssize_t n = read(socket_.get(), buffer, sizeof buffer);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) return lose("the launcher is gone");
    splitter_.append(buffer, static_cast<size_t>(n));
    std::vector<ExecEvent> events;
    const Status decoded = decode_into(events);
    if (!events.empty()) listener_(std::move(events));
    if (!decoded) lose(decoded.error().message);
  }

  Status decode_into(std::vector<ExecEvent>& events) {
    for (;;) {
      auto frame = splitter_.next();
      if (!frame) return tl::unexpected(frame.error());
      if (!*frame) return {};
      auto event = decode_event((*frame)->type, (*frame)->payload);
      if (!event) return tl::unexpected(event.error());
      events.push_back(std::move(*event));
    }
  }

  void lose(const std::string& why) {
    if (lost_) return;
    lost_ = true;
    log_warn("launcher: {}", why);
    listener_(one_event(ExecutorLost{}));
  }

  UniqueFd socket_, wake_;
  Listener listener_;
  std::thread thread_;
  // Of the thread alone.
  FrameSplitter splitter_;
  bool lost_ = false;

  std::mutex mutex_;  // guards what follows
  std::string outgoing_;
  size_t written_ = 0;  // of outgoing_
  bool stopping_ = false;
};

LauncherExecutor::LauncherExecutor(UniqueFd socket, std::string run_dir)
    : connection_(std::make_unique<Connection>(std::move(socket))), run_dir_(std::move(run_dir)) {}
LauncherExecutor::~LauncherExecutor() = default;

Result<std::unique_ptr<LauncherExecutor>> LauncherExecutor::from_environment() {
  const char* number = std::getenv("GRAPPE_LAUNCHER_FD");
  const char* run_dir = std::getenv("GRAPPE_RUN_DIR");
  if (number == nullptr || run_dir == nullptr) {
    return fail("grapped is started by grappe-launcher: GRAPPE_LAUNCHER_FD is not set");
  }
  const int fd = std::atoi(number);
  if (fcntl(fd, F_GETFD) < 0) return fail_errno("GRAPPE_LAUNCHER_FD", errno);
  return std::make_unique<LauncherExecutor>(UniqueFd(fd), run_dir);
}

void LauncherExecutor::listen(Listener listener) {
  programs_ = std::make_unique<SitePrograms>(
      [listener](SiteProgramEnded ended) { listener(one_event(std::move(ended))); });
  gpus_ = std::make_unique<GpuMeter>(gpu_library_, [listener](GpusMeasured measured) {
    listener(one_event(std::move(measured)));
  });
  connection_->start(std::move(listener));
}
void LauncherExecutor::start(StepLaunch launch) {
  connection_->send(std::move(launch));
}
void LauncherExecutor::signal(StepKey key, int signal_number, SignalTarget target) {
  connection_->send(SignalStep{key, signal_number, target});
}
void LauncherExecutor::end_node(StepKey key, uint32_t node_index) {
  connection_->send(EndNode{key, node_index});
}
void LauncherExecutor::confine(uint32_t job_id, uint32_t restart, JobConfinement confinement) {
  connection_->send(ConfineJob{job_id, restart, std::move(confinement)});
}
void LauncherExecutor::notify(StepKey key, std::string text, NoticeKind kind) {
  connection_->send(NotifyStep{key, std::move(text), kind});
}
void LauncherExecutor::freeze(uint32_t job_id, bool frozen) {
  connection_->send(FreezeJob{job_id, frozen});
}
void LauncherExecutor::forget(StepKey key) {
  connection_->send(ForgetStep{key});
}
void LauncherExecutor::clean(uint32_t job_id, uint32_t restart) {
  connection_->send(CleanJob{job_id, restart});
}
void LauncherExecutor::run(SiteProgram program) {
  programs_->run(std::move(program));
}
void LauncherExecutor::measure(uint64_t request, std::vector<StepKey> keys) {
  connection_->send(MeasureSteps{request, std::move(keys)});
}
void LauncherExecutor::measure_gpus() {
  gpus_->measure();
}
std::string LauncherExecutor::socket_path(StepKey key) const {
  return run_dir_ + "/steps/" + step_name(key);
}

}  // namespace grappe::exec
