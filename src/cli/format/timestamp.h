// Time stamps as Slurm's tables show them, in the form SLURM_TIME_FORMAT asks for: "standard"
// (2026-11-15T19:51:05), "relative" ("19:51:05", "Tomorr 22:55", "Mon 10:00", "16 Nov 2027"), or
// any format of strftime.
#pragma once

#include <cstdint>
#include <string>

namespace grappe {

class TimestampFormat {
 public:
  // Null or empty: standard.
  explicit TimestampFormat(const char* format = nullptr, int64_t now = 0);
  // From SLURM_TIME_FORMAT.
  static TimestampFormat from_environment(int64_t now);

  void append(std::string& out, int64_t time) const;

 private:
  void append_relative(std::string& out, int64_t time) const;

  enum class Kind { kStandard, kRelative, kCustom };
  Kind kind_ = Kind::kStandard;
  std::string custom_;
  int64_t now_;
};

// "Sun Nov 15 18:34:08 2026\n", the line above a long or repeated report.
void append_date_line(std::string& out, int64_t now);

}  // namespace grappe
