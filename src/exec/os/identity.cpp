#include "exec/os/identity.h"

#include <fmt/core.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace grappe::exec {
namespace {

constexpr uid_t kNobody = 65534;

Status set_groups(const Identity& identity) {
  if (setgroups(identity.groups.size(), identity.groups.data()) != 0) {
    return fail_errno("setgroups", errno);
  }
  if (setresgid(identity.gid, identity.gid, identity.gid) != 0) {
    return fail_errno("setresgid", errno);
  }
  return {};
}

Status check_no_way_back(uid_t uid) {
  if (uid != 0 && (seteuid(0) == 0 || geteuid() != uid)) {
    return fail("root could be regained after setresuid");
  }
  return {};
}

}  // namespace

Result<Identity> look_up_identity(uid_t uid, gid_t gid, const std::string& user) {
  errno = 0;
  const passwd* account = getpwuid(uid);
  if (account == nullptr) return fail(fmt::format("uid {} has no account on this machine", uid));
  if (user != account->pw_name) {
    return fail(fmt::format("uid {} is '{}', not '{}'", uid, account->pw_name, user));
  }
  const gid_t primary = account->pw_gid;
  Identity identity{uid, gid, {}};
  int count = 32;
  identity.groups.resize(static_cast<size_t>(count));
  if (getgrouplist(user.c_str(), primary, identity.groups.data(), &count) < 0) {
    identity.groups.resize(static_cast<size_t>(count));
    if (getgrouplist(user.c_str(), primary, identity.groups.data(), &count) < 0) {
      return fail(fmt::format("the groups of '{}' can't be listed", user));
    }
  }
  identity.groups.resize(static_cast<size_t>(count));
  const auto& groups = identity.groups;
  if (uid != 0 && std::find(groups.begin(), groups.end(), gid) == groups.end()) {
    return fail(fmt::format("'{}' is not in group {}", user, gid));
  }
  return identity;
}

Status become(const Identity& identity) {
  if (auto done = set_groups(identity); !done) return done;
  if (setresuid(identity.uid, identity.uid, identity.uid) != 0) {
    return fail_errno("setresuid", errno);
  }
  return check_no_way_back(identity.uid);
}

Status become_shepherd_of(const Identity& identity) {
  if (auto done = set_groups(identity); !done) return done;
  const uid_t other = identity.uid == 0 ? 0 : kNobody;
  if (setresuid(other, identity.uid, other) != 0) return fail_errno("setresuid", errno);
  prctl(PR_SET_DUMPABLE, 0);
  return check_no_way_back(identity.uid);
}

Status set_effective(const Identity& identity) {
  if (setegid(identity.gid) != 0 || seteuid(identity.uid) != 0) {
    return fail_errno("become the user to open a terminal", errno);
  }
  return {};
}

Status restore_root() {
  if (seteuid(0) != 0 || setegid(0) != 0) return fail_errno("become root again", errno);
  return {};
}

}  // namespace grappe::exec
