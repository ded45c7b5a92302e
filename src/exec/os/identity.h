// Who a step runs as, and how a process becomes that user.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace grappe::exec {

struct Identity {
  uid_t uid = 0;
  gid_t gid = 0;
  std::vector<gid_t> groups;
};

// What the system's user database says of an account.
struct AccountEntry {
  uid_t uid = 0;
  std::string name;
  std::vector<gid_t> groups;  // the primary one first
};

// May block on a remote user database: not for the launcher's loop.
Result<AccountEntry> look_up_account(uid_t uid);

// Refuses a name that is not the account's, and a group that it is not in (root may use any).
Result<Identity> identity_from(const AccountEntry& account, gid_t gid, const std::string& user);

// Groups, then gid, then uid: real, effective and saved. After a failure the process must end.
Status become(const Identity& identity);

// For the shepherd: acts as the user from now on and can't go back to root, but its real and
// saved uid are those of nobody, so that `kill -9 -1` in a job does not end the one process that
// knows how the job ended.
Status become_shepherd_of(const Identity& identity);

// The effective ids only, and back: for opening a terminal that shall belong to the user.
Status set_effective(const Identity& identity);
Status restore_root();

}  // namespace grappe::exec
