#include "exec/shepherd/process_tree.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <string_view>
#include <unordered_map>

#include "base/process_stat.h"
#include "exec/os/files.h"

namespace grappe::exec {
namespace {

pid_t parse_pid(std::string_view text) {
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  return error == std::errc() && end == text.data() + text.size() ? pid : 0;
}

}  // namespace

uint64_t number_after(std::string_view text, std::string_view label) {
  const size_t at = text.find(label);
  if (at == std::string::npos) return 0;
  uint64_t number = 0;
  const char* start = text.data() + at + label.size();
  std::from_chars(start, text.data() + text.size(), number);
  return number;
}

std::vector<pid_t> all_pids() {
  std::vector<pid_t> pids;
  for (const std::string& name : list_dir("/proc")) {
    if (const pid_t pid = parse_pid(name); pid > 0) pids.push_back(pid);
  }
  return pids;
}

std::vector<pid_t> descendants_of(pid_t root) {
  std::unordered_multimap<pid_t, pid_t> children;
  for (const pid_t pid : all_pids()) {
    const auto stat = read_process_stat(static_cast<uint32_t>(pid));
    if (stat) children.emplace(static_cast<pid_t>(stat->parent), pid);
  }
  std::vector<pid_t> found;
  std::vector<pid_t> open{root};
  while (!open.empty()) {
    const pid_t parent = open.back();
    open.pop_back();
    const auto [first, last] = children.equal_range(parent);
    for (auto it = first; it != last; ++it) {
      found.push_back(it->second);
      open.push_back(it->second);
    }
  }
  return found;
}

std::vector<pid_t> read_pids(const std::string& procs_path) {
  std::vector<pid_t> pids;
  const std::string text = read_file(procs_path).value_or("");
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    if (const pid_t pid = parse_pid(rest.substr(0, end)); pid > 0) pids.push_back(pid);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return pids;
}

std::vector<pid_t> processes_marked(const std::string& entry) {
  const std::string needle = '\0' + entry + '\0';
  std::vector<pid_t> found;
  for (const pid_t pid : all_pids()) {
    const auto environment = read_file("/proc/" + std::to_string(pid) + "/environ");
    if (environment && ('\0' + *environment).find(needle) != std::string::npos) {
      found.push_back(pid);
    }
  }
  return found;
}

UniqueFd open_io_of(pid_t pid) {
  return UniqueFd(open(("/proc/" + std::to_string(pid) + "/io").c_str(), O_RDONLY | O_CLOEXEC));
}

ProcessIo read_io(int fd) {
  char buffer[512];
  const ssize_t n = pread(fd, buffer, sizeof buffer, 0);
  return parse_io({buffer, n > 0 ? static_cast<size_t>(n) : 0});
}

ProcessIo parse_io(std::string_view text) {
  return {number_after(text, "rchar: "), number_after(text, "wchar: ")};
}

}  // namespace grappe::exec
