#include "exec/shepherd/task_io.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "exec/os/process.h"

namespace grappe::exec {
namespace {

constexpr size_t kInputSaturated = 1 << 20;
constexpr size_t kInputDrained = 1 << 18;

void set_nonblocking(int fd) {
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

}  // namespace

TaskIo::TaskIo(EventLoop& loop, Output output, std::function<void()> changed)
    : loop_(loop), output_(std::move(output)), changed_(std::move(changed)) {}

Status TaskIo::open(const StepLaunch& launch, const Identity* identity) {
  child_ends_.resize(launch.tasks.size());
  for (size_t i = 0; i < launch.tasks.size(); ++i) {
    const bool has_pty = launch.pty && i == 0;
    auto done = has_pty ? open_pty(launch, identity) : open_pipes(launch.tasks[i], child_ends_[i]);
    if (!done) return done;
  }
  open_outputs_ = outlets_.size();
  return {};
}

Status TaskIo::open_pty(const StepLaunch& launch, const Identity* identity) {
  // The slave belongs to whoever opens the master.
  if (identity != nullptr) {
    if (auto done = set_effective(*identity); !done) return done;
  }
  UniqueFd master(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  const int error = errno;
  if (identity != nullptr) {
    if (auto done = restore_root(); !done) return done;
  }
  if (!master) return fail_errno("open a terminal", error);
  if (unlockpt(master.get()) != 0) return fail_errno("unlock the terminal", errno);
  pty_slave_.reset(ioctl(master.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!pty_slave_) return fail_errno("open the terminal's other end", errno);
  pty_master_ = master.get();
  if (launch.rows > 0) resize({launch.rows, launch.cols});
  set_nonblocking(pty_master_);

  const uint32_t rank = launch.tasks[0].rank;
  inlets_.push_back({UniqueFd(fcntl(pty_master_, F_DUPFD_CLOEXEC, 3)), rank, "", false, true});
  outlets_.push_back({std::move(master), rank, FrameType::kStdout, FrameType::kStdoutEnd});
  return {};
}

Status TaskIo::open_pipes(const TaskLaunch& task, Ends& ends) {
  if (task.std_in.empty()) {
    Pipe pipe = make_pipe();
    if (!pipe.read_end) return fail_errno("make a pipe", errno);
    set_nonblocking(pipe.write_end.get());
    ends.in = std::move(pipe.read_end);
    inlets_.push_back({std::move(pipe.write_end), task.rank, "", false, false});
  }
  const auto add_outlet = [&](UniqueFd& end, FrameType data, FrameType close) -> Status {
    Pipe pipe = make_pipe();
    if (!pipe.read_end) return fail_errno("make a pipe", errno);
    set_nonblocking(pipe.read_end.get());
    end = std::move(pipe.write_end);
    outlets_.push_back({std::move(pipe.read_end), task.rank, data, close});
    return {};
  };
  if (task.std_out.empty()) {
    auto done = add_outlet(ends.out, FrameType::kStdout, FrameType::kStdoutEnd);
    if (!done) return done;
  }
  if (task.std_err.empty()) return add_outlet(ends.err, FrameType::kStderr, FrameType::kStderrEnd);
  return {};
}

TaskStreams TaskIo::child_streams(size_t task_index) const {
  const Ends& ends = child_ends_[task_index];
  TaskStreams streams{ends.in.get(), ends.out.get(), ends.err.get(), -1};
  if (task_index == 0) streams.terminal = pty_slave_.get();
  return streams;
}

void TaskIo::close_child_ends() {
  child_ends_.clear();
  pty_slave_.reset();
}

void TaskIo::start() {
  for (size_t i = 0; i < outlets_.size(); ++i) watch(i);
}

void TaskIo::watch(size_t outlet) {
  if (!outlets_[outlet].fd) return;
  loop_.add(outlets_[outlet].fd.get(), EPOLLIN, [this, outlet](uint32_t) { read_from(outlet); });
}

void TaskIo::pause(bool paused) {
  if (paused_ == paused) return;
  paused_ = paused;
  for (size_t i = 0; i < outlets_.size(); ++i) {
    if (paused && outlets_[i].fd) loop_.remove(outlets_[i].fd.get());
    if (!paused) watch(i);
  }
}

void TaskIo::read_from(size_t index) {
  Outlet& outlet = outlets_[index];
  char buffer[65536];
  const ssize_t n = read(outlet.fd.get(), buffer, sizeof buffer);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  // A terminal whose last user is gone answers with EIO.
  if (n <= 0) return close_outlet(outlet);
  output_(outlet.data, outlet.rank, {buffer, static_cast<size_t>(n)});
}

void TaskIo::close_outlet(Outlet& outlet) {
  if (!outlet.fd) return;
  loop_.remove(outlet.fd.get());
  if (outlet.fd.get() == pty_master_) pty_master_ = -1;
  outlet.fd.reset();
  --open_outputs_;
  output_(outlet.end, outlet.rank, {});
  if (open_outputs_ == 0) changed_();
}

void TaskIo::close_outputs() {
  for (Outlet& outlet : outlets_) close_outlet(outlet);
}

void TaskIo::input(uint32_t rank, const std::string& data) {
  for (Inlet& inlet : inlets_) {
    if ((rank != kAllTasks && rank != inlet.rank) || !inlet.fd || inlet.ending) continue;
    inlet.waiting += data;
    write_to(inlet);
  }
  update_input_backlog();
}

void TaskIo::input_ended(uint32_t rank) {
  for (Inlet& inlet : inlets_) {
    if ((rank != kAllTasks && rank != inlet.rank) || !inlet.fd || inlet.ending) continue;
    // A terminal has no end, only the character that its reader takes for one.
    if (inlet.terminal) inlet.waiting += '\4';
    inlet.ending = true;
    write_to(inlet);
  }
}

void TaskIo::write_to(Inlet& inlet) {
  const int fd = inlet.fd.get();
  while (!inlet.waiting.empty()) {
    const ssize_t n = write(fd, inlet.waiting.data(), inlet.waiting.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) {
      loop_.add(fd, EPOLLOUT, [this, &inlet](uint32_t) {
        write_to(inlet);
        update_input_backlog();
      });
      return;
    }
    if (n < 0) {  // the reader is gone
      inlet.waiting.clear();
      inlet.ending = true;
      break;
    }
    inlet.waiting.erase(0, static_cast<size_t>(n));
  }
  loop_.remove(fd);
  if (inlet.ending) inlet.fd.reset();
}

void TaskIo::update_input_backlog() {
  size_t largest = 0;
  for (const Inlet& inlet : inlets_) largest = std::max(largest, inlet.waiting.size());
  const bool saturated = input_saturated_ ? largest >= kInputDrained : largest > kInputSaturated;
  if (saturated == input_saturated_) return;
  input_saturated_ = saturated;
  changed_();
}

void TaskIo::resize(ResizePayload size) {
  if (pty_master_ < 0) return;
  const winsize window{size.rows, size.cols, 0, 0};
  ioctl(pty_master_, TIOCSWINSZ, &window);
}

}  // namespace grappe::exec
