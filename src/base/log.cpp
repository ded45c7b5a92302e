#include "base/log.h"

#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <ctime>

#include "base/unique_fd.h"

namespace grappe {
namespace {

// The one mutable global of the program: a logger handed through every call would be noise.
std::atomic<int> log_fd = STDERR_FILENO;
std::atomic<LogLevel> lowest_level = LogLevel::kInfo;

constexpr const char* kLevelNames[] = {"debug", "info ", "warn ", "error"};

std::string timestamp() {
  timeval now{};
  gettimeofday(&now, nullptr);
  tm local{};
  localtime_r(&now.tv_sec, &local);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}", local.tm_year + 1900,
                     local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec,
                     now.tv_usec / 1000);
}

void append_escaped(std::string& line, std::string_view text) {
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      line += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      line += fmt::format("\\x{:02x}", byte);
    } else {
      line += c;
    }
  }
}

}  // namespace

Status open_log_file(const std::string& path) {
  UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640));
  if (!file) return fail_errno("open " + path, errno);
  int current = log_fd.load();
  if (current == STDERR_FILENO) {
    log_fd.store(file.release());
    return {};
  }
  // Replacing the file under the same number leaves no moment at which a writer has a closed one.
  if (::dup3(file.get(), current, O_CLOEXEC) < 0) return fail_errno("dup3", errno);
  return {};
}

void set_log_level(LogLevel level) {
  lowest_level.store(level, std::memory_order_relaxed);
}

bool log_enabled(LogLevel level) {
  return level >= lowest_level.load(std::memory_order_relaxed);
}

void log_line(LogLevel level, std::string_view text) {
  int saved_errno = errno;
  std::string line = timestamp();
  line.append(" ").append(kLevelNames[static_cast<int>(level)]).append(" ");
  append_escaped(line, text);
  line += '\n';
  // A log that can't be written (disk full) must not stop the program.
  ssize_t written = ::write(log_fd.load(), line.data(), line.size());
  static_cast<void>(written);
  errno = saved_errno;
}

}  // namespace grappe
