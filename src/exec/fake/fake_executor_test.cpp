#include "exec/fake/fake_executor.h"

#include <gtest/gtest.h>

namespace grappe::exec {
namespace {

StepLaunch launch_of(StepKey key) {
  StepLaunch launch;
  launch.key = key;
  launch.tasks.resize(2);
  launch.tasks[1].rank = 1;
  return launch;
}

TEST(FakeExecutor, StartsOnceAndRepeatsAnEndUntilForgotten) {
  FakeExecutor executor;
  std::vector<ExecEvent> events;
  executor.listen(
      [&](std::vector<ExecEvent> told) { std::ranges::move(told, std::back_inserter(events)); });
  const StepKey key{1, kBatchStep, 0};

  executor.start(launch_of(key));
  executor.start(launch_of(key));
  EXPECT_EQ(executor.started.size(), 1u);
  EXPECT_EQ(events.size(), 2u);

  executor.now = 50;
  executor.end(key, 256);
  const auto ended = std::get<StepEnded>(events.back());
  EXPECT_EQ(ended.exits.size(), 2u);
  EXPECT_EQ(ended.exits[1].status, 256);
  EXPECT_EQ(ended.end_time, 50);

  events.clear();
  executor.ready();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(std::get<ExecutorReady>(events[0]).ended.size(), 1u);
  executor.forget(key);
  events.clear();
  executor.ready();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_TRUE(std::get<ExecutorReady>(events[0]).ended.empty());
}

TEST(FakeExecutor, KillEndsAStepAndCleanAnswers) {
  FakeExecutor executor;
  std::vector<ExecEvent> events;
  executor.listen(
      [&](std::vector<ExecEvent> told) { std::ranges::move(told, std::back_inserter(events)); });
  executor.start(launch_of({1, 0, 0}));
  executor.signal({1, 0, 0}, SIGKILL, SignalTarget::kEverything);
  EXPECT_FALSE(executor.is_running({1, 0, 0}));
  executor.clean(1, 0);
  EXPECT_EQ(std::get<JobCleaned>(events.back()).job_id, 1u);
}

}  // namespace
}  // namespace grappe::exec
