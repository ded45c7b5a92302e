#include "cli/scontrol/show_job.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "base/array_spec.h"
#include "base/duration.h"
#include "base/memory_size.h"
#include "base/text.h"
#include "cli/format/exit_code.h"
#include "cli/scontrol/show_job_detail.h"
#include "model/job_state.h"
#include "model/mail.h"

namespace grappe::scontrol {
namespace {

using v1::JobInfo;
using v1::JobSpec;

bool is_pending(const JobInfo& job) {
  return base_state(job.state()) == JobState::kPending;
}

// scontrol lists every task, without the step that squeue shortens to, and cuts a long list.
std::string task_ids(const JobInfo& job) {
  if (job.has_array_task_id()) return std::to_string(job.array_task_id());
  auto spec = parse_array_spec(job.array_tasks(), UINT32_MAX);
  if (!spec) return job.array_tasks();
  const char* length_text = std::getenv("SLURM_BITSTR_LEN");
  size_t length = array_text_length(length_text ? length_text : "");
  std::string list = spec->tasks.list();
  if (length > 4 && list.size() >= length) list = list.substr(0, length - 4) + "...";
  if (spec->max_running) list += fmt::format("%{}", spec->max_running);
  return list;
}

std::string title(const JobInfo& job) {
  std::string line = fmt::format("JobId={}", job.job_id());
  if (job.array_job_id()) {
    line += fmt::format(" ArrayJobId={} ArrayTaskId={}", job.array_job_id(), task_ids(job));
    if (job.array_max_running())
      line += fmt::format(" ArrayTaskThrottle={}", job.array_max_running());
  }
  return line + " JobName=" + job.name();
}

// Blanks would break "Name=value" pairs apart.
std::string reason_text(const JobInfo& job) {
  std::string reason = !job.reason_detail().empty() ? job.reason_detail() : job.reason();
  std::replace(reason.begin(), reason.end(), ' ', '_');
  return reason.empty() ? "None" : reason;
}

int64_t run_time(const JobInfo& job, int64_t now) {
  JobState state = base_state(job.state());
  if (state == JobState::kPending || job.start_time() == 0) return 0;
  if (state == JobState::kSuspended) return job.pre_suspend_s();
  int64_t end = is_finished(state) ? job.end_time() : now;
  if (job.suspend_time()) return end - job.suspend_time() + job.pre_suspend_s();
  return std::max<int64_t>(0, end - job.start_time());
}

std::string time_min_text(const JobInfo& job) {
  return job.time_min() ? format_minutes(job.time_min()) : "N/A";
}

void who_and_state(Record& record, const JobInfo& job) {
  std::string mcs = job.spec().mcs_label().empty() ? "N/A" : job.spec().mcs_label();
  record.line(fmt::format("UserId={}({}) GroupId={}({}) MCS_label={}", job.user(), job.uid(),
                          job.group(), job.gid(), mcs));
  std::string order = fmt::format("Priority={} Nice={} Account={} QOS={}", job.priority(),
                                  job.nice(), or_null(job.account()), or_null(job.qos()));
  if (!job.wckey().empty() && !job.wckey_untracked()) order += " WCKey=" + job.wckey();
  record.line(order);
  std::string state =
      fmt::format("JobState={} Reason={}", job_state_name(job.state()), reason_text(job));
  if (!job.failed_node().empty()) state += " FailedNode=" + job.failed_node();
  record.line(state + fmt::format(" Dependency={}", or_null(job.dependency())));
  record.line(fmt::format("Requeue={:d} Restarts={} BatchFlag={:d} Reboot={:d} ExitCode={}",
                          job.requeue(), job.restarts(), job.batch(), job.spec().reboot(),
                          exit_code_text(job.exit_code())));
}

void times(Record& record, const JobInfo& job, const Style& style) {
  if (style.details) record.line("DerivedExitCode=" + exit_code_text(job.derived_exit_code()));
  record.line(fmt::format("RunTime={} TimeLimit={} TimeMin={}",
                          format_duration(run_time(job, style.now)),
                          format_minutes(job.time_limit()), time_min_text(job)));
  record.line(fmt::format("SubmitTime={} EligibleTime={}",
                          moment(style, job.submit_time(), "Unknown"),
                          moment(style, job.eligible_time(), "Unknown")));
  record.line("AccrueTime=" + moment(style, job.accrue_time(), "Unknown"));
  if (job.resize_time()) record.line("ResizeTime=" + moment(style, job.resize_time(), "None"));
  record.line(
      fmt::format("StartTime={} EndTime={} Deadline={}", moment(style, job.start_time(), "Unknown"),
                  moment(style, job.end_time(), "Unknown"), moment(style, job.deadline(), "N/A")));
  if (job.preempt_time()) {
    record.line(fmt::format("PreemptEligibleTime={} PreemptTime={}",
                            moment(style, job.start_time(), "Unknown"),
                            moment(style, job.preempt_time(), "None")));
  }
  std::string scheduler = job.scheduler().empty() ? "Main" : job.scheduler();
  record.line(fmt::format("SuspendTime={} SecsPreSuspend={} LastSchedEval={} Scheduler={}",
                          moment(style, job.suspend_time(), "None"), job.pre_suspend_s(),
                          moment(style, job.last_sched_eval(), "Unknown"), scheduler));
}

void nodes(Record& record, const JobInfo& job) {
  record.line(fmt::format("Partition={} AllocNode:Sid={}:{}", job.partition(),
                          or_null(job.alloc_host()), job.alloc_sid()));
  record.line(fmt::format("ReqNodeList={} ExcNodeList={}", or_null(job.spec().required_nodes()),
                          or_null(job.spec().excluded_nodes())));
  std::string list = "NodeList=" + job.nodes();
  if (!job.scheduled_nodes().empty()) list += " SchedNodeList=" + job.scheduled_nodes();
  record.line(list);
  if (!job.batch_host().empty()) record.line("BatchHost=" + job.batch_host());
}

// A count that may be left open.
std::string or_star(bool given, uint32_t count) {
  return given ? std::to_string(count) : "*";
}

std::string core_spec_text(const JobSpec& spec) {
  if (spec.has_thread_spec()) return fmt::format("ThreadSpec={}", spec.thread_spec());
  return "CoreSpec=" + or_star(spec.has_core_spec(), spec.core_spec());
}

void sizes(Record& record, const JobInfo& job, const Style& style) {
  const JobSpec& spec = job.spec();
  std::string count = std::to_string(job.num_nodes());
  // A range is what was asked for, not what follows from one task.
  bool asked = spec.has_min_nodes() || spec.has_max_nodes() || job.max_nodes() > job.num_nodes();
  if (is_pending(job) && job.max_nodes() && asked) {
    count = fmt::format("{}-{}", std::min(job.num_nodes(), job.max_nodes()), job.max_nodes());
  }
  bool tasks_known =
      job.num_tasks() && (spec.has_ntasks() || !ended_unstarted(job.state(), job.nodes()));
  record.line(fmt::format(
      "NumNodes={} NumCPUs={} NumTasks={} CPUs/Task={} ReqB:S:C:T=0:0:{}:{}", count, job.num_cpus(),
      tasks_known ? std::to_string(job.num_tasks()) : "N/A", std::max(1u, job.cpus_per_task()),
      or_star(spec.has_cores_per_socket(), spec.cores_per_socket()),
      or_star(spec.has_threads_per_core(), spec.threads_per_core())));
  record.line(fmt::format("TRES={}",
                          or_null(job.tres_alloc().empty() ? job.tres_req() : job.tres_alloc())));
  record.line(fmt::format(
      "Socks/Node={} NtasksPerN:B:S:C={}:0:{}:{} {}",
      or_star(spec.has_sockets_per_node(), spec.sockets_per_node()), spec.ntasks_per_node(),
      or_star(spec.has_ntasks_per_socket(), spec.ntasks_per_socket()),
      or_star(spec.has_ntasks_per_core(), spec.ntasks_per_core()), core_spec_text(spec)));
  if (style.details) share_lines(record, job);
  bool per_cpu = job.mem_per_cpu_mb() != 0;
  record.line(fmt::format("MinCPUsNode={} MinMemory{}={} MinTmpDiskNode={}",
                          std::max(1u, job.min_cpus_per_node()), per_cpu ? "CPU" : "Node",
                          format_megabytes(per_cpu ? job.mem_per_cpu_mb() : job.mem_per_node_mb()),
                          format_megabytes(job.tmp_mb())));
}

void wishes(Record& record, const JobInfo& job) {
  const JobSpec& spec = job.spec();
  record.line(fmt::format("Features={} DelayBoot={}", or_null(job.features()),
                          format_duration(spec.delay_boot())));
  if (!job.resv_name().empty()) record.line("Reservation=" + job.resv_name());
  if (!spec.cluster_constraint().empty())
    record.line("ClusterFeatures=" + spec.cluster_constraint());
  if (!spec.prefer().empty()) record.line("Prefer=" + spec.prefer());
  record.line(fmt::format("OverSubscribe={} Contiguous={:d} Licenses={} Network={}",
                          job.oversubscribe().empty() ? "OK" : job.oversubscribe(),
                          spec.contiguous(), or_null(job.licenses()), or_null(spec.network())));
}

void files(Record& record, const JobInfo& job) {
  record.line(fmt::format("Command={}", or_null(job.command())));
  record.line("WorkDir=" + job.work_dir());
  // Slurm writes a blank after each comment.
  if (!job.admin_comment().empty()) record.line("AdminComment=" + job.admin_comment() + " ");
  if (!job.system_comment().empty()) record.line("SystemComment=" + job.system_comment() + " ");
  if (!job.comment().empty()) record.line("Comment=" + job.comment() + " ");
  if (!job.batch()) return;
  const JobSpec& spec = job.spec();
  const std::string out = shown_file(job, spec.std_out(), job.std_out());
  record.line("StdErr=" + shown_file(job, spec.std_err(), out));
  record.line("StdIn=" + shown_file(job, spec.std_in(), job.std_in()));
  record.line("StdOut=" + out);
}

}  // namespace

std::string format_job(const JobInfo& job, const Style& style) {
  Record record;
  record.line(title(job));
  who_and_state(record, job);
  times(record, job, style);
  nodes(record, job);
  sizes(record, job, style);
  wishes(record, job);
  files(record, job);
  extra_lines(record, job);
  record.line("");
  return record.text(style);
}

}  // namespace grappe::scontrol
