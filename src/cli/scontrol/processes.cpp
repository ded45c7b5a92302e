// Processes of jobs on this machine, and jobs that are ending.
#include <dirent.h>
#include <fmt/core.h>

#include <ctime>
#include <map>
#include <set>

#include "base/datetime.h"
#include "base/duration.h"
#include "base/process_stat.h"
#include "base/text.h"
#include "cli/scontrol/keywords.h"
#include "grappe/v1/cluster.pb.h"
#include "grappe/v1/jobs.pb.h"
#include "model/job_state.h"
#include "model/node_state.h"

namespace grappe::scontrol {
namespace {

using Parents = std::map<uint32_t, uint32_t>;  // process to parent

uint32_t parent_of(uint32_t pid) {
  const auto stat = read_process_stat(pid);
  return stat ? stat->parent : 0;
}

Parents all_processes() {
  Parents parents;
  DIR* folder = opendir("/proc");
  if (!folder) return parents;
  while (const dirent* entry = readdir(folder)) {
    if (auto pid = parse_uint(entry->d_name, UINT32_MAX))
      parents[static_cast<uint32_t>(*pid)] = parent_of(static_cast<uint32_t>(*pid));
  }
  closedir(folder);
  return parents;
}

Result<v1::ListJobsResponse> running_steps(Session& session, const std::string& job) {
  v1::ListJobsRequest request;
  request.set_steps(true);
  if (!job.empty()) request.add_job_ids(job);
  return session.calls.call<v1::ListJobsResponse>("Jobs/List", request);
}

std::string pid_row(uint32_t pid, const v1::StepInfo& step, std::string_view local,
                    std::string_view global) {
  return fmt::format("{:<8} {:<8} {:<8} {:<7} {:<8}\n", pid, step.job_id(), step.step_id(), local,
                     global);
}

// The tasks of a step with their ids, then what they have started, with dashes.
std::string step_rows(const v1::StepInfo& step, const std::string& node, const Parents& parents,
                      const std::set<uint32_t>& known) {
  std::string rows;
  std::set<uint32_t> family;
  std::map<std::string, int> local;
  for (const v1::TaskPid& task : step.pids()) {
    int id = local[task.node()]++;
    if (!node.empty() && task.node() != node) continue;
    rows += pid_row(task.pid(), step, std::to_string(id), std::to_string(task.task()));
    family.insert(task.pid());
  }
  // Children may have lower numbers than their parents, so this runs until nothing is added.
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [pid, parent] : parents) {
      if (known.contains(pid) || family.contains(pid) || !family.contains(parent)) continue;
      family.insert(pid);
      rows += pid_row(pid, step, "-", "-");
      grown = true;
    }
  }
  return rows;
}

struct StepFilter {
  std::string job;
  std::string step;
};

// False: it was said why.
bool parse_filter(Session& session, const std::string& text, StepFilter& filter) {
  if (text == "*") return true;
  size_t dot = text.find('.');
  filter.job = text.substr(0, dot);
  if (!parse_uint(filter.job, UINT32_MAX)) {
    session.complain(fmt::format("\"{}\" does not look like a jobid", text));
    return false;
  }
  if (dot != std::string::npos) filter.step = text.substr(dot + 1);
  return true;
}

}  // namespace

void list_pids(Session& session, Words words) {
  StepFilter filter;
  if (words.size() > 1 && !parse_filter(session, words[1], filter)) return;
  std::string node = words.size() > 2 ? words[2] : "";
  auto answer = running_steps(session, filter.job);
  session.say("PID      JOBID    STEPID   LOCALID GLOBALID\n");
  std::string rows;
  if (answer) {
    Parents parents = all_processes();
    std::set<uint32_t> known;
    for (const v1::StepInfo& step : answer->steps()) {
      for (const v1::TaskPid& task : step.pids()) known.insert(task.pid());
    }
    for (const v1::StepInfo& step : answer->steps()) {
      if (filter.step.empty() || step.step_id() == filter.step)
        rows += step_rows(step, node, parents, known);
    }
  }
  session.say(rows);
  if (!rows.empty()) return;
  std::string_view where = node.empty() ? std::string_view("(null)") : node;
  if (filter.job.empty()) {
    session.complain("No job steps exist on this node.");
  } else if (filter.step.empty()) {
    session.complain(fmt::format("JobId={} does not exist on node {}.", filter.job, where));
  } else {
    session.complain(
        fmt::format("StepId={}.{} does not exist on node {}.", filter.job, filter.step, where));
  }
}

void pid_info(Session& session, Words words) {
  auto wanted = parse_uint(words[1], UINT32_MAX);
  auto answer = wanted ? running_steps(session, "") : fail("");
  std::map<uint32_t, uint32_t> job_of;
  if (answer) {
    for (const v1::StepInfo& step : answer->steps()) {
      for (const v1::TaskPid& task : step.pids()) job_of[task.pid()] = step.job_id();
    }
  }
  uint32_t pid = wanted ? static_cast<uint32_t>(*wanted) : 0;
  while (pid > 1 && !job_of.contains(pid)) pid = parent_of(pid);
  if (!job_of.contains(pid)) return session.complain("Failed to locate job for requested pid");
  for (const v1::JobInfo& job : answer->jobs()) {
    if (job.job_id() != job_of[pid]) continue;
    session.say(
        fmt::format("Slurm JobId={} ends at {}\n", job.job_id(), format_datetime(job.end_time())));
    session.say(fmt::format("Job remaining time is {} seconds\n", job.end_time() - answer->now()));
    return;
  }
  session.say(fmt::format("Slurm JobId={}\n", job_of[pid]));
}

void completing(Session& session, Words) {
  v1::ListJobsRequest request;
  request.add_states(kStateCompleting);
  auto jobs = session.calls.call<v1::ListJobsResponse>("Jobs/List", request);
  if (!jobs) return session.failed("slurm_load_jobs error", jobs.error());
  Style style = session.style(jobs->now());
  for (const v1::JobInfo& job : jobs->jobs()) {
    if (!(job.state() & kStateCompleting)) continue;
    session.say(fmt::format("JobId={} EndTime={} CompletingTime={} Nodes(COMPLETING)={} \n",
                            job.job_id(), moment(style, job.end_time(), "Unknown"),
                            format_duration(jobs->now() - job.end_time()), job.nodes()));
  }
}

}  // namespace grappe::scontrol
