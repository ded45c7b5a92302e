// Time stamps in a table: in the form SLURM_TIME_FORMAT asks for, the variable read once.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string>

#include "base/datetime.h"

namespace grappe {

class TimestampFormat {
 public:
  TimestampFormat() = default;
  static TimestampFormat from_environment(int64_t now) {
    TimestampFormat format;
    if (const char* text = std::getenv("SLURM_TIME_FORMAT")) format.format_ = text;
    format.now_ = now;
    return format;
  }

  void append(std::string& out, int64_t time) const { out += format_datetime(time, format_, now_); }

 private:
  std::string format_;
  int64_t now_ = 0;
};

// "Sun Nov 15 18:34:08 2026\n", the line above a long or repeated report.
inline void append_date_line(std::string& out, time_t now) {
  tm parts{};
  localtime_r(&now, &parts);
  char buffer[64];
  out.append(buffer, strftime(buffer, sizeof buffer, "%a %b %e %H:%M:%S %Y\n", &parts));
}

}  // namespace grappe
