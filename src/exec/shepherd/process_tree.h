// The processes of a step: all that are in its cgroup, or where there is none, all that descend
// from the shepherd (which is a subreaper, so nothing that a task started can leave it).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"

namespace grappe::exec {

// The number after `label` in a file of the kernel; 0 if it is not there.
uint64_t number_after(std::string_view text, std::string_view label);

// Every process of the machine.
std::vector<pid_t> all_pids();

// Every process below `root`, parents before children.
std::vector<pid_t> descendants_of(pid_t root);

// The numbers in a cgroup.procs file.
std::vector<pid_t> read_pids(const std::string& procs_path);

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
ProcessIo parse_io(std::string_view text);  // of /proc/PID/io

}  // namespace grappe::exec
