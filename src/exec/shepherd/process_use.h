// What the processes of a step use, as the kernel counts it in /proc.
//
// A process belongs to the task that it descends from; one that has lost its parents counts for
// the first task. What a process's children have used counts for it once it has waited for them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "exec/executor.h"

namespace grappe::exec {

struct ProcessUse {
  pid_t pid = 0, parent = 0;
  TaskUse use;  // without a rank
};

// A line of /proc/PID/stat. The name of the program in it, which users choose, is jumped over.
std::optional<ProcessUse> parse_process_use(std::string_view line);

// None: there is no such process, or it is hidden from us. `with_io` reads a second file, which
// only root and the process's own user may.
std::optional<ProcessUse> read_process_use(pid_t pid, bool with_io);

using TaskPids = std::vector<std::pair<uint32_t, pid_t>>;  // rank and first process of each task

// The tasks that still have processes, by rank.
std::vector<TaskUse> add_up_tasks(const std::vector<ProcessUse>& processes, const TaskPids& tasks);

// Reads the processes that there are and adds them up.
std::vector<TaskUse> measure_tasks(const std::vector<pid_t>& pids, const TaskPids& tasks,
                                   bool with_io);

// Everything below the first processes of the tasks, themselves included: for machines on which
// no cgroup keeps track.
class ProcessTable {
 public:
  ProcessTable();  // reads all of /proc
  std::vector<pid_t> below(const TaskPids& tasks) const;

 private:
  std::vector<std::pair<pid_t, pid_t>> children_;  // parent, child; sorted
};

}  // namespace grappe::exec
