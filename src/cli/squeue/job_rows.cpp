#include "cli/squeue/job_rows.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "cli/squeue/array_tasks.h"
#include "model/job_state.h"

namespace grappe {
namespace {

bool is_pending(const v1::JobInfo& job) {
  return base_state(job.state()) == JobState::kPending && !(job.state() & kStateCompleting);
}

// -j 12_3: only the tasks that were asked for; all of them when the whole array was.
std::vector<uint32_t> wished_tasks(const v1::JobInfo& job, const JobFilter& filter) {
  std::vector<uint32_t> held = read_array_tasks(job.array_tasks()).tasks;
  std::vector<uint32_t> wished;
  for (const JobWish& wish : filter.jobs.values) {
    if (!wish.by_task && (wish.job_id == job.job_id() || wish.job_id == job.array_job_id())) {
      return held;
    }
    if (wish.job_id != job.array_job_id()) continue;
    for (uint32_t task : wish.tasks) {
      if (std::binary_search(held.begin(), held.end(), task)) wished.push_back(task);
    }
  }
  std::sort(wished.begin(), wished.end());
  return wished;
}

bool asks_for_tasks(const JobFilter& filter) {
  return std::any_of(filter.jobs.values.begin(), filter.jobs.values.end(),
                     [](const JobWish& wish) { return wish.by_task; });
}

void narrow_to_wished(JobRow& row, const JobFilter& filter, JobRows& out) {
  ArrayTasks held = read_array_tasks(row.tasks);
  std::vector<uint32_t> wished = wished_tasks(*row.job, filter);
  if (wished.size() == held.tasks.size()) return;
  if (wished.size() == 1) {
    row.task = wished[0];
  } else {
    row.tasks = out.texts.emplace_back(write_array_tasks({wished, ""}));
  }
}

// Pending tasks that have a record of their own (they were requeued, or changed) go back into the
// line of the array that still waits.
void join_pending_tasks(JobRows& out) {
  std::unordered_map<uint32_t, size_t> waiting;
  bool any_single = false;
  for (size_t i = 0; i < out.rows.size(); ++i) {
    const JobRow& row = out.rows[i];
    if (!row.job->array_job_id() || !is_pending(*row.job)) continue;
    if (!row.tasks.empty() && !row.task) waiting.emplace(row.job->array_job_id(), i);
    if (row.tasks.empty()) any_single = true;
  }
  if (!any_single || waiting.empty()) return;

  std::unordered_map<size_t, ArrayTasks> joined;
  auto goes_back = [&](const JobRow& row) {
    if (!row.tasks.empty() || !row.job->has_array_task_id() || !is_pending(*row.job)) return false;
    auto found = waiting.find(row.job->array_job_id());
    if (found == waiting.end()) return false;
    auto [array, fresh] = joined.try_emplace(found->second);
    if (fresh) array->second = read_array_tasks(out.rows[found->second].tasks);
    array->second.tasks.push_back(row.job->array_task_id());
    return true;
  };
  std::vector<bool> gone(out.rows.size());
  for (size_t i = 0; i < out.rows.size(); ++i) gone[i] = goes_back(out.rows[i]);
  for (auto& [index, array] : joined) {
    std::sort(array.tasks.begin(), array.tasks.end());
    out.rows[index].tasks = out.texts.emplace_back(write_array_tasks(array));
  }
  std::vector<JobRow> kept;
  for (size_t i = 0; i < out.rows.size(); ++i) {
    if (!gone[i]) kept.push_back(out.rows[i]);
  }
  out.rows = std::move(kept);
}

void add_row(const v1::JobInfo& job, std::string_view partition, const JobFilter& filter,
             bool by_task, JobRows& out) {
  JobRow row{&job, std::nullopt, job.array_tasks(), partition};
  if (by_task && !row.tasks.empty()) narrow_to_wished(row, filter, out);
  out.rows.push_back(row);
}

}  // namespace

JobRows job_rows(const v1::ListJobsResponse& jobs, const JobFilter& filter,
                 const RowOptions& options) {
  JobRows out;
  out.rows.reserve(static_cast<size_t>(jobs.jobs_size()));
  bool by_task = asks_for_tasks(filter);
  for (const v1::JobInfo& job : jobs.jobs()) {
    if (!filter.matches(job)) continue;
    std::string_view all = job.partition();
    if (!options.split_partitions || !is_pending(job)) {
      add_row(job, all, filter, by_task, out);
      continue;
    }
    for (std::string_view partition : split(all, ',')) {
      add_row(job, partition, filter, by_task, out);
    }
  }
  if (options.join_pending && !options.split_arrays) join_pending_tasks(out);
  return out;
}

}  // namespace grappe
