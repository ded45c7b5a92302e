#include "cli/squeue/job_rows.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "model/job_state.h"

namespace grappe {
namespace {

bool is_pending(const v1::JobInfo& job) {
  return base_state(job.state()) == JobState::kPending && !(job.state() & kStateCompleting);
}

bool asks_for_tasks(const JobFilter& filter) {
  return std::any_of(filter.jobs.values.begin(), filter.jobs.values.end(),
                     [](const JobWish& wish) { return wish.by_task; });
}

// -j 12_3: only the tasks that were asked for; all of them when the whole array was.
void narrow_to_wished(JobRow& row, const JobFilter& filter, JobRows& out) {
  const v1::JobInfo& job = *row.job;
  TaskSet held = read_tasks(row.tasks).tasks;
  std::vector<TaskSet::Range> wished;
  for (const JobWish& wish : filter.jobs.values) {
    bool whole =
        !wish.by_task && (wish.job_id == job.job_id() || wish.job_id == job.array_job_id());
    if (whole) return;
    if (wish.job_id != job.array_job_id()) continue;
    wish.tasks.for_each([&](uint32_t task) {
      if (held.contains(task)) wished.push_back({task, task, 1});
    });
  }
  TaskSet shown = TaskSet::of(wished);
  if (shown.count() == held.count()) return;
  if (shown.count() == 1) {
    row.task = shown.first();
  } else {
    row.tasks = out.texts.emplace_back(format_tasks(shown, 0, 0));
  }
}

// What joins the line of an array that waits: the tasks and the reasons of its own and of others.
struct JoinedTasks {
  std::vector<TaskSet::Range> ranges;
  std::vector<std::string> reasons;

  void add_reason(std::string_view reason) {
    if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end())
      reasons.emplace_back(reason);
  }
};

// Pending tasks that have a record of their own (they were requeued, or changed) go back into the
// line of the array that still waits, unless they got another name or partition. Like Slurm, the
// joined line names each reason once and no longer the limit of running tasks.
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

  std::unordered_map<size_t, JoinedTasks> joined;
  auto goes_back = [&](const JobRow& row) {
    if (!row.tasks.empty() || !row.job->has_array_task_id() || !is_pending(*row.job)) return false;
    auto found = waiting.find(row.job->array_job_id());
    if (found == waiting.end()) return false;
    const JobRow& line = out.rows[found->second];
    if (row.job->name() != line.job->name() || row.partition != line.partition) return false;
    JoinedTasks& into = joined[found->second];
    if (into.reasons.empty()) into.add_reason(shown_reason(*line.job));
    uint32_t task = row.job->array_task_id();
    into.ranges.push_back({task, task, 1});
    into.add_reason(shown_reason(*row.job));
    return true;
  };
  std::vector<bool> gone(out.rows.size());
  for (size_t i = 0; i < out.rows.size(); ++i) gone[i] = goes_back(out.rows[i]);
  for (auto& [index, into] : joined) {
    JobRow& line = out.rows[index];
    read_tasks(line.tasks).tasks.for_each([&tasks = into.ranges](uint32_t task) {
      tasks.push_back({task, task, 1});
    });
    line.tasks = out.texts.emplace_back(format_tasks(TaskSet::of(into.ranges), 0, 0));
    line.reasons = out.texts.emplace_back(join(into.reasons, ","));
  }
  std::vector<JobRow> kept;
  for (size_t i = 0; i < out.rows.size(); ++i) {
    if (!gone[i]) kept.push_back(out.rows[i]);
  }
  out.rows = std::move(kept);
}

void add_row(const v1::JobInfo& job, std::string_view partition, const JobFilter& filter,
             bool by_task, JobRows& out) {
  JobRow row{&job, std::nullopt, job.array_tasks(), partition, {}};
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
