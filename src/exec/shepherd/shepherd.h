// One process per step: starts its tasks, carries their input and output, waits for them, and
// writes down how they ended. It outlives the launcher and grapped.
//
// It is a fork of the launcher. As root it only makes what needs root (mount namespace, cgroups,
// terminal, the tasks, each of which becomes the user by itself); then it becomes the user too,
// for good.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "exec/executor.h"
#include "exec/os/identity.h"

namespace grappe::exec {

// The cgroups that the launcher made for the step. Empty strings: there is none.
struct StepCgroups {
  std::string tracking_dir;              // every process of the step is in it
  bool tracking_is_v2 = false;           // then clone3 and cgroup.kill work on it
  std::vector<std::string> joined_dirs;  // cgroup v1: limits, joined one by one
  std::string oom_file;                  // holds a line "oom_kill N"
};

// In the step's own mount namespace, in order.
struct BindMount {
  std::string source, target;
};

struct ShepherdStart {
  const StepLaunch& launch;
  UniqueFd listener;     // of the step's socket
  UniqueFd control;      // to the launcher
  UniqueFd exit_record;  // open for writing
  std::string script_path;
  bool privileged = false;                // we are root and shall become the user
  const AccountEntry* account = nullptr;  // of the user; null: to be looked up
  uint64_t open_files_limit = 0;          // soft limit of the tasks
  StepCgroups cgroups;
  std::vector<BindMount> mounts;
  std::string pmix_program, pmix_dir;  // of a PMIx step; the folder is the user's
  std::span<char> title;               // where ps looks for our arguments
  std::string marker;  // "NAME=value" in every task's environment; empty where cgroups track
};

[[noreturn]] void run_shepherd(ShepherdStart start);

}  // namespace grappe::exec
