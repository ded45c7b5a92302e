// The order of squeue's lines: --sort, and what Slurm does when keys are equal.
//
// Jobs are first put by start time, the latest first (a job without one goes last, the newest of
// them first); then each key of the list, from the last to the first, is a stable sort over that.
// So the order of equal jobs is always what it is in Slurm.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "cli/squeue/job_row.h"
#include "cli/squeue/step_fields.h"

namespace grappe {

inline constexpr std::string_view kJobSort = "P,t,-p";
inline constexpr std::string_view kJobStartSort = "S";
inline constexpr std::string_view kStepSort = "P,i";

struct SortContext {
  int64_t now = 0;
  // With -P the tier of a partition counts before the priority of a job.
  std::unordered_map<std::string, uint32_t> tiers;
};

// "Invalid sort specification: x" for a letter that has no order.
Status sort_jobs(std::vector<JobRow>& rows, std::string_view keys, const SortContext& context);
// Letters without an order are skipped, as Slurm does for steps.
void sort_steps(std::vector<StepRow>& rows, std::string_view keys, const SortContext& context);

}  // namespace grappe
