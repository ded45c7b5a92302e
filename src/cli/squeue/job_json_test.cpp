#include "cli/squeue/job_json.h"

#include <gtest/gtest.h>

#include "cli/squeue/job_samples.h"

namespace grappe {
namespace {

// `squeue --json` of Slurm 22.05.8 for one held job, whole.
constexpr std::string_view kHeldJob = R"({
  "meta": {
    "plugin": {
      "type": "openapi\/v0.0.38",
      "name": "Slurm OpenAPI v0.0.38"
    },
    "Slurm": {
      "version": {
        "major": 22,
        "micro": 8,
        "minor": 5
      },
      "release": "22.05.8"
    }
  },
  "errors": [
  ],
  "jobs": [
    {
      "account": "cs",
      "accrue_time": 0,
      "admin_comment": "",
      "array_job_id": 0,
      "array_task_id": null,
      "array_max_tasks": 0,
      "array_task_string": "",
      "association_id": 7,
      "batch_features": "",
      "batch_flag": true,
      "batch_host": "",
      "flags": [
      ],
      "burst_buffer": "",
      "burst_buffer_state": "",
      "cluster": "peer",
      "cluster_features": "",
      "command": "",
      "comment": "",
      "container": "",
      "contiguous": false,
      "core_spec": null,
      "thread_spec": null,
      "cores_per_socket": null,
      "billable_tres": null,
      "cpus_per_task": null,
      "cpu_frequency_minimum": null,
      "cpu_frequency_maximum": null,
      "cpu_frequency_governor": null,
      "cpus_per_tres": "",
      "deadline": 0,
      "delay_boot": 0,
      "dependency": "",
      "derived_exit_code": 0,
      "eligible_time": 0,
      "end_time": 0,
      "excluded_nodes": "",
      "exit_code": 0,
      "features": "",
      "federation_origin": "",
      "federation_siblings_active": "",
      "federation_siblings_viable": "",
      "gres_detail": [
      ],
      "group_id": 1001,
      "group_name": "alice",
      "job_id": 1,
      "job_state": "PENDING",
      "last_sched_evaluation": 1794771849,
      "licenses": "",
      "max_cpus": 0,
      "max_nodes": 0,
      "mcs_label": "",
      "memory_per_tres": "",
      "name": "wrap",
      "nodes": "",
      "nice": null,
      "tasks_per_core": null,
      "tasks_per_node": 0,
      "tasks_per_socket": null,
      "tasks_per_board": 0,
      "cpus": 1,
      "node_count": 1,
      "tasks": 1,
      "het_job_id": 0,
      "het_job_id_set": "",
      "het_job_offset": 0,
      "partition": "batch",
      "prefer": "",
      "memory_per_node": null,
      "memory_per_cpu": 512,
      "minimum_cpus_per_node": 1,
      "minimum_tmp_disk_per_node": 0,
      "preempt_time": 0,
      "pre_sus_time": 0,
      "priority": 0,
      "profile": null,
      "qos": "normal",
      "reboot": false,
      "required_nodes": "",
      "requeue": true,
      "resize_time": 0,
      "restart_cnt": 0,
      "resv_name": "",
      "shared": null,
      "show_flags": [
        "SHOW_ALL",
        "SHOW_DETAIL",
        "SHOW_LOCAL"
      ],
      "sockets_per_board": 0,
      "sockets_per_node": null,
      "start_time": 0,
      "state_description": "",
      "state_reason": "JobHeldUser",
      "standard_error": "",
      "standard_input": "\/dev\/null",
      "standard_output": "",
      "submit_time": 1794771849,
      "suspend_time": 0,
      "system_comment": "",
      "time_limit": 60,
      "time_minimum": 0,
      "threads_per_core": null,
      "tres_bind": "",
      "tres_freq": "",
      "tres_per_job": "",
      "tres_per_node": "",
      "tres_per_socket": "",
      "tres_per_task": "",
      "tres_req_str": "cpu=1,mem=512M,node=1,billing=1",
      "tres_alloc_str": "",
      "user_id": 1001,
      "user_name": "alice",
      "wckey": "",
      "current_working_directory": "\/home\/alice"
    }
  ]
})";

TEST(JobJson, HasSlurmsMembersInSlurmsOrder) {
  v1::ListJobsResponse jobs;
  v1::JobInfo& job = *jobs.add_jobs();
  job.set_job_id(1);
  job.set_state(0);
  job.set_reason("JobHeldUser");
  job.set_uid(1001);
  job.set_gid(1001);
  job.set_user("alice");
  job.set_group("alice");
  job.set_name("wrap");
  job.set_account("cs");
  job.set_partition("batch");
  job.set_qos("normal");
  job.set_submit_time(1794771849);
  job.set_last_sched_eval(1794771849);
  job.set_time_limit(60);
  job.set_batch(true);
  job.set_requeue(true);
  job.set_num_nodes(1);
  job.set_num_cpus(1);
  job.set_num_tasks(1);
  job.set_tres_req("cpu=1,mem=512M,node=1,billing=1");
  job.set_std_in("/dev/null");
  job.set_work_dir("/home/alice");
  job.set_cluster("peer");
  job.set_assoc_id(7);
  job.set_mem_per_cpu_mb(512);
  job.set_min_cpus_per_node(1);
  std::string out;
  append_jobs_json(out, jobs, v1::NodesResponse());
  EXPECT_EQ(out, kHeldJob);
}

TEST(JobJson, ShowsWhereTheAllocationLies) {
  v1::ListJobsResponse jobs;
  v1::JobInfo& job = *jobs.add_jobs();
  job = samples::running();
  v1::NodeShare& share = *job.add_shares();
  share.set_node("node2");
  share.set_mem_mb(2048);
  share.add_cpu_ids(0);
  share.add_cpu_ids(1);
  std::string out;
  append_jobs_json(out, jobs, v1::NodesResponse());
  EXPECT_NE(out.find(R"(      "job_resources": {
        "nodes": "node[1-2]",
        "allocated_cores": 2,
        "allocated_hosts": 1,
        "allocated_nodes": [
          {
            "sockets": {
              "0": {
                "cores": {
                  "0": "allocated",
                  "1": "allocated"
                }
              }
            },
            "nodename": "node2",
            "cpus_used": 0,
            "memory_used": 0,
            "memory_allocated": 2048
          }
        ]
      },
      "job_state": "RUNNING",
)"),
            std::string::npos);
}

}  // namespace
}  // namespace grappe
