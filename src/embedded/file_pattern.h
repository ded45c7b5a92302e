// File names of jobs and steps: "slurm-%j.out" and the other % signs.
#pragma once

#include <string>

#include "model/job.h"

namespace grappe::embedded {

// What the signs stand for.
struct PatternValues {
  const Job* job = nullptr;
  uint32_t step_id = 0;
  bool batch = true;
  std::string node;         // %N, the short name
  uint32_t node_index = 0;  // %n
  uint32_t task = 0;        // %t
};

// Expands the pattern; a relative name is taken below the job's working directory. A '\' anywhere
// in the pattern switches the signs off, as Slurm has it.
std::string expand_pattern(const std::string& pattern, const PatternValues& values,
                           const std::string& work_dir);

struct JobFiles {
  std::string in, out, err;
};

// Of the batch script, defaults filled in: slurm-%j.out, or slurm-%A_%a.out of an array.
JobFiles batch_files(const Job& job);

}  // namespace grappe::embedded
