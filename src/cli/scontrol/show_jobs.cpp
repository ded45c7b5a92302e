// `scontrol show job` and `show step`: which ones, and what is said when there is none.
#include <fmt/core.h>

#include <algorithm>
#include <ctime>

#include "base/text.h"
#include "cli/scontrol/show_cluster.h"
#include "cli/scontrol/show_entities.h"
#include "cli/scontrol/show_job.h"
#include "cli/why/why_text.h"
#include "model/job_state.h"
#include "model/slurm_error.h"

namespace grappe::scontrol {
namespace {

// "12", "12_3": what Slurm reads of a job's name. Job 0 is all jobs.
struct JobName {
  uint32_t id = 0;
  std::optional<uint32_t> task;
  std::string text() const { return task ? fmt::format("{}_{}", id, *task) : std::to_string(id); }
};

std::optional<JobName> parse_job_name(std::string_view text) {
  JobName name;
  size_t underscore = text.find('_');
  auto id = parse_uint(text.substr(0, underscore), UINT32_MAX);
  if (!id) return std::nullopt;
  name.id = static_cast<uint32_t>(*id);
  if (underscore == std::string_view::npos) return name;
  std::string_view task_text = text.substr(underscore + 1);
  // Slurm takes an empty number for 0.
  auto task = task_text.empty() ? std::optional<uint64_t>(0) : parse_uint(task_text, UINT32_MAX);
  if (!task) return std::nullopt;
  name.task = static_cast<uint32_t>(*task);
  return name;
}

void say_update_time(const Session& session, const Style& style, int64_t now, int count) {
  if (!session.verbose) return;
  session.say(
      fmt::format("last_update_time={}, records={}\n", moment(style, now, "Unknown"), count));
}

struct StepName {
  std::string job;   // empty: every job
  std::string step;  // empty: every step of the job
};

StepName parse_step_name(std::string_view text) {
  StepName name;
  size_t dot = text.find('.');
  auto job = parse_job_name(text.substr(0, dot));
  if (!job || job->id == 0) return name;
  name.job = job->text();
  if (dot != std::string_view::npos) name.step = text.substr(dot + 1);
  return name;
}

bool job_is_known(Session& session, uint32_t id) {
  v1::ListJobsRequest request;
  request.set_all_states(true);
  request.set_all_partitions(true);
  request.add_job_ids(std::to_string(id));
  auto jobs = session.calls.call<v1::ListJobsResponse>("Jobs/List", request);
  return jobs && jobs->jobs_size();
}

// The record is Slurm's to the byte, so that what is more comes only to who asks for it.
Result<std::string> why_lines(Session& session, const v1::JobInfo& job) {
  if (!session.why || base_state(job.state()) != JobState::kPending) return std::string();
  v1::WhyRequest request;
  request.set_job_id(job.has_array_task_id() ? job.array_job_id() : job.job_id());
  if (job.has_array_task_id()) request.set_array_task_id(job.array_task_id());
  auto why = session.calls.call<v1::WhyResponse>("Planning/Why", request);
  if (!why) return tl::unexpected<Error>(why.error());
  return why_text(*why, language_for("")) + "\n";
}

}  // namespace

void show_jobs(Session& session, Words words) {
  v1::ListJobsRequest request;
  request.set_view(v1::ListJobsRequest::FULL);
  request.set_all_states(true);
  request.set_all_partitions(session.all);
  request.set_single_tasks(true);
  JobName name;
  if (!words.empty() && !words[0].empty()) {
    auto parsed = parse_job_name(words[0]);
    if (!parsed) return session.complain("scontrol_print_job error: Invalid job id specified");
    name = *parsed;
    if (name.id) request.add_job_ids(name.text());
  }
  if (session.why && !name.id) return session.error("--why is about one job: show job JOBID");
  if (session.why && session.one_line) {
    return session.error("--why and --oneliner exclude each other");
  }
  auto jobs = session.calls.call<v1::ListJobsResponse>("Jobs/List", request);
  if (!jobs) {
    // A task that its array does not have is said to be missing, not to be a wrong number.
    const bool missing_task =
        name.task && jobs.error().code == kErrInvalidJobId && job_is_known(session, name.id);
    if (!missing_task) return session.failed("slurm_load_jobs error", jobs.error());
    jobs.emplace();
  }
  Style style = session.style(jobs->now());
  say_update_time(session, style, jobs->now(), jobs->jobs_size());
  std::string text;
  for (const v1::JobInfo& job : jobs->jobs()) {
    text += format_job(job, style);
    auto why = why_lines(session, job);
    if (!why) return session.failed("scontrol: --why", why.error());
    text += *why;
  }
  session.say(text);
  if (jobs->jobs_size()) return;
  if (name.id) {
    session.exit_code = 1;
    if (!session.quiet) session.say(fmt::format("Job {} not found\n", name.text()));
  } else if (!session.quiet) {
    session.say("No jobs in the system\n");
  }
}

void show_steps(Session& session, Words words) {
  StepName name = parse_step_name(words.empty() ? "" : words[0]);
  v1::ListJobsRequest request;
  request.set_steps(true);
  request.set_all_states(true);
  request.set_all_partitions(session.all);
  if (!name.job.empty()) request.add_job_ids(name.job);
  auto answer = session.calls.call<v1::ListJobsResponse>("Jobs/List", request);
  if (!answer) return session.failed("slurm_get_job_steps error", answer.error());
  Style style = session.style(answer->now());
  say_update_time(session, style, answer->now(), answer->steps_size());
  // In the order in which they were started: the script comes before what it starts.
  auto starts_later = [](const v1::StepInfo& step) { return is_digit(step.step_id().front()); };
  std::stable_sort(answer->mutable_steps()->begin(), answer->mutable_steps()->end(),
                   [&](const v1::StepInfo& a, const v1::StepInfo& b) {
                     return a.job_id() == b.job_id() && !starts_later(a) && starts_later(b);
                   });
  std::string text;
  for (const v1::StepInfo& step : answer->steps()) {
    if (name.step.empty() || name.step == step.step_id()) text += format_step(step, style);
  }
  session.say(text);
  if (!text.empty()) return;
  if (!name.job.empty()) {
    session.exit_code = 1;
    if (!session.quiet) session.say(fmt::format("Job step {}.{} not found\n", name.job, name.step));
  } else if (!session.quiet) {
    session.say("No job steps in the system\n");
  }
}

}  // namespace grappe::scontrol
