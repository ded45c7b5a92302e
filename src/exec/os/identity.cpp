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

Result<AccountEntry> look_up_account(uid_t uid) {
  const passwd* found = getpwuid(uid);
  if (found == nullptr) return fail(fmt::format("uid {} has no account on this machine", uid));
  AccountEntry account{uid, found->pw_name, {}};
  const gid_t primary = found->pw_gid;
  int count = 32;
  account.groups.resize(static_cast<size_t>(count));
  if (getgrouplist(account.name.c_str(), primary, account.groups.data(), &count) < 0) {
    account.groups.resize(static_cast<size_t>(count));
    if (getgrouplist(account.name.c_str(), primary, account.groups.data(), &count) < 0) {
      return fail(fmt::format("the groups of '{}' can't be listed", account.name));
    }
  }
  account.groups.resize(static_cast<size_t>(count));
  return account;
}

Result<Identity> identity_from(const AccountEntry& account, gid_t gid, const std::string& user) {
  if (user != account.name) {
    return fail(fmt::format("uid {} is '{}', not '{}'", account.uid, account.name, user));
  }
  const auto& groups = account.groups;
  if (account.uid != 0 && std::find(groups.begin(), groups.end(), gid) == groups.end()) {
    return fail(fmt::format("'{}' is not in group {}", user, gid));
  }
  return Identity{account.uid, gid, groups};
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
