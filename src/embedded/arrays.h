// Job arrays: one record until a task starts.
#pragma once

#include <functional>

#include "embedded/core.h"

namespace grappe::embedded {

// Takes the next waiting task out of the array's record and gives it a record of its own, which
// it returns. The last task keeps the array's own id.
uint32_t split_task(Core& core, uint32_t record_id, uint32_t task_id);

// The task of an array, or the job; a task that has not started is part of the record of its array.
JobPtr job_or_task(const State& state, uint32_t job_id, std::optional<uint32_t> task_id);

// Of "12_3" and "12_[1-4]" and "12": the records and, within an array's record, the tasks meant.
struct JobSelection {
  uint32_t job_id = 0;
  std::vector<uint32_t> tasks;  // waiting tasks of an array record; empty: the whole record
};
Result<std::vector<JobSelection>> select_jobs(const State& state, const std::string& text);

// Changes each record that `text` means, tasks of an array that share a record after they got
// records of their own, and adds what came of each: "12_3" or "12_[4-9]" of an array.
void change_each(Core& core, const std::string& text, const std::function<int(uint32_t)>& change,
                 v1::JobsChanged& response);

// The jobs that have not ended with this name: `uid`'s, or for operators everybody's.
std::vector<std::string> jobs_named(const State& state, const Caller& caller,
                                    const std::string& name, std::optional<uint32_t> uid);

// Takes tasks out of the record without a run: they were cancelled. Each gets its own record, so
// that history shows it.
void cancel_tasks(Core& core, uint32_t record_id, const std::vector<uint32_t>& tasks, uid_t by);

}  // namespace grappe::embedded
