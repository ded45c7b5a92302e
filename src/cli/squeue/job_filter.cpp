#include "cli/squeue/job_filter.h"

#include <algorithm>

#include "base/hostlist.h"
#include "base/text.h"
#include "model/job_state.h"

namespace grappe {
namespace {

template <class T, class U>
bool holds(const Wish<T>& wish, const U& value) {
  return !wish.given ||
         std::find(wish.values.begin(), wish.values.end(), value) != wish.values.end();
}

// A job may wait in several partitions: "batch,long".
bool any_partition(const Wish<std::string>& wish, std::string_view partitions) {
  if (!wish.given) return true;
  for (std::string_view name : split(partitions, ',')) {
    if (holds(wish, name)) return true;
  }
  return false;
}

bool any_node(const std::optional<std::unordered_set<std::string>>& wish,
              const std::string& nodes) {
  if (!wish) return true;
  auto names = expand_hostlist(nodes);
  if (!names) return false;
  return std::any_of(names->begin(), names->end(),
                     [&](const std::string& name) { return wish->contains(name); });
}

// "matlab:2,ansys" has matlab and ansys.
bool any_license(const Wish<std::string>& wish, std::string_view licenses) {
  if (!wish.given) return true;
  for (std::string_view license : split_words(licenses, ",;")) {
    if (holds(wish, license.substr(0, license.find_first_of(":*")))) return true;
  }
  return false;
}

bool is_live(uint32_t state) {
  JobState base = base_state(state);
  return !is_finished(base) || (state & kStateCompleting) != 0;
}

bool state_matches(const Wish<uint32_t>& wish, uint32_t state) {
  return std::any_of(wish.values.begin(), wish.values.end(),
                     [&](uint32_t wanted) { return shows_as(state, wanted); });
}

bool is_wished(const JobWish& wish, const v1::JobInfo& job) {
  if (!wish.by_task) return wish.job_id == job.job_id() || wish.job_id == job.array_job_id();
  if (wish.job_id != job.array_job_id()) return false;
  if (job.array_tasks().empty()) return wish.tasks.contains(job.array_task_id());
  TaskSet held = read_tasks(job.array_tasks()).tasks;
  bool any = false;
  wish.tasks.for_each([&](uint32_t task) { any = any || held.contains(task); });
  return any;
}

bool is_wished(const StepWish& wish, const v1::StepInfo& step) {
  if (wish.step_id != step.step_id()) return false;
  if (!wish.task) return wish.job_id == step.job_id();
  return wish.job_id == step.array_job_id() && *wish.task == step.array_task_id();
}

bool is_wished(const JobWish& wish, const v1::StepInfo& step) {
  if (!wish.by_task) return wish.job_id == step.job_id() || wish.job_id == step.array_job_id();
  return wish.job_id == step.array_job_id() && wish.tasks.contains(step.array_task_id());
}

template <class W, class Message>
bool any_wished(const Wish<W>& wish, const Message& message) {
  return !wish.given || std::any_of(wish.values.begin(), wish.values.end(),
                                    [&](const W& w) { return is_wished(w, message); });
}

std::string_view leading_digits(std::string_view text) {
  return text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
}

}  // namespace

bool JobFilter::matches(const v1::JobInfo& job) const {
  if (!all_states && !(states.given ? state_matches(states, job.state()) : is_live(job.state()))) {
    return false;
  }
  return any_wished(jobs, job) && holds(uids, job.uid()) && holds(accounts, job.account()) &&
         any_partition(partitions, job.partition()) && holds(qos, job.qos()) &&
         holds(names, job.name()) && any_node(nodes, job.nodes()) &&
         any_license(licenses, job.licenses());
}

bool JobFilter::matches(const v1::StepInfo& step) const {
  return any_wished(jobs, step) && any_wished(steps, step) && holds(uids, step.uid()) &&
         any_partition(partitions, step.partition()) && any_node(nodes, step.nodes());
}

bool JobFilter::impossible() const {
  auto empty = [](const auto& wish) { return wish.given && wish.values.empty(); };
  return empty(jobs) || empty(steps) || empty(uids) || empty(accounts) || empty(partitions) ||
         empty(qos) || empty(names) || empty(states) || empty(licenses) || empty(reservations);
}

void JobFilter::ask(v1::ListJobsRequest& request) const {
  for (const JobWish& wish : jobs.values) {
    std::string text = std::to_string(wish.job_id);
    if (wish.by_task) text += "_[" + format_tasks(wish.tasks, 0, 0) + "]";
    request.add_job_ids(std::move(text));
  }
  request.mutable_licenses()->Assign(licenses.values.begin(), licenses.values.end());
  request.mutable_reservations()->Assign(reservations.values.begin(), reservations.values.end());
  request.set_all_states(all_states || jobs.given);
  if (jobs.given) return;
  request.mutable_uids()->Assign(uids.values.begin(), uids.values.end());
  request.mutable_accounts()->Assign(accounts.values.begin(), accounts.values.end());
  request.mutable_partitions()->Assign(partitions.values.begin(), partitions.values.end());
  request.mutable_qos()->Assign(qos.values.begin(), qos.values.end());
  request.mutable_names()->Assign(names.values.begin(), names.values.end());
  request.mutable_states()->Assign(states.values.begin(), states.values.end());
  if (nodes) request.mutable_nodes()->Assign(nodes->begin(), nodes->end());
}

void JobFilter::ask_steps(v1::ListJobsRequest& request) const {
  JobFilter selects;
  selects.jobs = jobs;
  selects.uids = uids;
  selects.partitions = partitions;
  selects.nodes = nodes;
  selects.all_states = true;
  selects.ask(request);
  for (const StepWish& step : steps.values) {
    std::string id = std::to_string(step.job_id);
    if (step.task) id += "_" + std::to_string(*step.task);
    request.add_job_ids(std::move(id));
  }
}

ArraySpec read_tasks(std::string_view text) {
  // No array is larger; a longer one in a message is a mistake that must not cost memory.
  static constexpr uint32_t kMaxArraySize = 4000001;
  return parse_array_spec(text, kMaxArraySize).value_or(ArraySpec());
}

std::vector<std::string_view> split_ids(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ',';
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (c != ',' || (depth > 0 && i < text.size())) continue;
    if (i > start) parts.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  return parts;
}

Result<JobWish> parse_job_wish(std::string_view text) {
  JobWish wish;
  std::string_view digits = leading_digits(text);
  wish.job_id = static_cast<uint32_t>(parse_uint(digits, UINT32_MAX).value_or(0));
  if (wish.job_id == 0) return fail("Invalid job id: " + std::string(text));
  std::string_view rest = text.substr(digits.size());
  if (rest.starts_with('_')) {
    wish.by_task = true;
    rest.remove_prefix(1);
    wish.tasks = read_tasks(rest).tasks;
  }
  return wish;
}

Result<StepWish> parse_step_wish(std::string_view text) {
  StepWish wish;
  size_t dot = text.find('.');
  std::string_view job = text.substr(0, dot);
  std::string_view digits = leading_digits(job);
  wish.job_id = static_cast<uint32_t>(parse_uint(digits, UINT32_MAX).value_or(0));
  if (dot == std::string_view::npos || wish.job_id == 0) {
    return fail("Invalid job_step id: " + std::string(job) + ".??");
  }
  if (job.substr(digits.size()).starts_with('_')) {
    wish.task = static_cast<uint32_t>(
        parse_uint(leading_digits(job.substr(digits.size() + 1)), UINT32_MAX).value_or(0));
  }
  std::string_view step = text.substr(dot + 1);
  bool named = step == "batch" || step == "extern" || step == "interactive";
  wish.step_id = named ? step : leading_digits(step);
  if (wish.step_id.empty()) wish.step_id = "0";
  return wish;
}

}  // namespace grappe
