// What the books are asked about jobs.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/job.h"

namespace grappe {

// Rows that may be meant: whoever asks looks closer at them.
// One task of an array.
struct ArrayTask {
  uint32_t array_job_id = 0, task_id = 0;
};

struct HistoryQuery {
  std::vector<uint32_t> job_ids;  // or ids of arrays
  std::vector<ArrayTask> tasks;   // neither a job nor a task: all
  std::vector<uid_t> uids;        // empty: all
  int64_t start_time = 0;         // not over before
  int64_t end_time = INT64_MAX;   // submitted until then
  bool for_lists = false;         // jobs without what only the engine needs of them
  bool steps = false;
  bool samples = false;    // the steps with their samples
  size_t most = SIZE_MAX;  // more jobs than this are refused: all of them are held in memory
};

struct JobHistory {
  Job job;
  std::vector<Step> steps;  // by id
};

inline tl::unexpected<Error> too_many_jobs(size_t most) {
  return fail("more than " + std::to_string(most) +
              " jobs: ask for a shorter time (--starttime, --endtime) or fewer users");
}

}  // namespace grappe
