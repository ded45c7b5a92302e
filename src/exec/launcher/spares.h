// Files and folders of ended jobs, kept aside to be used again.
//
// A busy launcher makes and deletes some inodes for every job, and ext4 does not give a deleted
// inode out again for a minute: it walks past all of them at each creation, until that is most of
// what a short job costs. Renaming costs nothing of the kind.
//
// What belonged to a user is used again for that user only: somebody may still hold it open.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace grappe::exec {

class Spares {
 public:
  // `path` is a folder for them alone on the file system that they are used on; what an earlier
  // launcher left in it is deleted. Fails unless the folder is ours alone.
  static Result<Spares> open(const std::string& path);

  // Moves a spare one of this owner to `name` in `dir`. False: there is none.
  bool take(uid_t owner, int dir, const std::string& name);
  // Moves `name` here. False: there are enough, or it failed; it is where it was.
  bool keep(uid_t owner, int dir, const std::string& name);

 private:
  UniqueFd dir_;
  std::map<uid_t, std::vector<std::string>> names_;
  size_t count_ = 0;
  uint64_t made_ = 0;
};

}  // namespace grappe::exec
