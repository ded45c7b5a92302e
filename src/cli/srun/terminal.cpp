#include "cli/srun/terminal.h"

#include <poll.h>
#include <unistd.h>

namespace grappe {

namespace {

std::string read_lines(int fd, char end_of_input) {
  std::string lines;
  char buffer[4096];
  pollfd wait{fd, POLLIN, 0};
  while (may_read(fd) && poll(&wait, 1, 0) > 0 && (wait.revents & POLLIN)) {
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0) break;
    lines.append(buffer, static_cast<size_t>(n));
    if (n == 0) lines += end_of_input;
  }
  return lines;
}

}  // namespace

RawTerminal::RawTerminal(int fd) : fd_(fd) {
  termios now{};
  if (tcgetattr(fd, &now) != 0) return;
  before_ = now;
  if (now.c_lflag & ICANON) typed_before_ = read_lines(fd, static_cast<char>(now.c_cc[VEOF]));
  cfmakeraw(&now);
  tcsetattr(fd, TCSANOW, &now);
}

RawTerminal::~RawTerminal() {
  if (before_) tcsetattr(fd_, TCSANOW, &*before_);
}

std::optional<winsize> window_size(int fd) {
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return std::nullopt;
  return size;
}

bool may_read(int fd) {
  const pid_t foreground = tcgetpgrp(fd);
  return foreground < 0 || foreground == getpgrp();
}

}  // namespace grappe
