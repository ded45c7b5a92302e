#include "cli/sacctmgr/confirm.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <string>

namespace grappe::sacctmgr {
namespace {

// A letter counts when it is typed, without the key that ends a line.
class LetterByLetter {
 public:
  LetterByLetter() : is_terminal_(tcgetattr(STDIN_FILENO, &before_) == 0) {
    if (!is_terminal_) return;
    termios mode = before_;
    mode.c_lflag &= ~static_cast<tcflag_t>(ICANON);
    mode.c_cc[VMIN] = 1;
    mode.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &mode);
  }
  ~LetterByLetter() {
    if (is_terminal_) tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  }
  LetterByLetter(const LetterByLetter&) = delete;
  LetterByLetter& operator=(const LetterByLetter&) = delete;

 private:
  termios before_{};
  bool is_terminal_;
};

enum class Heard { kLetter, kNothing, kEnd };

// One letter of standard input, which nothing else reads ahead of.
Heard hear(char& letter, std::chrono::steady_clock::time_point until) {
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return Heard::kNothing;
    pollfd input{STDIN_FILENO, POLLIN, 0};
    const int ready = poll(&input, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return Heard::kNothing;
    return read(STDIN_FILENO, &letter, 1) == 1 ? Heard::kLetter : Heard::kEnd;
  }
}

}  // namespace

bool ask_at_terminal(std::string_view question) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  std::printf("%s (You have 30 seconds to decide)\n(N/y): ", std::string(question).c_str());
  std::fflush(stdout);
  const LetterByLetter mode;
  char letter = 0;
  while (true) {
    const Heard heard = hear(letter, until);
    std::puts(heard == Heard::kNothing ? "timeout" : "");
    if (heard != Heard::kLetter) return false;
    if (letter == 'y' || letter == 'Y') return true;
    if (letter == 'n' || letter == 'N' || letter == '\n') return false;
    std::printf("Y or N please\n(N/y): ");
    std::fflush(stdout);
  }
}

}  // namespace grappe::sacctmgr
