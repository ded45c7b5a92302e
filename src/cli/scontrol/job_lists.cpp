#include "cli/scontrol/job_lists.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/array_spec.h"
#include "base/text.h"
#include "model/slurm_error.h"

namespace grappe::scontrol {
namespace {

// Tasks of one array with the same outcome.
struct TaskGroup {
  std::string array;
  std::string text;
  bool bad = false;
  std::vector<TaskSet::Range> tasks;
};

std::string outcome_text(const v1::JobOutcome& outcome) {
  if (!outcome.message().empty()) return outcome.message();
  return outcome.error() ? slurm_error_text(static_cast<int>(outcome.error())) : "No error";
}

void add_tasks(std::vector<TaskGroup>& groups, const v1::JobOutcome& outcome) {
  size_t underscore = outcome.job_id().find('_');
  std::string array = outcome.job_id().substr(0, underscore);
  auto tasks = parse_array_spec(outcome.job_id().substr(underscore + 1), UINT32_MAX);
  if (!tasks) return;
  std::string text = outcome_text(outcome);
  TaskGroup* group = nullptr;
  for (TaskGroup& known : groups) {
    if (known.array == array && known.text == text) group = &known;
  }
  if (!group) group = &groups.emplace_back(TaskGroup{array, text, outcome.error() != 0, {}});
  tasks->tasks.for_each([&](uint32_t id) { group->tasks.push_back({id, id, 1}); });
}

}  // namespace

std::vector<std::string> split_job_list(std::string_view text) {
  std::vector<std::string> jobs;
  std::string job;
  int depth = 0;
  auto finish = [&] {
    if (!job.empty()) jobs.push_back(job);
    job.clear();
  };
  for (char c : text) {
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (c == ',' && depth == 0) {
      finish();
    } else {
      job += c;
    }
  }
  finish();
  return jobs;
}

std::string report_outcomes(Session& session,
                            const google::protobuf::RepeatedPtrField<v1::JobOutcome>& outcomes) {
  std::vector<TaskGroup> groups;
  std::string last;
  for (const v1::JobOutcome& outcome : outcomes) {
    if (outcome.job_id().find('_') != std::string::npos) {
      add_tasks(groups, outcome);
    } else if (outcome.error()) {
      last = outcome_text(outcome);
      session.complain(fmt::format("{} for job {}", last, outcome.job_id()));
    }
  }
  // In the order of the tasks.
  for (TaskGroup& group : groups) {
    std::sort(group.tasks.begin(), group.tasks.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  std::stable_sort(groups.begin(), groups.end(), [](const TaskGroup& a, const TaskGroup& b) {
    return a.array == b.array && a.tasks.front().first < b.tasks.front().first;
  });
  for (const TaskGroup& group : groups) {
    bool beside_bad = false;
    for (const TaskGroup& other : groups) beside_bad |= other.bad && other.array == group.array;
    if (!beside_bad) continue;
    if (group.bad) last = group.text;
    session.complain(
        fmt::format("{}_{}: {}", group.array, TaskSet::of(group.tasks).list(), group.text));
  }
  return last;
}

std::string report_failure(Session& session, const Error& failure, std::string_view id) {
  for (const std::string& note : failure.notes) session.error(note);
  if (id.find('_') != std::string_view::npos) {
    session.complain(fmt::format("{}: {}", id, failure.message));
  } else {
    session.complain(fmt::format("{} for job {}", failure.message, id));
  }
  return failure.message;
}

}  // namespace grappe::scontrol
