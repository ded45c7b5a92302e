#include "embedded/arrays.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/index_set.h"
#include "base/text.h"
#include "embedded/finish.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

// The tasks of an array that have records of their own, among those asked for (in order).
void add_own_records(const State& state, uint32_t array_job_id, const std::vector<uint32_t>& tasks,
                     std::vector<JobSelection>& out) {
  for (uint32_t member : state.array_members(array_job_id)) {
    const Job* job = state.find(member);
    if (!job->array_task_id) continue;
    if (std::binary_search(tasks.begin(), tasks.end(), *job->array_task_id)) {
      out.push_back({member, {}});
    }
  }
}

}  // namespace

uint32_t split_task(Core& core, uint32_t record_id, uint32_t task_id) {
  State& state = core.state;
  Job& record = state.edit(record_id);
  TaskSet waiting = *record.waiting;
  waiting.remove(task_id);
  if (waiting.empty()) {
    record.waiting.reset();
    record.array_task_id = task_id;
    return record_id;
  }
  record.waiting = std::make_shared<const TaskSet>(std::move(waiting));
  Job task = record;
  task.waiting.reset();
  task.token.clear();
  task.array_task_id = task_id;
  task.id = state.next_job_id();
  uint32_t id = task.id;
  auto shape = state.shape(record_id);
  state.add(std::move(task));
  if (shape) state.share_shape(id, shape);
  state.reindex(record_id);
  return id;
}

JobPtr job_or_task(const State& state, uint32_t job_id, std::optional<uint32_t> task_id) {
  if (task_id) {
    for (uint32_t id : state.array_members(job_id)) {
      JobPtr job = state.get(id);
      if (job->array_task_id == task_id) return job;
    }
  }
  JobPtr job = state.get(job_id);
  const bool has_task = !task_id || (job && job->waiting && job->waiting->contains(*task_id));
  return has_task ? job : nullptr;
}

Result<std::vector<JobSelection>> select_jobs(const State& state, const std::string& text) {
  std::vector<JobSelection> out;
  std::string_view id_text = std::string_view(text).substr(0, text.find('_'));
  auto id = parse_uint(id_text, UINT32_MAX);
  if (!id) return slurm_fail(kErrInvalidJobId);
  auto number = static_cast<uint32_t>(*id);
  const Job* job = state.find(number);
  if (id_text.size() == text.size()) {
    // The id of an array means all of it.
    const std::set<uint32_t>& members = state.array_members(number);
    for (uint32_t member : members) out.push_back({member, {}});
    if (members.empty() && job) out.push_back({number, {}});
    if (out.empty()) return slurm_fail(kErrInvalidJobId);
    return out;
  }
  std::string_view list = std::string_view(text).substr(id_text.size() + 1);
  if (list.starts_with('[') && list.ends_with(']')) list = list.substr(1, list.size() - 2);
  if (list == "*") return select_jobs(state, std::string(id_text));
  auto tasks = parse_index_set(list, 4000001, 4000001);
  if (!tasks) return slurm_fail(kErrInvalidJobId);
  add_own_records(state, number, *tasks, out);
  if (job && job->waiting) {
    JobSelection rest{number, {}};
    for (uint32_t task : *tasks) {
      if (job->waiting->contains(task)) rest.tasks.push_back(task);
    }
    if (!rest.tasks.empty()) out.push_back(std::move(rest));
  }
  if (out.empty()) return slurm_fail(kErrInvalidJobId);
  return out;
}

void cancel_tasks(Core& core, uint32_t record_id, const std::vector<uint32_t>& tasks, uid_t by) {
  for (uint32_t task : tasks) {
    uint32_t id = split_task(core, record_id, task);
    cancel_job(core, id, by);
  }
}

namespace {

std::string outcome_id(const Job& job, const std::string& typed) {
  if (job.array_job_id == 0) return typed;
  if (job.waiting) return fmt::format("{}_[{}]", job.array_job_id, job.waiting->list());
  return fmt::format("{}_{}", job.array_job_id, job.array_task_id.value_or(0));
}

void add_outcome(v1::JobsChanged& response, const std::string& id, int error) {
  v1::JobOutcome& outcome = *response.add_outcomes();
  outcome.set_job_id(id);
  outcome.set_error(static_cast<uint32_t>(error));
  if (error) outcome.set_message(slurm_error_text(error));
}

}  // namespace

void change_each(Core& core, const std::string& text, const std::function<int(uint32_t)>& change,
                 v1::JobsChanged& response) {
  auto selected = select_jobs(core.state, text);
  if (!selected) return add_outcome(response, text, kErrInvalidJobId);
  for (const JobSelection& selection : *selected) {
    std::vector<uint32_t> targets;
    for (uint32_t task : selection.tasks) {
      targets.push_back(split_task(core, selection.job_id, task));
    }
    if (targets.empty()) targets.push_back(selection.job_id);
    for (uint32_t target : targets) {
      const Job* job = core.state.find(target);
      std::string id = job ? outcome_id(*job, text) : text;
      add_outcome(response, id, job ? change(target) : int{kErrInvalidJobId});
    }
  }
}

std::vector<std::string> jobs_named(const State& state, const Caller& caller,
                                    const std::string& name, std::optional<uint32_t> uid) {
  std::vector<std::string> ids;
  auto add = [&](uint32_t id) {
    const Job* job = state.find(id);
    if (!job || job->spec->name() != name) return;
    if (uid ? job->uid == *uid : caller.is_operator || job->uid == caller.uid) {
      ids.push_back(std::to_string(id));
    }
  };
  for (uint32_t id : state.pending()) add(id);
  for (uint32_t id : state.active()) add(id);
  return ids;
}

}  // namespace grappe::embedded
