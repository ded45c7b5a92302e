// The environment that goes with a job: what of the caller's own is sent, and what the options
// add to it so that srun inside the job finds them again.
//
// What depends on the allocation (SLURM_JOB_ID, SLURM_JOB_NODELIST, ...) is set where the job
// runs; for salloc that is salloc itself (cli/salloc/allocation_environment.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/options/job_options.h"

namespace grappe {

// NAME=value lines, in order, each name once.
class Environment {
 public:
  static Environment of_this_process();

  void set(std::string_view name, std::string_view value);
  void unset(std::string_view name);
  std::optional<std::string_view> get(std::string_view name) const;
  const std::vector<std::string>& lines() const { return lines_; }
  // As the API carries it: each line ended by a NUL.
  std::string packed() const;

 private:
  std::vector<std::string> lines_;
};

// --export of sbatch. A list keeps SLURM_* and the names in it; a comma within quotes belongs to
// the value. `load_login` becomes true where Slurm also loads the login environment: for every
// form but ALL alone.
Environment exported_environment(const Environment& own, const std::string& spec, bool& load_login);

// --export-file: a path or the number of an open descriptor.
Result<Environment> environment_from_file(const std::string& file_or_descriptor);

// SLURM_NTASKS, SLURM_CPUS_PER_TASK, SLURM_GPUS, ...: what was asked for.
void add_requested(const JobOptions& options, Environment& environment);

// The soft limits that --propagate names (all by default), into the spec. The text of a failure
// names the limit.
Status add_rlimits(const std::optional<std::string>& propagate, v1::JobSpec& spec);

}  // namespace grappe
