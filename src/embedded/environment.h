// The variables that a job finds: SLURM_*, its GPUs, its scratch folder.
//
// Blocks are NAME=value, each ended by a NUL. What the user sent comes first; these lie over it.
#pragma once

#include <string>

#include "embedded/core.h"

namespace grappe::embedded {

class EnvironmentBlock {
 public:
  void set(std::string_view name, std::string_view value) {
    text_.append(name).append("=").append(value).push_back('\0');
  }
  void set(std::string_view name, uint64_t value) { set(name, std::to_string(value)); }
  // A name alone takes the variable away from what lies under it.
  void unset(std::string_view name) { text_.append(name).push_back('\0'); }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// SLURM_ARRAY_*, for a task of an array.
void add_array_variables(const Job& job, EnvironmentBlock& env);
// Under what the user sent: only for those who did not set it.
std::string default_environment(const Job& job);
std::string default_step_environment(const Job& job);
// Of the batch script.
std::string batch_environment(const Core& core, const Job& job);
// Common to all tasks of a step, and of one task.
std::string step_environment(const Core& core, const Job& job, const Step& step);
struct TaskSurroundings {
  std::string environment;
  std::string notice;  // lines for its stderr
};
TaskSurroundings task_surroundings(const Core& core, const Job& job, const Step& step,
                                   uint32_t task);
// Of prolog and epilog: built from nothing, nothing that the user could set.
std::string prolog_environment(const Core& core, const Job& job);

// "2(x3),1": counts with repetitions folded.
std::string folded_counts(const std::vector<uint32_t>& counts);

}  // namespace grappe::embedded
