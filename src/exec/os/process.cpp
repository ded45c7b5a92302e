#include "exec/os/process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string_view>
#include <unordered_map>

namespace grappe::exec {
namespace {

void close_from_to(unsigned first, unsigned last) {
  if (first <= last) syscall(SYS_close_range, first, last, 0);
}

template <class Action>
void each_entry(std::string_view block, Action action) {
  while (!block.empty()) {
    const size_t end = std::min(block.find('\0'), block.size());
    if (end > 0) action(block.substr(0, end));
    block.remove_prefix(std::min(end + 1, block.size()));
  }
}

void unblock_signals() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

bool names(const std::string& entry, const std::string& name) {
  return entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name);
}

}  // namespace

void close_all_but(std::vector<int> keep) {
  std::sort(keep.begin(), keep.end());
  unsigned first = 3;
  for (const int fd : keep) {
    if (fd < static_cast<int>(first)) continue;
    close_from_to(first, static_cast<unsigned>(fd) - 1);
    first = static_cast<unsigned>(fd) + 1;
  }
  close_from_to(first, ~0U);
}

void reset_signals() {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) {
    if (number != SIGKILL && number != SIGSTOP) sigaction(number, &action, nullptr);
  }
  unblock_signals();
}

void give_signals_back() {
  signal(SIGPIPE, SIG_DFL);
  unblock_signals();
}

void detach_standard_streams() {
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int fd : {0, 1, 2}) dup2(null, fd);
  if (null > 2) close(null);
}

void leave_parent() {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  reset_signals();
  detach_standard_streams();
  close_all_but({});
  umask(022);
}

void write_title(std::span<char> room, const std::string& title) {
  if (room.empty()) return;
  std::fill(room.begin(), room.end(), '\0');
  title.copy(room.data(), room.size() - 1);
}

Pipe make_pipe() {
  int fds[2] = {-1, -1};
  if (pipe2(fds, O_CLOEXEC) != 0) return {};
  return {UniqueFd(fds[0]), UniqueFd(fds[1])};
}

std::vector<std::string> merge_environment(const std::string& base, const std::string& over) {
  std::vector<std::string> merged;
  std::unordered_map<std::string_view, size_t> places;
  const auto put = [&](std::string_view entry) {
    const std::string_view name = entry.substr(0, entry.find('='));
    const auto found = places.find(name);
    if (name.size() == entry.size()) {
      if (found == places.end()) return;
      merged[found->second].clear();
      places.erase(found);
    } else if (found != places.end()) {
      merged[found->second] = entry;
    } else {
      places.emplace(name, merged.size());
      merged.emplace_back(entry);
    }
  };
  each_entry(base, put);
  each_entry(over, put);
  std::erase_if(merged, [](const std::string& entry) { return entry.empty(); });
  return merged;
}

std::string environment_value(const std::vector<std::string>& environment,
                              const std::string& name) {
  for (const std::string& entry : environment) {
    if (names(entry, name)) return entry.substr(name.size() + 1);
  }
  return "";
}

void set_environment_value(std::vector<std::string>& environment, const std::string& name,
                           const std::string& value) {
  unset_environment_value(environment, name);
  environment.push_back(name + "=" + value);
}

void unset_environment_value(std::vector<std::string>& environment, const std::string& name) {
  std::erase_if(environment, [&](const std::string& entry) { return names(entry, name); });
}

std::vector<char*> as_argv(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::string describe_status(int status) {
  if (WIFEXITED(status)) return fmt::format("exited with status {}", WEXITSTATUS(status));
  return fmt::format("was ended by signal {}", WTERMSIG(status));
}

}  // namespace grappe::exec
