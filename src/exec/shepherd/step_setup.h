// The part of a shepherd's life that needs root: namespaces, identity, and making the tasks.
#pragma once

#include <sys/types.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "exec/os/identity.h"
#include "exec/os/process.h"
#include "exec/shepherd/pmi_server.h"
#include "exec/shepherd/process_use.h"
#include "exec/shepherd/shepherd.h"
#include "exec/shepherd/task.h"
#include "exec/shepherd/task_io.h"

namespace grappe::exec {

// Opens a file as those outside of our mount namespace see it: `root` is their "/", or -1 if we
// are not in one of our own. So a job's output is where its user looks for it.
UniqueFd open_outside(int root, const std::string& path, int flags);

// A mount namespace of its own, in which `mounts` are made. What others mount later still
// arrives; what happens here stays here.
Status enter_private_mounts(const std::vector<BindMount>& mounts);
// Whether that works here: a container may forbid it. Tried in a process that ends.
bool may_have_private_mounts();

// The tasks of a step, made but held back until go().
class TaskSet {
 public:
  struct Entry {
    uint32_t rank;
    pid_t pid = 0;
    UniqueFd io;  // what it has read and written
    bool ended = false;
    int status = 0;
    TaskUse use;  // the most that was seen of it, and all of it when it has ended
  };

  // As root, before the others: opens the step's cgroups, for tasks and helpers to be born into.
  Status open_cgroups(const StepCgroups& cgroups);
  void close_cgroups();

  // Starts a program of ours as the user, in the step's cgroups.
  struct Helper {
    pid_t pid = 0;
    UniqueFd input, output;  // our ends of its standard streams
  };
  Result<Helper> make_helper(const ShepherdStart& start, const Identity* identity,
                             std::vector<std::string> words);

  // Forks every task. `identity` null: they stay who we are; `pmi` null: it is no MPI step.
  // `outside_root` is for open_outside().
  Status make(const ShepherdStart& start, const Identity* identity, const TaskIo& io,
              const PmiServer* pmi, int outside_root);
  // Opens the files that several tasks share, so that one truncation serves all of them, and
  // lets the tasks run. As the user.
  void go(const StepLaunch& launch, int outside_root);

  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* find(pid_t pid) const;  // null: not a task
  // Which task that was; null if the process was none.
  Entry* note_end(pid_t pid, int status);
  // The first processes of those that run, each with its place in entries().
  TaskPids running() const;
  // What was seen of the task at this place (its rank here).
  void note_memory(const TaskUse& seen);
  bool all_ended() const { return ended_ == entries_.size(); }
  // Where tasks say why they could not start.
  int failures() const { return failures_.read_end.get(); }

 private:
  Status fork_task(const TaskStart& task);

  std::vector<Entry> entries_;
  std::unordered_map<pid_t, size_t> places_;
  size_t ended_ = 0;
  std::vector<UniqueFd> joins_;    // the tasks files of cgroup v1
  std::vector<int> join_numbers_;  // the same
  UniqueFd tracking_;              // a v2 folder
  Pipe go_, failures_;
};

}  // namespace grappe::exec
