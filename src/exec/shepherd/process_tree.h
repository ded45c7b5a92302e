// The processes of a step: all that are in its cgroup, or where there is none, all that descend
// from the shepherd (which is a subreaper, so nothing that a task started can leave it).
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/unique_fd.h"

namespace grappe::exec {

// Every process below `root`, parents before children.
std::vector<pid_t> descendants_of(pid_t root);

// The numbers in a cgroup.procs file.
std::vector<pid_t> read_pids(const std::string& procs_path);

// What they hold in memory together. A page that they share counts for each, as in Slurm.
uint64_t resident_bytes(const std::vector<pid_t>& pids);

// Every process of this machine that has `entry` ("NAME=value") in its environment and that we
// may look at.
std::vector<pid_t> processes_marked(const std::string& entry);

// Characters read and written by a process and by the children it has waited for. The file of a
// process that has ended can be read, but not opened, by its user: so it is opened before.
struct ProcessIo {
  uint64_t read_bytes = 0, written_bytes = 0;
};
UniqueFd open_io_of(pid_t pid);
ProcessIo read_io(int fd);

}  // namespace grappe::exec
