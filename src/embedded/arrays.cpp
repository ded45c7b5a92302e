#include "embedded/arrays.h"

#include "base/index_set.h"
#include "base/text.h"
#include "embedded/finish.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

// The tasks of an array that have records of their own, among those asked for.
void add_own_records(const State& state, uint32_t array_job_id, const std::vector<uint32_t>& tasks,
                     std::vector<JobSelection>& out) {
  for (uint32_t member : state.array_members(array_job_id)) {
    const Job* job = state.find(member);
    if (!job->array_task_id) continue;
    if (std::find(tasks.begin(), tasks.end(), *job->array_task_id) != tasks.end()) {
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
  return id;
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
    std::vector<uint32_t> members = state.array_members(number);
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

}  // namespace grappe::embedded
