#include "base/account_names.h"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>

namespace grappe {
namespace {

constexpr std::chrono::seconds kLifetime{5};

int64_t changed_ns(const char* path) {
  struct stat state {};
  if (stat(path, &state) != 0) return 0;
  return state.st_ctim.tv_sec * 1'000'000'000 + state.st_ctim.tv_nsec;
}

std::pair<int64_t, int64_t> version_of_files() {
  return {changed_ns("/etc/passwd"), changed_ns("/etc/group")};
}

std::optional<UserName> look_up_user(uint32_t uid) {
  passwd entry{}, *found = nullptr;
  char buffer[16384];
  if (getpwuid_r(uid, &entry, buffer, sizeof buffer, &found) != 0 || !found) return std::nullopt;
  return UserName{found->pw_name, found->pw_gid};
}

std::optional<std::string> look_up_group(uint32_t gid) {
  group entry{}, *found = nullptr;
  char buffer[16384];
  if (getgrgid_r(gid, &entry, buffer, sizeof buffer, &found) != 0 || !found) return std::nullopt;
  return found->gr_name;
}

}  // namespace

std::optional<UserName> user_of(uid_t uid) {
  static Remembered<UserName> users({look_up_user, version_of_files, kLifetime});
  return users.get(uid);
}

std::optional<std::string> group_of(gid_t gid) {
  static Remembered<std::string> groups({look_up_group, version_of_files, kLifetime});
  return groups.get(gid);
}

}  // namespace grappe
