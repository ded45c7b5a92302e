// Temporary folders of a job, and the private /tmp, /var/tmp and /dev/shm made from them.
//
//   PARENT/job_12                $SLURM_TMPDIR: the user's, 0700
//   PARENT/job_12.private/tmp    what the job sees as /tmp and /var/tmp
//   /dev/shm/NAME.job_12/shm     what the job sees as /dev/shm
//
// The folders around the private ones belong to root and are closed to everybody, so that only
// processes in the job's mount namespace get in.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "exec/launcher/spares.h"
#include "exec/shepherd/shepherd.h"

namespace grappe::exec {

struct JobTmp {
  uint32_t job_id = 0;
  uid_t uid = 0;
  gid_t gid = 0;
  std::string parent;  // absolute
  bool is_private = false;
  std::string service_name;  // tells services on one machine apart
  // Folders of the service that steps need. Where one is below /tmp or /var/tmp it is shown in
  // the private one too.
  std::vector<std::string> shown;
  Spares* spares = nullptr;  // folders that ended jobs of this user left empty

  // Fails if a folder is there already and is not ours or the user's.
  Status create() const;
  // To be made in the mount namespace of every step.
  std::vector<BindMount> mounts() const;
  // May take long: in a process of its own, unless nothing was left in the folders.
  Status remove() const;
  // Removes empty folders only. False if there is more to do.
  bool remove_if_empty() const;

 private:
  struct Shown {
    std::string path;    // outside
    std::string inside;  // below the private tmp folder
  };
  std::vector<Shown> shown_inside() const;
  std::string user_dir() const;
  std::string private_dir() const;
  std::string shm_dir() const;
};

}  // namespace grappe::exec
