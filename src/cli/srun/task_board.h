// What is known of each task of a step: what srun says of it, and the exit code that follows.
//
// Ends that come close together are told in one line per node ("node1: tasks 0-3: Exited with
// exit code 1"), so they are kept until tell().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/report.h"

namespace grappe {

// A step as its messages name it.
struct StepFace {
  uint32_t job_id = 0;
  std::string step;  // "0", "batch"
  std::vector<std::string> nodes;
  std::vector<uint32_t> task_node;  // for each task the index of its node

  std::string id() const { return "StepId=" + std::to_string(job_id) + "." + step; }
};

class TaskBoard {
 public:
  enum class Wording { kGrouped, kSingly };
  TaskBoard(const StepFace& face, const Report& report, Wording wording = Wording::kGrouped);

  void started(uint32_t task);
  void exited(uint32_t task, int status);
  // Could not be started; its kTaskExit follows and is not told.
  void failed(uint32_t task, const std::string& why);
  void out_of_memory(uint32_t task);

  bool has_untold() const { return !untold_.empty(); }
  void tell();
  // After Ctrl-C ends are of interest with -v only.
  void hush() { hushed_ = true; }
  // "StepId=27.0 tasks 0-2: running", one line for each state that tasks are in.
  void print_states() const;

  bool all_exited() const { return exited_ == tasks_.size(); }
  bool any_exited() const { return exited_ > 0; }
  bool any_bad() const { return any_bad_; }

  // The status that stands for the step: the highest exit code, or a signal, which outdoes it.
  int status() const { return status_; }
  int exit_code() const;

 private:
  enum class State : uint8_t { kUnknown, kRunning, kExited, kExitedBadly, kFailed };
  struct Task {
    State state = State::kUnknown;
    bool out_of_memory = false;
    int status = 0;
  };
  void tell_each(int status, const std::vector<uint32_t>& tasks) const;
  void tell_group(uint32_t node, int status, const std::vector<uint32_t>& tasks);
  void take(int status);

  const StepFace& face_;
  const Report& report_;
  Wording wording_;
  std::vector<Task> tasks_;
  std::vector<uint32_t> untold_;
  std::vector<int> told_;  // statuses that SLURM_SRUN_REDUCE_TASK_EXIT_MSG keeps from repeating
  size_t exited_ = 0;
  bool any_bad_ = false, any_failed_ = false;
  bool hushed_ = false;
  bool told_of_memory_ = false;  // once for the step
  bool reduced_;
  int status_ = 0;
};

}  // namespace grappe
