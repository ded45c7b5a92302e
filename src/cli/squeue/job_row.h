// One line of squeue: a job, or one part of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/format/timestamp.h"
#include "grappe/v1/jobs.pb.h"

namespace grappe {

struct JobRow {
  const v1::JobInfo* job;
  // -r splits a pending array: the one task of this line. Otherwise `tasks` are all of them, as
  // text (those of the job, or fewer or more after -j 5_3 and the joining of pending tasks).
  std::optional<uint32_t> task;
  std::string_view tasks;
  std::string_view partition;  // -P splits a job that waits in several partitions
  std::string_view reasons;    // of pending tasks that were joined into this line
};

// What is the same for every line.
struct JobContext {
  int64_t now = 0;
  TimestampFormat times;
  bool convert = true;         // --noconvert clears it
  size_t task_list_size = 64;  // SLURM_BITSTR_LEN; 0: no limit
  size_t id_size = 32;         // a longer id is cut, as Slurm does without SLURM_BITSTR_LEN
};

// Seconds that the job has run.
int64_t seconds_used(const v1::JobInfo& job, int64_t now);
// Seconds left of the limit; kUnlimitedTime and kNoTimeLimit stand for themselves.
inline constexpr int64_t kUnlimitedTime = INT64_MAX;
inline constexpr int64_t kNoTimeLimit = INT64_MAX - 1;
int64_t seconds_left(const v1::JobInfo& job, int64_t now);
// Why it waits or how it ended; "None" where there is nothing to say.
std::string_view shown_reason(const v1::JobInfo& job);
// Megabytes, per node or per CPU, whichever was asked for.
uint64_t min_memory_mb(const v1::JobInfo& job);

}  // namespace grappe
