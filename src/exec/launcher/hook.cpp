#include "exec/launcher/hook.h"

#include <fmt/core.h>
#include <glob.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <deque>
#include <string_view>

#include "exec/os/process.h"

namespace grappe::exec {
namespace {

constexpr char kPath[] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
constexpr int kMaxLinks = 16;

// Variables that Slurm gives to a prolog. Any other, LD_PRELOAD say, would let whoever controls
// grapped run code of their own as root.
constexpr std::string_view kHarmlessPrefixes[] = {"SLURM_", "SLURMD_", "CUDA_",  "ROCR_",
                                                  "GPU_",   "ZE_",     "GRAPPE_"};

bool is_harmless(const std::string& entry) {
  return std::any_of(std::begin(kHarmlessPrefixes), std::end(kHarmlessPrefixes),
                     [&](std::string_view prefix) { return entry.starts_with(prefix); });
}

void push_front_parts(std::deque<std::string>& parts, std::string_view path) {
  std::deque<std::string> found;
  while (!path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    if (end > 0) found.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  parts.insert(parts.begin(), found.begin(), found.end());
}

Status check_entry(const std::string& path, const struct stat& info) {
  if (info.st_uid != 0 && info.st_uid != geteuid()) {
    return fail(fmt::format("{} does not belong to uid {}", path, geteuid()));
  }
  if (!S_ISLNK(info.st_mode) && (info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return fail(fmt::format("{} can be written by others", path));
  }
  return {};
}

}  // namespace

Status check_trusted_program(const std::string& path) {
  if (!path.starts_with('/')) return fail(path + " is not an absolute path");
  std::deque<std::string> parts;
  push_front_parts(parts, path);
  std::string at;
  struct stat info {};
  int links = 0;
  while (!parts.empty()) {
    const std::string part = parts.front();
    parts.pop_front();
    if (part == ".") continue;
    if (part == "..") {
      at.erase(std::min(at.rfind('/'), at.size()));
      continue;
    }
    const std::string next = at + "/" + part;
    if (lstat(next.c_str(), &info) != 0) return fail_errno(next, errno);
    if (auto done = check_entry(next, info); !done) return done;
    if (!S_ISLNK(info.st_mode)) {
      at = next;
      continue;
    }
    char target[PATH_MAX];
    const ssize_t size = readlink(next.c_str(), target, sizeof target);
    if (size <= 0 || ++links > kMaxLinks) return fail(next + " can't be followed");
    const std::string_view text(target, static_cast<size_t>(size));
    if (text.starts_with('/')) at.clear();
    push_front_parts(parts, text);
  }
  if (!S_ISREG(info.st_mode)) return fail(path + " is not a program");
  return {};
}

std::vector<std::string> hook_programs(const std::string& pattern) {
  if (pattern.find_first_of("*?[") == std::string::npos) return {pattern};
  std::vector<std::string> programs;
  glob_t found{};
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    programs.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  globfree(&found);
  return programs;
}

Result<pid_t> start_hook(const std::string& path, const std::string& environment) {
  if (auto trusted = check_trusted_program(path); !trusted) {
    return fail("not run: " + trusted.error().message);
  }
  const pid_t pid = fork();
  if (pid < 0) return fail_errno("fork", errno);
  if (pid > 0) return pid;
  leave_parent();
  auto entries = merge_environment(environment, "");
  std::erase_if(entries, [](const std::string& entry) { return !is_harmless(entry); });
  set_environment_value(entries, "PATH", kPath);
  std::vector<std::string> words{path};
  if (chdir("/") != 0) _exit(126);
  execve(path.c_str(), as_argv(words).data(), as_argv(entries).data());
  _exit(127);
}

}  // namespace grappe::exec
