// The machine's accounts, as the commands look them up.
//
// The commands are linked statically, because half the life of `squeue` would go by in the dynamic
// loader, and a static program cannot load the C library's name services. So /etc/passwd is read
// here, and for an account that is not there (LDAP, sssd...) getent(1) is asked.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace grappe {

struct Account {
  std::string name;
  uid_t uid = 0;
  gid_t gid = 0;
  std::string home;
  std::string shell;
  std::string full_name;
};

std::optional<Account> find_account(const std::string& name);
std::optional<Account> find_account(uid_t uid);
std::optional<gid_t> find_group(const std::string& name);

// What initgroups(3) would set, the account's own group first.
std::vector<gid_t> groups_of(const Account& account);

// For a child of root on its way to being somebody else. False: it still is root.
bool become(const Account& account, gid_t gid);

}  // namespace grappe
