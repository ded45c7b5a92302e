// The other end of a step's socket, for tests: says what it was told to say, and keeps what it
// heard.
#pragma once

#include <poll.h>
#include <sys/socket.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "exec/step_io.h"

namespace grappe {

class FakeShepherd {
 public:
  using Frame = exec::FrameReader::Frame;

  FakeShepherd() {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return;
    own_ = UniqueFd(pair[0]);
    other_ = UniqueFd(pair[1]);
  }

  UniqueFd take_client_end() { return std::move(other_); }

  void say(exec::FrameType type, uint32_t task, std::string_view payload = {}) {
    const std::string frame = exec::make_frame(type, task, payload);
    [[maybe_unused]] const ssize_t n = send(own_.get(), frame.data(), frame.size(), MSG_NOSIGNAL);
  }
  void exit(uint32_t task, int32_t status) {
    say(exec::FrameType::kTaskExit, task, exec::as_payload(status));
  }
  void done() { say(exec::FrameType::kDone, exec::kAllTasks); }
  void hang_up() { own_.reset(); }

  // The next frame that came; an empty one after 5 seconds.
  Frame hear() {
    for (;;) {
      auto frame = reader_.next();
      if (frame && *frame) return **frame;
      pollfd wait{own_.get(), POLLIN, 0};
      char buffer[65536];
      if (poll(&wait, 1, 5000) <= 0) return {};
      const ssize_t n = recv(own_.get(), buffer, sizeof buffer, 0);
      if (n <= 0) return {};
      reader_.append(buffer, static_cast<size_t>(n));
    }
  }
  // Skips frames of other types.
  Frame hear(exec::FrameType type) {
    for (;;) {
      Frame frame = hear();
      if (frame.type == static_cast<uint32_t>(type) || frame.type == 0) return frame;
    }
  }

 private:
  UniqueFd own_, other_;
  exec::FrameReader reader_;
};

}  // namespace grappe
