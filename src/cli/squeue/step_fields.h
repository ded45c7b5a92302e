// Everything squeue -s can show of a job step.
#pragma once

#include <span>

#include "cli/format/field.h"
#include "cli/squeue/job_row.h"

namespace grappe {

struct StepRow {
  const v1::StepInfo* step;
  std::string_view cluster;
};

using StepField = Field<StepRow, JobContext>;
using StepTable = Table<StepRow, JobContext>;

std::span<const StepField> step_fields();

// "31_3.batch", "30.0"
void append_step_id(std::string& out, const v1::StepInfo& step);

inline constexpr std::string_view kStepFormat = "%.15i %.8j %.9P %.8u %.9M %N";
inline constexpr std::string_view kStepAllFormat = "%b|%i|%j|%l|%u|%A|%M|%N|%P|%S|%U|";

}  // namespace grappe
