#include "base/process_stat.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "base/text.h"
#include "base/unique_fd.h"

namespace grappe {

std::optional<ProcessStat> parse_process_stat(std::string_view line) {
  // The name in parentheses may hold anything, so the fields are counted after its end.
  const size_t name_end = line.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  constexpr size_t kParent = 1, kStart = 19;
  const auto fields = split_words(line.substr(name_end + 1), " \n");
  if (fields.size() <= kStart) return std::nullopt;
  const auto parent = parse_uint(fields[kParent], UINT32_MAX);
  const auto start = parse_uint(fields[kStart]);
  if (!parent || !start) return std::nullopt;
  return ProcessStat{static_cast<uint32_t>(*parent), *start};
}

std::optional<ProcessStat> read_process_stat(uint32_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/stat";
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return std::nullopt;
  char line[1024];
  const ssize_t size = ::read(file.get(), line, sizeof line);
  if (size <= 0) return std::nullopt;
  return parse_process_stat({line, static_cast<size_t>(size)});
}

}  // namespace grappe
