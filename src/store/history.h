// What the books are asked about jobs.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "model/job.h"

namespace grappe {

// Rows that may be meant: whoever asks looks closer at them.
struct HistoryQuery {
  std::vector<uint32_t> job_ids;  // or ids of arrays; empty: all
  std::vector<uid_t> uids;        // empty: all
  int64_t start_time = 0;         // not over before
  int64_t end_time = INT64_MAX;   // submitted until then
  bool steps = false;
};

struct JobHistory {
  Job job;
  std::vector<Step> steps;  // by id
};

}  // namespace grappe
