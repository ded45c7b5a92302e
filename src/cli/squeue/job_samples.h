// Jobs as they once stood in a Slurm 22.05.8 cluster, for tests. Texts expected of them follow what
// its squeue printed, with the script's path, the clock and empty features made plain. Suspended,
// timed out, completing and rejoined jobs were not recorded: those tests state our reading of it.
#pragma once

#include <cstdlib>
#include <ctime>

#include "grappe/v1/jobs.pb.h"

namespace grappe::samples {

// 2026-11-15 in UTC; tests run with TZ=UTC so that times have one text.
inline constexpr int64_t kDay = 1794700800;
constexpr int64_t at(int hour, int minute, int second) {
  return kDay + hour * 3600 + minute * 60 + second;
}
inline constexpr int64_t kNow = at(19, 51, 7);

inline void use_utc() {
  setenv("TZ", "UTC", 1);
  tzset();
}

// 30: two nodes, a GPU on each, a script with arguments; it runs.
inline v1::JobInfo running() {
  v1::JobInfo job;
  job.set_job_id(30);
  job.set_state(1);
  job.set_uid(1001);
  job.set_gid(1001);
  job.set_user("alice");
  job.set_group("alice");
  job.set_name("bigjob");
  job.set_account("cs");
  job.set_partition("batch");
  job.set_qos("normal");
  job.set_priority(11532);
  job.set_nice(5);
  job.set_submit_time(at(19, 50, 51));
  job.set_eligible_time(at(19, 50, 51));
  job.set_accrue_time(at(19, 50, 51));
  job.set_start_time(at(19, 50, 51));
  job.set_end_time(at(20, 20, 51));
  job.set_last_sched_eval(at(19, 50, 51));
  job.set_time_limit(30);
  job.set_requeue(true);
  job.set_batch(true);
  job.set_nodes("node[1-2]");
  job.set_batch_host("node1");
  job.set_num_nodes(2);
  job.set_num_cpus(8);
  job.set_num_tasks(4);
  job.set_tres_per_node("gres:gpu:1");
  job.set_tres_req("cpu=8,mem=4G,node=2,billing=8,gres/gpu=2");
  job.set_tres_alloc("cpu=8,mem=4G,node=2,billing=8,gres/gpu=2");
  job.set_std_in("/dev/null");
  job.set_std_out("/home/alice/out-%j.txt");
  job.set_std_err("/home/alice/err-%j.txt");
  job.mutable_spec()->set_std_out("out-%j.txt");
  job.mutable_spec()->set_std_err("err-%j.txt");
  job.set_work_dir("/home/alice");
  job.set_command("/tmp/job.sh arg1 arg2");
  job.set_cluster("peer");
  job.set_alloc_host("localhost");
  job.set_alloc_sid(9396);
  job.set_comment("hello world");
  job.set_assoc_id(7);
  job.set_mem_per_node_mb(2048);
  job.set_cpus_per_task(2);
  job.set_min_cpus_per_node(2);
  job.set_oversubscribe("OK");
  job.set_reason("None");
  return job;
}

// 32: held, with nearly every option of sbatch; it would begin in an hour.
inline v1::JobInfo held() {
  v1::JobInfo job;
  job.set_job_id(32);
  job.set_state(0);
  job.set_reason("JobHeldUser");
  job.set_uid(1001);
  job.set_gid(1001);
  job.set_user("alice");
  job.set_group("alice");
  job.set_name("held");
  job.set_account("cs");
  job.set_partition("batch");
  job.set_qos("normal");
  job.set_submit_time(at(19, 51, 5));
  job.set_eligible_time(at(20, 51, 5));
  job.set_start_time(at(20, 51, 5));
  job.set_end_time(kDay + 86400 + 22 * 3600 + 55 * 60 + 5);
  job.set_deadline(kDay + 30 * 86400 + 19 * 3600 + 51 * 60 + 5);
  job.set_last_sched_eval(at(19, 51, 5));
  job.set_time_limit(1564);
  job.set_time_min(10);
  job.set_batch(true);
  job.set_num_nodes(1);
  job.set_num_cpus(3);
  job.set_num_tasks(3);
  job.set_max_nodes(3);
  job.set_tres_req("cpu=3,mem=900M,node=1,billing=3,gres/gpu=3");
  job.set_tres_per_job("gres:gpu:3");
  job.set_tres_per_task("gres:gpu:1");
  job.set_std_in("/dev/null");
  job.set_std_out("/home/alice/slurm-32.out");
  job.set_std_err("/home/alice/slurm-32.out");
  job.set_work_dir("/home/alice");
  job.set_cluster("peer");
  job.set_alloc_host("localhost");
  job.set_alloc_sid(9396);
  job.set_wckey("w1");
  job.set_assoc_id(7);
  job.set_mem_per_cpu_mb(300);
  job.set_cpus_per_task(1);
  job.set_min_cpus_per_node(2);
  job.set_tmp_mb(100);
  job.set_oversubscribe("NO");
  v1::JobSpec& spec = *job.mutable_spec();
  spec.set_required_nodes("node3");
  spec.set_excluded_nodes("node1");
  spec.set_ntasks_per_node(2);
  spec.set_sockets_per_node(1);
  spec.set_cores_per_socket(4);
  spec.set_threads_per_core(1);
  spec.set_contiguous(true);
  spec.set_switches(1);
  spec.set_switches_wait_s(300);
  return job;
}

// 31: an array of which every task waits.
inline v1::JobInfo array() {
  v1::JobInfo job;
  job.set_job_id(31);
  job.set_array_job_id(31);
  job.set_array_tasks("1,3,5,7,9,20-24%3");
  job.set_state(0);
  job.set_reason("JobHeldUser");
  job.set_uid(1002);
  job.set_gid(1002);
  job.set_user("bob");
  job.set_group("bob");
  job.set_name("arr");
  job.set_account("es.shj");
  job.set_partition("batch");
  job.set_qos("normal");
  job.set_submit_time(at(19, 50, 51));
  job.set_time_limit(5);
  job.set_num_nodes(1);
  job.set_num_cpus(1);
  job.set_num_tasks(1);
  job.set_work_dir("/home/bob");
  job.set_mem_per_cpu_mb(512);
  job.set_min_cpus_per_node(1);
  job.set_batch(true);
  job.set_requeue(true);
  return job;
}

// A task of the array that has begun.
inline v1::JobInfo task(uint32_t job_id, uint32_t index, const char* node) {
  v1::JobInfo job = array();
  job.set_job_id(job_id);
  job.clear_array_tasks();
  job.set_array_task_id(index);
  job.set_state(1);
  job.set_reason("None");
  job.set_start_time(at(19, 50, 59));
  job.set_nodes(node);
  return job;
}

// 34: waits for another job in two partitions.
inline v1::JobInfo dependent() {
  v1::JobInfo job;
  job.set_job_id(34);
  job.set_state(0);
  job.set_reason("Dependency");
  job.set_uid(1003);
  job.set_gid(1003);
  job.set_user("carol");
  job.set_group("carol");
  job.set_name("dep");
  job.set_account("es");
  job.set_partition("batch,c-iq");
  job.set_qos("normal");
  job.set_priority(11543);
  job.set_submit_time(at(19, 51, 5));
  job.set_time_limit(10080);
  job.set_num_nodes(3);
  job.set_num_cpus(20);
  job.set_num_tasks(20);
  job.set_dependency("afterany:30(unfulfilled)");
  job.set_work_dir("/home/carol");
  job.set_mem_per_cpu_mb(512);
  job.set_min_cpus_per_node(1);
  return job;
}

}  // namespace grappe::samples
