// --input, --output and --error of srun: where the three streams of the tasks go.
//
// "all" and the number of a task are words of their own, and /dev/null ("none") needs no file;
// anything else is a file. srun itself opens a file that all tasks share; one whose name differs
// between tasks (%t, %n, %N) is opened where the tasks run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/options/job_options.h"
#include "cli/srun/output.h"
#include "cli/srun/task_board.h"

namespace grappe {

struct StreamPlan {
  bool none = false;
  std::optional<uint32_t> only_task;
  std::string file;       // a pattern that srun expands and opens; "" is srun's own stream
  bool per_task = false;  // of `file`: one for each task
  std::string remote;     // a pattern for the service
};

struct FilesPlan {
  StreamPlan in, out, err;
  bool err_is_out = false;  // --output without --error

  // Into the request: only what the service opens.
  void fill(v1::StepSpec& step) const;
};

FilesPlan plan_files(const JobOptions& options, uint32_t ntasks);

// What the signs of a pattern stand for, besides the task.
struct PatternNames {
  const StepFace& face;
  std::string user;
  std::string job_name;
  std::string array_job;  // %A and %a; as %j and 4294967294 where there is no array
  std::string array_task;
};
std::string expand_file_name(const std::string& pattern, const PatternNames& names, uint32_t task);

// Opens srun's own files and says where the streams of each task go.
Status open_outputs(const FilesPlan& plan, const PatternNames& names, bool append,
                    StepOutput& output);
// The descriptor to read; an empty one when srun has nothing to read, standard input for -1.
Result<UniqueFd> open_input(const FilesPlan& plan, const PatternNames& names);

}  // namespace grappe
