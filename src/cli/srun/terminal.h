// The terminal that srun runs on, for --pty: raw while the tasks have it, and as it was on every
// way out.
#pragma once

#include <sys/ioctl.h>
#include <termios.h>

#include <optional>
#include <string>

namespace grappe {

class RawTerminal {
 public:
  explicit RawTerminal(int fd);  // does nothing where `fd` is no terminal
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

  // Lines that were typed before; an end of input among them is the character for it, which the
  // kernel would turn into a NUL.
  const std::string& typed_before() const { return typed_before_; }

 private:
  int fd_;
  std::optional<termios> before_;
  std::string typed_before_;
};

// Rows and columns; nothing where `fd` is no terminal.
std::optional<winsize> window_size(int fd);

// False for a terminal whose foreground belongs to another job: reading would stop us.
bool may_read(int fd);

}  // namespace grappe
