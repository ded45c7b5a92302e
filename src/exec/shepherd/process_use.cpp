#include "exec/shepherd/process_use.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <unordered_map>

#include "base/process_stat.h"
#include "base/unique_fd.h"
#include "exec/os/files.h"
#include "exec/shepherd/process_tree.h"

namespace grappe::exec {
namespace {

// Numbers of /proc/PID/stat, counted from the field after the name.
constexpr size_t kParentField = 1, kFaults = 9, kChildFaults = 10, kUserTicks = 11,
                 kSystemTicks = 12, kChildUserTicks = 13, kChildSystemTicks = 14, kVirtual = 20,
                 kResident = 21, kFieldsRead = 22;

uint64_t ticks_to_us(uint64_t ticks) {
  static const auto per_second = static_cast<uint64_t>(sysconf(_SC_CLK_TCK));
  return ticks * (1'000'000 / per_second);
}

// Both files have fixed sizes of a few hundred bytes: one read without a buffer of its own.
std::string_view read_proc(pid_t pid, const char* name, std::array<char, 1024>& buffer) {
  char path[64];
  *fmt::format_to_n(path, sizeof path - 1, "/proc/{}/{}", pid, name).out = '\0';
  const UniqueFd file(open(path, O_RDONLY | O_CLOEXEC));
  if (!file) return {};
  const ssize_t size = read(file.get(), buffer.data(), buffer.size());
  return {buffer.data(), size > 0 ? static_cast<size_t>(size) : 0};
}

void add_use(const TaskUse& from, TaskUse& to) {
  to.cpu_us += from.cpu_us;
  to.rss_bytes += from.rss_bytes;
  to.vsize_bytes += from.vsize_bytes;
  to.pages += from.pages;
  to.read_bytes += from.read_bytes;
  to.written_bytes += from.written_bytes;
}

}  // namespace

std::optional<ProcessUse> parse_process_use(std::string_view line) {
  static const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const size_t name_end = line.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  std::array<uint64_t, kFieldsRead> fields{};
  const char* at = line.data() + name_end + 1;
  const char* const end = line.data() + line.size();
  for (uint64_t& field : fields) {
    while (at < end && *at == ' ') ++at;
    if (at == end) return std::nullopt;
    at = std::from_chars(at, end, field).ptr;  // a letter or a negative number is none of ours
    while (at < end && *at != ' ') ++at;
  }
  ProcessUse process;
  process.parent = static_cast<pid_t>(fields[kParentField]);
  process.use.cpu_us = ticks_to_us(fields[kUserTicks] + fields[kSystemTicks] +
                                   fields[kChildUserTicks] + fields[kChildSystemTicks]);
  process.use.rss_bytes = fields[kResident] * page;
  process.use.vsize_bytes = fields[kVirtual];
  process.use.pages = fields[kFaults] + fields[kChildFaults];
  return process;
}

std::optional<ProcessUse> read_process_use(pid_t pid, bool with_io) {
  std::array<char, 1024> buffer;
  auto process = parse_process_use(read_proc(pid, "stat", buffer));
  if (!process) return std::nullopt;
  process->pid = pid;
  if (with_io) {
    const ProcessIo io = parse_io(read_proc(pid, "io", buffer));
    process->use.read_bytes = io.read_bytes;
    process->use.written_bytes = io.written_bytes;
  }
  return process;
}

std::vector<TaskUse> add_up_tasks(const std::vector<ProcessUse>& processes, const TaskPids& tasks) {
  if (tasks.empty()) return {};
  std::unordered_map<pid_t, uint32_t> rank_of;
  for (const auto& [rank, pid] : tasks) rank_of.emplace(pid, rank);
  std::unordered_map<pid_t, pid_t> parent_of;
  if (tasks.size() > 1) {
    for (const ProcessUse& process : processes) parent_of.emplace(process.pid, process.parent);
  }
  const auto owner = [&](pid_t pid) {
    // Pids may be used again while we read: no more steps than there are processes.
    for (size_t left = parent_of.size() + 1; left > 0; --left) {
      if (const auto task = rank_of.find(pid); task != rank_of.end()) return task->second;
      const auto parent = parent_of.find(pid);
      if (parent == parent_of.end()) break;
      pid = parent->second;
    }
    return tasks.front().first;
  };
  std::map<uint32_t, TaskUse> sums;
  for (const ProcessUse& process : processes) {
    const uint32_t rank = tasks.size() == 1 ? tasks.front().first : owner(process.pid);
    TaskUse& sum = sums[rank];
    sum.rank = rank;
    add_use(process.use, sum);
  }
  std::vector<TaskUse> out;
  for (auto& [rank, use] : sums) out.push_back(use);
  return out;
}

std::vector<TaskUse> measure_tasks(const std::vector<pid_t>& pids, const TaskPids& tasks,
                                   bool with_io) {
  std::vector<ProcessUse> processes;
  processes.reserve(pids.size());
  for (const pid_t pid : pids) {
    if (auto process = read_process_use(pid, with_io)) processes.push_back(*process);
  }
  return add_up_tasks(processes, tasks);
}

ProcessTable::ProcessTable() {
  for (const pid_t pid : all_pids()) {
    const auto stat = read_process_stat(static_cast<uint32_t>(pid));
    if (stat) children_.emplace_back(static_cast<pid_t>(stat->parent), pid);
  }
  std::sort(children_.begin(), children_.end());
}

std::vector<pid_t> ProcessTable::below(const TaskPids& tasks) const {
  std::vector<pid_t> found;
  for (const auto& [rank, pid] : tasks) found.push_back(pid);
  for (size_t i = 0; i < found.size(); ++i) {
    auto child = std::lower_bound(children_.begin(), children_.end(), std::pair{found[i], 0});
    for (; child != children_.end() && child->first == found[i]; ++child) {
      found.push_back(child->second);
    }
  }
  return found;
}

}  // namespace grappe::exec
