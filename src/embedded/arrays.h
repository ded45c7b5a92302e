// Job arrays: one record until a task starts.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

// Takes the next waiting task out of the array's record and gives it a record of its own, which
// it returns. The last task keeps the array's own id.
uint32_t split_task(Core& core, uint32_t record_id, uint32_t task_id);

// Of "12_3" and "12_[1-4]" and "12": the records and, within an array's record, the tasks meant.
struct JobSelection {
  uint32_t job_id = 0;
  std::vector<uint32_t> tasks;  // waiting tasks of an array record; empty: the whole record
};
Result<std::vector<JobSelection>> select_jobs(const State& state, const std::string& text);

// Takes tasks out of the record without a run: they were cancelled. Each gets its own record, so
// that history shows it.
void cancel_tasks(Core& core, uint32_t record_id, const std::vector<uint32_t>& tasks, uid_t by);

}  // namespace grappe::embedded
