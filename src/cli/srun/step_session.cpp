#include "cli/srun/step_session.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "cli/srun/terminal.h"

namespace grappe {
namespace {

using exec::FrameType;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Ends of tasks that come within this time are told together.
constexpr milliseconds kGather{200};
// What may wait to be written, in either direction, before we stop reading.
constexpr size_t kBacklog = 1 << 20;
// A second Ctrl-C within this time means it.
constexpr seconds kSecondInterrupt{1};
constexpr milliseconds kInterruptGrace{300};

}  // namespace

int connect_step_socket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  path.copy(address.sun_path, path.size());
  UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd) return -1;
  if (connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const int error = errno;
    fd.reset();
    errno = error;
    return -1;
  }
  return fd.release();
}

StepSession::StepSession(SessionSetup setup, const StepFace& face, StepOutput& output,
                         Signals& signals, const Report& report)
    : setup_(std::move(setup)),
      face_(face),
      output_(output),
      signals_(signals),
      report_(report),
      board_(face, report,
             setup_.attached ? TaskBoard::Wording::kSingly : TaskBoard::Wording::kGrouped) {}

SessionEnd StepSession::run() {
  greet();
  while (!done_) turn();
  output_.end_all();
  board_.tell();
  drain_output();
  if (lost_ && !board_.all_exited()) {
    report_.error("The connection to " + face_.id() + " is lost");
    return {1, 1 << 8};
  }
  const int status = board_.status();
  // Slurm's sattach does not count a signal.
  if (setup_.attached && WIFSIGNALED(status)) return {0, status};
  const bool ended_by_force =
      WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM);
  if (ended_by_force && !aborted_ && !setup_.attached) {
    report_.info("Force Terminated " + face_.id());
  }
  return {board_.exit_code(), status};
}

void StepSession::greet() {
  const exec::HelloPayload hello{exec::kStepIoVersion, setup_.attached ? 0u : 1u};
  send(make_frame(FrameType::kHello, exec::kAllTasks, exec::as_payload(hello)));
  if (!setup_.typed_before.empty()) {
    send(make_frame(FrameType::kStdin, setup_.input_task.value_or(exec::kAllTasks),
                    setup_.typed_before));
  }
  if (setup_.attached) return;
  if (setup_.input < 0) {
    send(make_frame(FrameType::kStdinEnd, exec::kAllTasks));
  } else if (setup_.input_task) {
    for (uint32_t task = 0; task < face_.task_node.size(); ++task) {
      if (task != *setup_.input_task) send(make_frame(FrameType::kStdinEnd, task));
    }
  }
}

// --- Waiting.

void StepSession::turn() {
  std::vector<pollfd> waits;
  const bool may_take = output_.backlog() < kBacklog;
  waits.push_back({setup_.socket.get(),
                   static_cast<short>((may_take ? POLLIN : 0) | (outgoing_.empty() ? 0 : POLLOUT)),
                   0});
  waits.push_back({signals_.fd(), POLLIN, 0});
  const bool reads = setup_.input >= 0 && outgoing_.size() < kBacklog && may_read(setup_.input);
  waits.push_back({reads ? setup_.input : -1, POLLIN, 0});
  std::vector<OutputFile*> writers;
  for (const auto& file : output_.files()) {
    if (!file->has_backlog()) continue;
    waits.push_back({file->fd(), POLLOUT, 0});
    writers.push_back(file.get());
  }
  int timeout = time_left();
  // The foreground of a terminal changes hands without a word.
  if (setup_.input >= 0 && !reads && (timeout < 0 || timeout > 500)) timeout = 500;
  if (poll(waits.data(), waits.size(), timeout) > 0) {
    for (size_t i = 0; i < writers.size(); ++i) {
      if (waits[3 + i].revents) writers[i]->write_some();
    }
    if (waits[1].revents) {
      while (auto number = signals_.next()) handle_signal(*number);
    }
    if (waits[0].revents & POLLOUT) flush_socket();
    if (waits[0].revents & (POLLIN | POLLHUP | POLLERR)) read_frames();
    if (waits[2].revents && !done_) read_input();
  }
  check_timers();
}

int StepSession::time_left() const {
  Time first;
  for (const Time& time : {tell_at_, wait_until_, kill_at_, give_up_at_}) {
    if (time && (!first || *time < *first)) first = time;
  }
  if (!first) return -1;
  const auto left = std::chrono::ceil<milliseconds>(*first - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 1 << 30));
}

void StepSession::check_timers() {
  const auto now = Clock::now();
  if (tell_at_ && now >= *tell_at_) {
    tell_at_.reset();
    board_.tell();
  }
  if (wait_until_ && now >= *wait_until_ && !done_) {
    wait_until_.reset();
    patience_over();
  }
  if (kill_at_ && now >= *kill_at_ && !done_) {
    kill_at_.reset();
    kill_step();
  }
  if (give_up_at_ && now >= *give_up_at_ && !done_) {
    give_up_at_.reset();
    report_.error("Timed out waiting for job step to complete");
    done_ = true;
  }
  const bool broken = std::any_of(output_.files().begin(), output_.files().end(),
                                  [](const auto& file) { return file->broken(); });
  // Whoever read the output is gone. Without srun in between the tasks would hear of it so.
  if (broken && !told_of_pipe_ && !setup_.attached) send_signal(SIGPIPE);
  told_of_pipe_ = told_of_pipe_ || broken;
}

void StepSession::drain_output() {
  for (const auto& file : output_.files()) {
    while (file->has_backlog()) {
      pollfd waits[] = {{file->fd(), POLLOUT, 0}, {signals_.fd(), POLLIN, 0}};
      if (poll(waits, 2, -1) < 0 && errno != EINTR) return;
      while (auto number = signals_.next()) {
        if (asks_to_stop(*number)) return;
      }
      if (waits[0].revents) file->write_some();
    }
  }
}

// --- To the shepherd.

void StepSession::send(const std::string& frame) {
  outgoing_ += frame;
  if (!heard_) unheard_ += frame;
  flush_socket();
}

void StepSession::flush_socket() {
  size_t done = 0;
  while (done < outgoing_.size()) {
    const ssize_t n = ::send(setup_.socket.get(), outgoing_.data() + done, outgoing_.size() - done,
                             MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    // A broken connection shows itself to the reader.
    if (n < 0 && errno != EAGAIN) done = outgoing_.size();
    if (n < 0) break;
    done += static_cast<size_t>(n);
  }
  outgoing_.erase(0, done);
}

void StepSession::send_signal(int number) {
  const int32_t payload = number;
  send(make_frame(FrameType::kSignal, exec::kAllTasks, exec::as_payload(payload)));
}

void StepSession::send_window_size() {
  const auto size = window_size(setup_.input >= 0 ? setup_.input : STDIN_FILENO);
  if (!size) return;
  const exec::ResizePayload payload{size->ws_row, size->ws_col};
  send(make_frame(FrameType::kResize, 0, exec::as_payload(payload)));
}

void StepSession::read_input() {
  char buffer[65536];
  const ssize_t n = read(setup_.input, buffer, sizeof buffer);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (n <= 0) return end_input();
  const uint32_t task = setup_.input_task.value_or(exec::kAllTasks);
  send(make_frame(FrameType::kStdin, task, {buffer, static_cast<size_t>(n)}));
}

void StepSession::end_input() {
  setup_.input = -1;
  if (setup_.attached) return;
  send(make_frame(FrameType::kStdinEnd, setup_.input_task.value_or(exec::kAllTasks)));
}

// --- From the shepherd.

void StepSession::read_frames() {
  char buffer[65536];
  const ssize_t n = recv(setup_.socket.get(), buffer, sizeof buffer, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) return lost();
  heard_ = true;
  unheard_.clear();
  reader_.append(buffer, static_cast<size_t>(n));
  while (!done_) {
    auto frame = reader_.next();
    if (!frame) return lost();
    if (!*frame) return;
    handle(**frame);
  }
}

void StepSession::lost() {
  if (!heard_ && setup_.reconnect) {
    setup_.socket = setup_.reconnect();
    outgoing_ = unheard_;
    if (setup_.socket) return flush_socket();
  }
  done_ = true;
  lost_ = true;
}

void StepSession::handle(const exec::FrameReader::Frame& frame) {
  // What the service itself says to the step comes without a task: Slurm gives it to the first.
  const uint32_t task = frame.task == exec::kAllTasks ? 0 : frame.task;
  switch (static_cast<FrameType>(frame.type)) {
    case FrameType::kStarted:
      return board_.started(task);
    case FrameType::kStdout:
      return output_.data(StepOutput::kOut, task, frame.payload);
    case FrameType::kStderr:
      return output_.data(StepOutput::kErr, task, frame.payload);
    case FrameType::kStdoutEnd:
      return output_.end(StepOutput::kOut, task);
    case FrameType::kStderrEnd:
      return output_.end(StepOutput::kErr, task);
    case FrameType::kOutOfMemory:
      return board_.out_of_memory(task);
    case FrameType::kTaskFailed:
      return board_.failed(task, frame.payload);
    case FrameType::kTaskExit:
      if (const auto status = exec::from_payload<int32_t>(frame.payload)) {
        task_exited(task, *status);
      }
      return;
    case FrameType::kEnding:
      if (setup_.attached) return;
      return step_aborted(exec::from_payload<uint32_t>(frame.payload).value_or(30) + 2);
    case FrameType::kDone:
      done_ = true;
      return;
    default:  // of a newer shepherd
      return;
  }
}

void StepSession::task_exited(uint32_t task, int status) {
  board_.exited(task, status);
  if (!tell_at_) tell_at_ = Clock::now() + kGather;
  if (board_.all_exited()) return wait_until_.reset();
  if (board_.any_bad() && setup_.kill_on_bad_exit && !told_of_bad_exit_) {
    told_of_bad_exit_ = true;
    board_.tell();
    report_.info("launch/slurm: _step_signal: Terminating " + face_.id());
  } else if (setup_.wait_s > 0 && !wait_until_ && !aborted_) {
    wait_until_ = Clock::now() + seconds(setup_.wait_s);
  }
}

void StepSession::patience_over() {
  board_.tell();
  report_.info(fmt::format("First task exited {}s ago", setup_.wait_s));
  board_.print_states();
  report_.info("launch/slurm: _step_signal: Terminating " + face_.id());
  step_aborted(setup_.kill_wait_s + 2);
  kill_step();
}

// --- Signals.

void StepSession::handle_signal(int number) {
  if (number == SIGWINCH) {
    if (setup_.pty) send_window_size();
    return;
  }
  if (setup_.attached) {
    done_ = done_ || asks_to_stop(number);
    return;
  }
  switch (number) {
    case SIGINT:
      return interrupt();
    case SIGQUIT:
      report_.info("Quit");
      return force_termination();
    case SIGTERM:
    case SIGHUP:
      return force_termination();
    case SIGCONT:
      return report_.info("got SIGCONT");
    case SIGUSR1:
    case SIGUSR2:
      return send_signal(number);
    default:
      return;
  }
}

void StepSession::interrupt() {
  const auto now = Clock::now();
  const bool again = last_interrupt_ && now - *last_interrupt_ <= kSecondInterrupt;
  last_interrupt_ = now;
  if (!again && !setup_.quit_on_interrupt && !aborted_) {
    if (!setup_.disable_status) {
      report_.info("interrupt (one more within 1 sec to abort)");
      return board_.print_states();
    }
    report_.info("sending Ctrl-C to " + face_.id());
    return send_signal(SIGINT);
  }
  board_.hush();
  if (forced_) return;
  report_.info("sending Ctrl-C to " + face_.id());
  send_signal(SIGINT);
  // Those who listen to it need not be killed.
  force_termination(kInterruptGrace);
}

void StepSession::force_termination(milliseconds grace) {
  if (forced_) return;
  forced_ = true;
  report_.info("forcing job termination");
  step_aborted(setup_.kill_wait_s + 2);
  if (grace.count() > 0) {
    kill_at_ = Clock::now() + grace;
  } else {
    kill_step();
  }
}

void StepSession::kill_step() {
  if (!setup_.kill_step || !setup_.kill_step()) send_signal(SIGKILL);
}

void StepSession::step_aborted(uint32_t patience) {
  if (aborted_) return;
  aborted_ = true;
  wait_until_.reset();
  report_.info(
      fmt::format("Job step aborted: Waiting up to {} seconds for job step to finish.", patience));
  // The service kills what is left by then; a little longer, and it is not there.
  give_up_at_ = Clock::now() + seconds(patience + 5);
}

}  // namespace grappe
