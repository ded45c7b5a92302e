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

// The account's own groups, from the system's user database. Refuses a name that is not that of
// `uid`, and a group that the account is not in (root may use any). May block on a remote user
// database: not for the launcher's loop.
Result<Identity> look_up_identity(uid_t uid, gid_t gid, const std::string& user);

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
