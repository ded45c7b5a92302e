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
