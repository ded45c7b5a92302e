// A task, from fork to exec: the code that runs in the child.
//
// It starts as root (in personal mode as the user), becomes the user, waits for the word to go,
// opens its files and executes its program. Everything that can fail after it has become the
// user is told to the user on the task's stderr, in Slurm's words.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "exec/executor.h"
#include "exec/os/identity.h"

namespace grappe::exec {

// Where a task's three standard streams come from. -1: from the file that the TaskLaunch names.
struct TaskStreams {
  int in = -1, out = -1, err = -1;
  int terminal = -1;  // the slave of the pty: then all three
};

struct TaskStart {
  const StepLaunch& launch;
  const TaskLaunch& task;
  const Identity* identity = nullptr;  // null: stay who we are
  std::vector<int> join_cgroups;       // tasks files of cgroup v1, open for writing
  TaskStreams streams;
  int go = -1;            // the task runs after a byte came from here; never if it is closed
  int failures = -1;      // where to say why the task could not start (TaskFailure)
  int outside_root = -1;  // where files are opened from (open_outside)
  int pmi = -1;           // stays open in the program
  uint64_t open_files_limit = 0;  // the limit that a program expects; the shepherd raised its own
  std::string script_path;        // of a batch step
  bool first_on_node = false;
  // Output files that several tasks name: the shepherd has truncated them already.
  const std::set<std::string>* shared_files = nullptr;
  std::vector<std::string> extra_environment;
  std::string environment_file;  // more of it, written by then; empty: none
};

// Sent through `failures` in one write, with the text after it.
struct TaskFailure {
  uint32_t rank;
  uint32_t size;
};

// What srun shows of a task whose files could not be opened, and how such a task ends.
inline constexpr char kIoFailure[] = "Slurmd could not connect IO";
inline constexpr int kIoFailureSignal = 53;

[[noreturn]] void run_task(const TaskStart& start);

// The first word of becoming a process of the step: its session and its cgroups.
Status join_step(const std::vector<int>& tasks_files);

// The prefix of a task's messages: "slurmstepd: error: ".
std::string error_prefix(const StepLaunch& launch, uint32_t node_index);

}  // namespace grappe::exec
