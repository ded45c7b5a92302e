// Rows of the tables as plain columns, and each table's columns listed once: the SQL text, the
// binding and the reading all come from the same list.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "grappe/store/v1/record.pb.h"
#include "model/job.h"

namespace grappe::sql {

struct JobRow {
  long long id, restarts, array_job_id, array_task_id, array_max_running, uid, gid, state, reason,
      hold, priority, direct_priority, submit_time, begin_time, eligible_time, accrue_time,
      start_time, end_time, suspend_time, pre_suspend_s, suspended_s, killed_time, warned,
      preempt_time, min_nodes, max_nodes, tasks, cpus_per_task, min_cpus_per_node, cpus,
      mem_per_cpu_mb, mem_per_node_mb, time_limit, whole_nodes, next_step, requeue_after,
      backfilled, exit_code, derived_exit_code, ended_by, assoc_id, live, billing_asked, billing,
      site_factor, lifted;
  std::string array_waiting, user_name, group_name, account, qos, partitions, name, reason_detail,
      dependency, nodes, boot_id, system_comment, wckey, script_key, environment_key, token, spec,
      allocation;
};

// What is told of a job in lists of the past.
template <class Visit>
void past_job_columns(JobRow& r, Visit&& column) {
  column("id", r.id);
  column("restarts", r.restarts);
  column("array_job_id", r.array_job_id);
  column("array_task_id", r.array_task_id);
  column("array_waiting", r.array_waiting);
  column("array_max_running", r.array_max_running);
  column("uid", r.uid);
  column("gid", r.gid);
  column("user_name", r.user_name);
  column("group_name", r.group_name);
  column("account", r.account);
  column("qos", r.qos);
  column("assoc_id", r.assoc_id);
  column("wckey", r.wckey);
  column("partitions", r.partitions);
  column("name", r.name);
  column("state", r.state);
  column("reason", r.reason);
  column("reason_detail", r.reason_detail);
  column("priority", r.priority);
  column("submit_time", r.submit_time);
  column("eligible_time", r.eligible_time);
  column("accrue_time", r.accrue_time);
  column("start_time", r.start_time);
  column("end_time", r.end_time);
  column("suspend_time", r.suspend_time);
  column("pre_suspend_s", r.pre_suspend_s);
  column("suspended_s", r.suspended_s);
  column("nodes", r.nodes);
  column("min_nodes", r.min_nodes);
  column("tasks", r.tasks);
  column("cpus", r.cpus);
  column("mem_per_cpu_mb", r.mem_per_cpu_mb);
  column("mem_per_node_mb", r.mem_per_node_mb);
  column("time_limit", r.time_limit);
  column("billing_asked", r.billing_asked);
  column("billing", r.billing);
  column("backfilled", r.backfilled);
  column("exit_code", r.exit_code);
  column("derived_exit_code", r.derived_exit_code);
  column("ended_by", r.ended_by);
  column("system_comment", r.system_comment);
  column("spec", r.spec);
  column("allocation", r.allocation);
}

// All of it: what the engine needs to go on with the job as well.
template <class Visit>
void job_columns(JobRow& r, Visit&& column) {
  past_job_columns(r, column);
  column("hold", r.hold);
  column("direct_priority", r.direct_priority);
  column("dependency", r.dependency);
  column("begin_time", r.begin_time);
  column("killed_time", r.killed_time);
  column("warned", r.warned);
  column("preempt_time", r.preempt_time);
  column("max_nodes", r.max_nodes);
  column("cpus_per_task", r.cpus_per_task);
  column("min_cpus_per_node", r.min_cpus_per_node);
  column("whole_nodes", r.whole_nodes);
  column("site_factor", r.site_factor);
  column("lifted", r.lifted);
  column("next_step", r.next_step);
  column("requeue_after", r.requeue_after);
  column("boot_id", r.boot_id);
  column("script_key", r.script_key);
  column("environment_key", r.environment_key);
  column("token", r.token);
  column("live", r.live);
}

struct StepRow {
  long long job_id, restarts, step_id, state, start_time, end_time, tasks, time_limit, exit_code,
      overlap, srun_pid, user_us, system_us, max_rss;
  std::string name, nodes, srun_host, failure, task_node, spec, allocation, use_figures,
      use_samples;
};

// All but the samples, which are for whoever asks for them alone.
template <class Visit>
void step_columns(StepRow& r, Visit&& column) {
  column("job_id", r.job_id);
  column("restarts", r.restarts);
  column("step_id", r.step_id);
  column("name", r.name);
  column("state", r.state);
  column("start_time", r.start_time);
  column("end_time", r.end_time);
  column("nodes", r.nodes);
  column("tasks", r.tasks);
  column("time_limit", r.time_limit);
  column("exit_code", r.exit_code);
  column("overlap", r.overlap);
  column("srun_pid", r.srun_pid);
  column("srun_host", r.srun_host);
  column("failure", r.failure);
  column("user_us", r.user_us);
  column("system_us", r.system_us);
  column("max_rss", r.max_rss);
  column("task_node", r.task_node);
  column("spec", r.spec);
  column("allocation", r.allocation);
  column("use_figures", r.use_figures);
}

template <class Visit>
void whole_step_columns(StepRow& r, Visit&& column) {
  step_columns(r, column);
  column("use_samples", r.use_samples);
}

// Columns of bytes. PostgreSQL takes and gives them as hexadecimal text ("\\x23ff"), because SOCI
// knows no other way that lets a zero through; SQLite as they are. Messages never begin like that
// text, so a row is read either way.
std::string bytes_to_text(const std::string& bytes);
std::string text_to_bytes(const std::string& text);
void bytes_to_text(JobRow& row);
void bytes_to_text(StepRow& row);

// Makes jobs of rows. A long list is mostly the same request many times: it is read once.
class JobReader {
 public:
  Job from_row(const JobRow& row);

 private:
  std::shared_ptr<const v1::JobSpec> spec_of(const std::string& column);
  std::vector<NodeAllocation> allocation_of(const std::string& column);

  std::unordered_map<std::string, std::shared_ptr<const v1::JobSpec>> specs_;
  std::string last_column_;  // of the row before
  std::shared_ptr<const v1::JobSpec> last_spec_;
  store::v1::Allocation allocation_;  // its parts are filled again and again
};

void to_row(const Job& job, JobRow& row);
void to_row(const Step& step, StepRow& row);
Step from_row(const StepRow& row);

}  // namespace grappe::sql
