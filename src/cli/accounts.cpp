#include "cli/accounts.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "base/text.h"
#include "base/unique_fd.h"

extern char** environ;

namespace grappe {
namespace {

using File = std::unique_ptr<FILE, int (*)(FILE*)>;

File open_file(const char* path) {
  return {std::fopen(path, "re"), &std::fclose};
}

Account to_account(const passwd& entry) {
  return {entry.pw_name, entry.pw_uid, entry.pw_gid, entry.pw_dir, entry.pw_shell};
}

template <class Wanted>
std::optional<Account> account_in_file(Wanted wanted) {
  File file = open_file("/etc/passwd");
  while (const passwd* entry = file ? fgetpwent(file.get()) : nullptr) {
    if (wanted(*entry)) return to_account(*entry);
  }
  return std::nullopt;
}

// The first line that `getent DATABASE KEY` prints, without its end; empty if it finds nothing.
std::string ask_name_service(const char* database, const std::string& key) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, write_end.get(), STDOUT_FILENO);
  const char* argv[] = {"getent", "--", database, key.c_str(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawn(&child, "/usr/bin/getent", &actions, nullptr,
                                 const_cast<char* const*>(argv), environ);
  posix_spawn_file_actions_destroy(&actions);
  write_end.reset();
  if (failed) return "";
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(read_end.get(), buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<size_t>(n));
  }
  waitpid(child, nullptr, 0);
  return text.substr(0, text.find('\n'));
}

std::optional<Account> parse_account(const std::string& line) {
  const auto fields = split(line, ':');
  if (fields.size() != 7) return std::nullopt;
  const auto uid = parse_uint(fields[2], UINT32_MAX);
  const auto gid = parse_uint(fields[3], UINT32_MAX);
  if (!uid || !gid) return std::nullopt;
  return Account{std::string(fields[0]),   static_cast<uid_t>(*uid),
                 static_cast<gid_t>(*gid), std::string(fields[5]),
                 std::string(fields[6]),   std::string(fields[4].substr(0, fields[4].find(',')))};
}

}  // namespace

std::optional<Account> find_account(const std::string& name) {
  if (name.empty()) return std::nullopt;
  auto found = account_in_file([&](const passwd& entry) { return name == entry.pw_name; });
  if (!found) found = parse_account(ask_name_service("passwd", name));
  // getent takes a number for a uid.
  return found && found->name == name ? found : std::nullopt;
}

std::optional<Account> find_account(uid_t uid) {
  auto found = account_in_file([&](const passwd& entry) { return uid == entry.pw_uid; });
  if (!found) found = parse_account(ask_name_service("passwd", std::to_string(uid)));
  return found && found->uid == uid ? found : std::nullopt;
}

std::optional<gid_t> find_group(const std::string& name) {
  File file = open_file("/etc/group");
  while (const group* entry = file ? fgetgrent(file.get()) : nullptr) {
    if (name == entry->gr_name) return entry->gr_gid;
  }
  const std::string line = ask_name_service("group", name);
  const auto fields = split(line, ':');
  if (fields.size() != 4 || fields[0] != name) return std::nullopt;
  const auto gid = parse_uint(fields[2], UINT32_MAX);
  return gid ? std::optional(static_cast<gid_t>(*gid)) : std::nullopt;
}

std::vector<gid_t> groups_of(const Account& account) {
  std::vector<gid_t> groups = {account.gid};
  const std::string line = ask_name_service("initgroups", account.name);
  const auto words = split_words(line, " ");
  for (size_t i = 1; i < words.size(); ++i) {
    if (auto gid = parse_uint(words[i], UINT32_MAX); gid && *gid != account.gid) {
      groups.push_back(static_cast<gid_t>(*gid));
    }
  }
  return groups;
}

bool become(const Account& account, gid_t gid) {
  const std::vector<gid_t> groups = groups_of(account);
  return setgroups(groups.size(), groups.data()) == 0 && setgid(gid) == 0 &&
         setuid(account.uid) == 0;
}

}  // namespace grappe
