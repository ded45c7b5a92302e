#include "cli/sstat/sstat.h"

#include <gtest/gtest.h>

#include "cli/fake_calls.h"

namespace grappe {
namespace {

std::string value(std::string_view name, const v1::RunningStep& step, UseStyle style = {}) {
  for (const SstatField& field : sstat_fields()) {
    if (field.name == name) return field.value(step, style);
  }
  return "no such field";
}

void set(v1::Spread* spread, uint64_t max, uint32_t max_task, uint64_t min, uint32_t min_task,
         uint64_t total) {
  spread->set_max(max);
  spread->set_max_task(max_task);
  spread->set_min(min);
  spread->set_min_task(min_task);
  spread->set_total(total);
}

v1::RunningStep two_tasks() {
  v1::RunningStep step;
  step.set_job_id(12);
  step.set_step_id("0");
  step.set_num_tasks(2);
  step.set_nodes("node[1-2]");
  v1::StepUse& use = *step.mutable_use();
  set(use.mutable_cpu_us(), 3'500'000, 0, 1'250'000, 1, 4'750'000);
  set(use.mutable_rss(), 100 << 20, 1, 8 << 20, 0, 108 << 20);
  set(use.mutable_vsize(), 1 << 30, 1, 1 << 30, 0, 2ull << 30);
  set(use.mutable_written(), 2048, 1, 0, 0, 2048);
  use.add_nodes("node1");
  use.add_nodes("node2");
  use.add_task_node(0);
  use.add_task_node(1);
  step.add_pids(7);
  step.add_pids(9);
  return step;
}

TEST(Sstat, HasAllFieldsOfSlurm) {
  EXPECT_EQ(sstat_fields().size(), 51u);
}

TEST(Sstat, ComparesTasksAndNamesTheirNodes) {
  const v1::RunningStep step = two_tasks();
  EXPECT_EQ(value("JobID", step), "12.0");
  EXPECT_EQ(value("MaxRSS", step), "100M");
  EXPECT_EQ(value("MaxRSSNode", step), "node2");
  EXPECT_EQ(value("MaxRSSTask", step), "1");
  EXPECT_EQ(value("AveRSS", step), "54M");
  EXPECT_EQ(value("MinCPU", step), "00:00:01");
  EXPECT_EQ(value("MinCPUNode", step), "node2");
  EXPECT_EQ(value("AveCPU", step), "00:00:02");
  EXPECT_EQ(value("Pids", step), "7,9");
}

TEST(Sstat, ListsTresByName) {
  const v1::RunningStep step = two_tasks();
  EXPECT_EQ(value("TRESUsageInMax", step),
            "cpu=00:00:03,energy=0,fs/disk=0,mem=100M,pages=0,vmem=1G");
  EXPECT_EQ(value("TRESUsageInMaxTask", step), "cpu=0,fs/disk=0,mem=1,pages=0,vmem=1");
  EXPECT_EQ(value("TRESUsageOutTot", step), "energy=0,fs/disk=2K");
}

TEST(Sstat, TellsOfGpusWhereTheirDriverDoes) {
  v1::RunningStep step = two_tasks();
  step.mutable_use()->set_gpu_samples(4);
  step.mutable_use()->set_gpu_percent_sum(200);
  step.mutable_use()->set_max_gpu_percent(90);
  step.mutable_use()->set_max_gpu_memory(3ull << 30);
  EXPECT_NE(value("TRESUsageInMax", step).find(",gres/gpumem=3G,gres/gpuutil=90,"),
            std::string::npos);
  EXPECT_NE(value("TRESUsageInAve", step).find(",gres/gpuutil=50,"), std::string::npos);
}

TEST(Sstat, SendsTheStepsThatItWasGiven) {
  char name[] = "sstat", all[] = "-a", jobs[] = "-j", list[] = "12,13.batch,14.2";
  char* argv[] = {name, all, jobs, list, nullptr};
  SstatOptions options;
  ASSERT_FALSE(read_sstat_options(4, argv, options));
  ASSERT_EQ(options.request.steps_size(), 3);
  EXPECT_TRUE(options.request.all_steps());
  EXPECT_EQ(options.request.steps(0).step_id(), "");
  EXPECT_EQ(options.request.steps(1).step_id(), "batch");
  EXPECT_EQ(options.request.steps(2).job_id(), 14u);
}

}  // namespace
}  // namespace grappe
