#include "cli/efficiency/efficiency.h"

#include <gtest/gtest.h>

#include "cli/efficiency/job_report.h"
#include "cli/efficiency/seff.h"
#include "model/job_state.h"

namespace grappe {
namespace {

constexpr uint64_t kGiga = 1ull << 30;

v1::JobRecord job_of(uint32_t cpus, uint64_t mem_mb, int64_t seconds, uint32_t limit_minutes) {
  v1::JobRecord job;
  v1::JobInfo& info = *job.mutable_info();
  info.set_job_id(41);
  info.set_name("train");
  info.set_user("alice");
  info.set_group("users");
  info.set_cluster("box");
  info.set_state(static_cast<uint32_t>(JobState::kCompleted));
  info.set_nodes("node1");
  info.set_num_nodes(1);
  info.set_num_tasks(1);
  info.set_cpus_per_task(cpus);
  info.set_num_cpus(cpus);
  info.set_start_time(1000);
  info.set_end_time(1000 + seconds);
  info.set_time_limit(limit_minutes);
  info.set_mem_per_node_mb(mem_mb);
  job.set_mem_mb(mem_mb);
  return job;
}

v1::StepRecord& add_step(v1::JobRecord& job, const char* id, int64_t start, int64_t end,
                         uint64_t rss, uint64_t cpu_s) {
  v1::StepRecord& step = *job.add_steps();
  step.mutable_info()->set_step_id(id);
  step.mutable_info()->set_start_time(start);
  step.mutable_info()->set_end_time(end);
  step.mutable_info()->set_num_tasks(1);
  step.set_max_rss(rss);
  step.set_user_us(cpu_s * 1'000'000);
  step.mutable_use()->mutable_rss()->set_max(rss);
  return step;
}

std::vector<std::string> advice(const v1::JobRecord& job) {
  return advice_of(job, use_of(job, 100'000));
}

TEST(Efficiency, SaysWhichOptionToChange) {
  v1::JobRecord job = job_of(8, 65536, 750, 120);
  add_step(job, "batch", 1000, 1750, kGiga * 51 / 10, 975);
  EXPECT_EQ(advice(job), (std::vector<std::string>{
                             "--mem=6G would have been enough: 5.1G of 64G used",
                             "--time=00:15:00 would have been enough: it ran 00:12:30 of 02:00:00",
                             "--cpus-per-task=2 would have been enough: 1.3 of 8 CPUs were busy"}));
}

TEST(Efficiency, SaysNothingOfAJobThatUsedWhatItHad) {
  v1::JobRecord job = job_of(2, 4096, 3000, 60);
  add_step(job, "batch", 1000, 4000, kGiga * 3, 5800);
  EXPECT_EQ(advice(job), std::vector<std::string>{});
  EXPECT_NE(job_report_text(job, 0).find("It asked for what it needed."), std::string::npos);
}

TEST(Efficiency, DoesNotJudgeWhatAFailedJobAskedFor) {
  v1::JobRecord job = job_of(2, 4096, 3000, 60);
  job.mutable_info()->set_state(static_cast<uint32_t>(JobState::kFailed));
  add_step(job, "batch", 1000, 4000, kGiga * 3, 5800);
  EXPECT_EQ(job_report_text(job, 0).find("It asked for what it needed."), std::string::npos);
  EXPECT_NE(job_report_text(job, 0).find("It did not complete"), std::string::npos);
}

TEST(Efficiency, SaysWhatMayBeEnoughWhenItWasNot) {
  v1::JobRecord job = job_of(1, 4096, 60, 10);
  job.mutable_info()->set_state(static_cast<uint32_t>(JobState::kOutOfMemory));
  add_step(job, "batch", 1000, 1060, kGiga * 4, 60);
  EXPECT_EQ(advice(job), std::vector<std::string>{"--mem=6G may be enough: 4G were not"});
  job.mutable_info()->set_state(static_cast<uint32_t>(JobState::kTimeout));
  EXPECT_EQ(advice(job),
            std::vector<std::string>{"--time=00:20:00 may be enough: 00:10:00 were not"});
}

TEST(Efficiency, AddsUpStepsThatRanAtTheSameTime) {
  v1::JobRecord job = job_of(2, 16384, 100, 10);
  add_step(job, "batch", 1000, 1100, 0, 0);
  add_step(job, "0", 1000, 1050, 3 * kGiga, 10);
  add_step(job, "1", 1010, 1050, 2 * kGiga, 10);
  add_step(job, "2", 1050, 1100, 4 * kGiga, 10);  // after the two
  EXPECT_EQ(use_of(job, 0).memory, 5 * kGiga);
}

TEST(Efficiency, SpeaksOfMemoryAsItWasAskedFor) {
  v1::JobRecord job = job_of(8, 65536, 60, 1);
  job.mutable_info()->set_mem_per_cpu_mb(8192);
  job.mutable_info()->set_mem_per_node_mb(0);
  add_step(job, "batch", 1000, 1060, kGiga * 5, 480);
  EXPECT_EQ(advice(job),
            std::vector<std::string>{"--mem-per-cpu=800M would have been enough: 5G of 64G used"});
}

TEST(Efficiency, KnowsOfGpusThatWaited) {
  v1::JobRecord job = job_of(1, 1024, 60, 1);
  job.mutable_info()->set_tres_alloc("cpu=1,mem=1G,node=1,billing=1,gres/gpu=4");
  v1::StepRecord& step = add_step(job, "batch", 1000, 1060, kGiga, 60);
  step.mutable_use()->set_gpu_samples(2);
  step.mutable_use()->set_gpu_percent_sum(50);
  EXPECT_EQ(advice(job), std::vector<std::string>{
                             "--gpus=1 would have been enough: 4 GPUs were busy 25 % of the time"});
  step.mutable_use()->set_gpu_percent_sum(0);
  EXPECT_EQ(advice(job), std::vector<std::string>{
                             "without --gpus it would have run as well: its 4 GPUs did nothing"});
}

TEST(Seff, PrintsWhatGuidesShow) {
  v1::JobRecord job = job_of(4, 2048, 302, 60);
  add_step(job, "batch", 1000, 1302, 1'866'000'000, 1195);
  EXPECT_EQ(seff_text(job, 0),
            "Job ID: 41\nCluster: box\nUser/Group: alice/users\nState: COMPLETED (exit code 0)\n"
            "Nodes: 1\nCores per node: 4\nCPU Utilized: 00:19:55\n"
            "CPU Efficiency: 98.92% of 00:20:08 core-walltime\nJob Wall-clock time: 00:05:02\n"
            "Memory Utilized: 1.74 GB\nMemory Efficiency: 86.89% of 2.00 GB\n");
}

TEST(Seff, EstimatesTheMemoryOfSeveralTasks) {
  v1::JobRecord job = job_of(1, 4096, 3, 60);
  job.mutable_info()->set_num_cpus(4);
  job.mutable_info()->set_num_nodes(2);
  job.mutable_info()->set_mem_per_cpu_mb(1024);
  add_step(job, "0", 1000, 1003, 16'108'000, 2).mutable_info()->set_num_tasks(4);
  const std::string text = seff_text(job, 0);
  EXPECT_NE(text.find("Nodes: 2\nCores per node: 2\n"), std::string::npos);
  EXPECT_NE(text.find("Memory Utilized: 61.45 MB (estimated maximum)\n"
                      "Memory Efficiency: 1.50% of 4.00 GB (1.00 GB/core)\n"),
            std::string::npos)
      << text;
}

TEST(Seff, HasNoFiguresOfAPendingJobAndWarnsOfARunningOne) {
  v1::JobRecord job = job_of(1, 1024, 0, 60);
  job.mutable_info()->set_state(static_cast<uint32_t>(JobState::kPending));
  EXPECT_TRUE(
      seff_text(job, 0).ends_with("Efficiency not available for jobs in the PENDING state.\n"));
  job.mutable_info()->set_state(static_cast<uint32_t>(JobState::kRunning));
  EXPECT_TRUE(seff_text(job, 0).ends_with(
      "WARNING: Efficiency statistics may be misleading for RUNNING jobs.\n"));
}

TEST(JobsReport, HasALineForEachJob) {
  v1::HistoryResponse found;
  *found.add_jobs() = job_of(2, 1024, 90, 10);
  add_step(*found.mutable_jobs(0), "batch", 1000, 1090, kGiga / 2, 90);
  EXPECT_EQ(jobs_report_text({}, found),
            "JobID             JobName         State     Elapsed  TimeEff   CPUEff   MemEff \n"
            "------------ ------------ ------------- ----------- -------- -------- -------- \n"
            "41                  train     COMPLETED    00:01:30    15.0%    50.0%    50.0% \n");
}

}  // namespace
}  // namespace grappe
