#include "cli/salloc/allocation_environment.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

using Counts = std::vector<uint32_t>;

TEST(AllocationEnvironment, FoldsEqualNeighbours) {
  EXPECT_EQ(repeat_counts({4, 4, 2}), "4(x2),2");
  EXPECT_EQ(repeat_counts({1}), "1");
  EXPECT_EQ(repeat_counts({}), "");
}

TEST(AllocationEnvironment, SpreadsTasksOverTheCpusThatWereGranted) {
  v1::JobSpec spec;
  EXPECT_EQ(tasks_per_node(spec, {8, 8}), (Counts{8, 8}));
  spec.set_cpus_per_task(2);
  EXPECT_EQ(tasks_per_node(spec, {4, 2}), (Counts{2, 1}));
  spec.clear_cpus_per_task();
  spec.set_ntasks(3);
  EXPECT_EQ(tasks_per_node(spec, {2, 1}), (Counts{2, 1}));
  EXPECT_EQ(tasks_per_node(spec, {1}), (Counts{3})) << "--overcommit";
}

TEST(AllocationEnvironment, DescribesTheJob) {
  v1::JobInfo job;
  job.set_job_id(7);
  job.set_num_nodes(2);
  job.set_nodes("node[1-2]");
  job.set_name("interactive");
  for (int i = 0; i < 2; ++i) job.add_shares()->add_cpu_ids(0);
  JobOptions options(kSalloc);
  options.spec.set_mem_per_cpu_mb(10);
  Environment e;
  add_allocation(job, options, e);
  EXPECT_EQ(e.get("SLURM_JOB_ID"), "7");
  EXPECT_EQ(e.get("SLURM_JOB_CPUS_PER_NODE"), "1(x2)");
  EXPECT_EQ(e.get("SLURM_TASKS_PER_NODE"), "1(x2)");
  EXPECT_EQ(e.get("SLURM_MEM_PER_CPU"), "10");
  EXPECT_FALSE(e.get("SLURM_JOB_RESERVATION"));
  EXPECT_EQ(e.get("OMPI_MCA_btl"), "^vader") << "two nodes of one machine";
}

TEST(AllocationEnvironment, LeavesOpenMpisTransportsToTheUser) {
  v1::JobInfo job;
  job.set_num_nodes(2);
  Environment e;
  e.set("OMPI_MCA_btl", "self,tcp");
  add_allocation(job, JobOptions(kSalloc), e);
  EXPECT_EQ(e.get("OMPI_MCA_btl"), "self,tcp");
  Environment one;
  job.set_num_nodes(1);
  add_allocation(job, JobOptions(kSalloc), one);
  EXPECT_FALSE(one.get("OMPI_MCA_btl"));
}

}  // namespace
}  // namespace grappe
