// Who a process came from and when it began, from /proc/PID/stat.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace grappe {

struct ProcessStat {
  uint32_t parent = 0;
  uint64_t start = 0;  // ticks since the boot; with the pid it names a process for good
};

std::optional<ProcessStat> parse_process_stat(std::string_view line);
// None: there is no such process, or it is hidden from us.
std::optional<ProcessStat> read_process_stat(uint32_t pid);

}  // namespace grappe
