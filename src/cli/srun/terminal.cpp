#include "cli/srun/terminal.h"

#include <unistd.h>

namespace grappe {

RawTerminal::RawTerminal(int fd) : fd_(fd) {
  termios now{};
  if (tcgetattr(fd, &now) != 0) return;
  before_ = now;
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
