// The log: one line per event, "2026-11-15T18:34:20.123 info  text".
//
// It goes to standard error until open_log_file names a file. A line is one write(2), so lines of
// threads and of processes that share the file do not mix; line ends and control characters in
// the text are escaped, so that what a user wrote can't forge a line.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace grappe {

enum class LogLevel { kDebug, kInfo, kWarn, kError };

// Appends to `path` from now on; called again (after a log rotation) it opens the file anew.
Status open_log_file(const std::string& path);

// Lines below `level` are left out. At first that is kInfo.
void set_log_level(LogLevel level);
bool log_enabled(LogLevel level);

void log_line(LogLevel level, std::string_view text);

template <class... Args>
void log_at(LogLevel level, fmt::format_string<Args...> format, Args&&... args) {
  if (log_enabled(level)) log_line(level, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void log_debug(fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::kDebug, format, std::forward<Args>(args)...);
}
template <class... Args>
void log_info(fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::kInfo, format, std::forward<Args>(args)...);
}
template <class... Args>
void log_warn(fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::kWarn, format, std::forward<Args>(args)...);
}
template <class... Args>
void log_error(fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::kError, format, std::forward<Args>(args)...);
}

}  // namespace grappe
