#include "cli/sacct/sacct.h"

#include <gtest/gtest.h>

#include "base/datetime.h"

namespace grappe {
namespace {

std::string value(std::string_view name, const SacctRow& row, SacctContext context = {}) {
  for (const SacctField& field : sacct_fields()) {
    if (field.name != name) continue;
    std::string out;
    field.value(out, row, context);
    return out;
  }
  return "no such field";
}

v1::JobRecord ran(int64_t start, int64_t end, uint32_t cpus) {
  v1::JobRecord job;
  job.mutable_info()->set_job_id(12);
  job.mutable_info()->set_start_time(start);
  job.mutable_info()->set_end_time(end);
  job.mutable_info()->set_num_cpus(cpus);
  return job;
}

TEST(Sacct, ReadsJobsTasksAndSteps) {
  auto wish = parse_sacct_wish("12_3.batch");
  ASSERT_TRUE(wish);
  EXPECT_EQ(wish->job.job_id(), 12u);
  EXPECT_EQ(wish->job.array_task_id(), 3u);
  EXPECT_EQ(wish->step, "batch");
  EXPECT_EQ(parse_sacct_wish("abc").error().message, "Bad job/step specified: abc");
  EXPECT_EQ(parse_sacct_wish("12.x").error().message, "Bad step specified: 12");
  EXPECT_EQ(parse_sacct_wish("12_[1-2]").error().message, "Bad job array element specified: 12");
}

TEST(Sacct, WindowDependsOnJobsAndStates) {
  const int64_t now = *parse_datetime("2026-11-16T09:00:00", 0, true);
  SacctOptions options;
  EXPECT_EQ(sacct_window(options, now)->start, *parse_datetime("2026-11-16", 0, true));
  EXPECT_EQ(sacct_window(options, now)->end, now);
  options.filter.add_states(1);
  EXPECT_EQ(sacct_window(options, now)->start, now);
  EXPECT_EQ(sacct_window(options, now)->end, now + 1);
  options.start = "now-1hour";
  EXPECT_EQ(sacct_window(options, now)->end, now - 3600 + 1);
  options.start.reset();
  options.filter.add_jobs()->set_job_id(1);
  EXPECT_EQ(sacct_window(options, now)->start, 0);
}

TEST(Sacct, SpansAreThoseOfTheAllocation) {
  v1::JobRecord job = ran(100, 160, 4);
  job.set_suspended_s(10);
  EXPECT_EQ(value("Elapsed", {job, nullptr}), "00:00:50");
  EXPECT_EQ(value("CPUTimeRAW", {job, nullptr}), "200");
}

TEST(Sacct, TruncatesToTheWindow) {
  v1::JobRecord job = ran(100, 0, 1);
  SacctContext context;
  context.now = 500;
  EXPECT_EQ(value("ElapsedRaw", {job, nullptr}, context), "400");
  context.truncate = true;
  context.window_start = 150;
  context.window_end = 200;
  EXPECT_EQ(value("ElapsedRaw", {job, nullptr}, context), "50");
}

TEST(Sacct, AddsUpTheTimeOfTheSteps) {
  v1::JobRecord job = ran(0, 0, 1);
  for (uint64_t us : {1'500'000u, 2'004'000u}) job.add_steps()->set_user_us(us);
  job.mutable_steps(0)->set_system_us(3'600'000'000);
  EXPECT_EQ(value("UserCPU", {job, nullptr}), "00:03.504");
  EXPECT_EQ(value("UserCPU", {job, &job.steps(0)}), "00:01.500");
  EXPECT_EQ(value("TotalCPU", {job, nullptr}), "01:00:03");
}

TEST(Sacct, TellsGpusAsAllocGres) {
  v1::JobRecord job = ran(0, 0, 1);
  job.mutable_info()->set_tres_alloc("cpu=1,mem=1G,node=1,billing=1,gres/gpu=2,gres/gpu:a100=2");
  job.set_mem_mb(1024);
  EXPECT_EQ(value("AllocGRES", {job, nullptr}), "gpu:2,gpu:a100:2");
  EXPECT_EQ(value("AllocTRES", {job, nullptr}),
            "billing=1,cpu=1,gres/gpu:a100=2,gres/gpu=2,mem=1G,node=1");
}

TEST(Sacct, NamesWhoCancelled) {
  v1::JobRecord job = ran(0, 0, 1);
  job.mutable_info()->set_state(4);
  job.mutable_info()->set_exit_code(15);
  job.set_cancelled_by(1001);
  EXPECT_EQ(value("State", {job, nullptr}), "CANCELLED by 1001");
  EXPECT_EQ(value("ExitCode", {job, nullptr}), "0:0");
}

TEST(Sacct, HidesWhatWouldSteerATerminal) {
  v1::JobRecord job = ran(0, 0, 1);
  job.mutable_info()->set_name("a\033[2Jb\nc");
  EXPECT_EQ(value("JobName", {job, nullptr}), "a?[2Jb?c");
}

TEST(Sacct, TellsWhatAStepUsedWhenItHasEnded) {
  v1::JobRecord job = ran(100, 160, 2);
  v1::StepRecord& step = *job.add_steps();
  step.mutable_info()->set_num_tasks(2);
  v1::StepUse& use = *step.mutable_use();
  use.mutable_rss()->set_max(100 << 20);
  use.mutable_rss()->set_max_task(1);
  use.mutable_rss()->set_total(150 << 20);
  use.mutable_cpu_us()->set_total(5'000'000);
  use.mutable_read()->set_max(30'000);
  use.mutable_written()->set_max(201'326'687);
  for (const char* node : {"n1", "n2"}) use.add_nodes(node);
  for (uint32_t node : {0u, 1u}) use.add_task_node(node);
  EXPECT_EQ(value("MaxRSS", {job, &step}), "");
  step.mutable_info()->set_end_time(160);
  EXPECT_EQ(value("MaxRSS", {job, &step}), "100M");
  EXPECT_EQ(value("MaxRSSNode", {job, &step}), "n2");
  EXPECT_EQ(value("MaxRSSTask", {job, &step}), "1");
  EXPECT_EQ(value("AveRSS", {job, &step}), "75M");
  EXPECT_EQ(value("AveCPU", {job, &step}), "00:00:02");
  EXPECT_EQ(value("MaxDiskRead", {job, &step}), "0.03M");
  EXPECT_EQ(value("MaxDiskWrite", {job, &step}), "192.00M");
  EXPECT_EQ(value("TRESUsageInMaxNode", {job, &step}),
            "cpu=n1,energy=n1,fs/disk=n1,mem=n2,pages=n1,vmem=n1");
  EXPECT_EQ(value("TRESUsageOutMax", {job, &step}), "energy=0,fs/disk=201326687");
  EXPECT_EQ(value("MaxRSS", {job, nullptr}), "");
}

}  // namespace
}  // namespace grappe
