// Kill anything at any time: no step and no exit code is lost.
#include <fcntl.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>

#include "exec/os/files.h"
#include "exec/shepherd/exit_record.h"
#include "exec/step_name.h"
#include "exec/testing/service_fixture.h"

namespace grappe::exec {
namespace {

class RecoveryTest : public testing::ServiceTest {
 protected:
  // A step that runs until the test makes the file `go`, then ends with status 7.
  StepLaunch start_waiting(uint32_t job_id) {
    auto launch = service().batch(
        job_id, fmt::format("echo ready; until [ -e go{} ]; do sleep 0.01; done; exit 7", job_id));
    launch.tasks[0].std_out = launch.tasks[0].std_err =
        fmt::format("{}{}", service().out(), job_id);
    executor().start(launch);
    service().wait_for_text(launch.tasks[0].std_out, "ready");
    return launch;
  }
  void let_end(uint32_t job_id) {
    ASSERT_TRUE(replace_file(AT_FDCWD, fmt::format("{}/go{}", service().home(), job_id), "", 0644));
  }
  // Waits until the shepherd has written down how the step ended.
  void wait_until_recorded(StepKey key) {
    const std::string path = fmt::format("{}/state/steps/{}/exit", service().dir(), step_name(key));
    for (int attempt = 0; attempt < 4000; ++attempt) {
      if (read_exit_record(read_file(path).value_or("")).complete) return;
      usleep(5'000);
    }
    ADD_FAILURE() << path << " is not complete";
  }
  void expect_ended(StepKey key, int status) {
    const auto ended = service().wait_end(key);
    EXPECT_EQ(ended.failure, "");
    ASSERT_EQ(ended.exits.size(), 1u);
    EXPECT_EQ(ended.exits[0].status, status);
    finish(key);
  }
};

TEST_F(RecoveryTest, AStepSurvivesTheDeathOfGrapped) {
  const auto launch = start_waiting(1);
  kill(service().relay(), SIGKILL);
  const auto ready = service().connect();
  EXPECT_EQ(ready.running, std::vector{launch.key});
  EXPECT_EQ(service().wait_start(launch.key).pids.size(), 1u);
  let_end(1);
  expect_ended(launch.key, 7 << 8);
}

TEST_F(RecoveryTest, AStepSurvivesTheDeathOfTheLauncher) {
  const auto launch = start_waiting(1);
  kill(service().launcher(), SIGKILL);
  const auto ready = service().connect();
  EXPECT_EQ(ready.running, std::vector{launch.key});
  EXPECT_EQ(service().wait_start(launch.key).pids.size(), 1u);
  executor().start(launch);  // as an engine does that is not sure
  let_end(1);
  expect_ended(launch.key, 7 << 8);
}

TEST_F(RecoveryTest, AStepSurvivesTheDeathOfBothTogether) {
  const auto launch = start_waiting(1);
  const pid_t launcher = service().launcher(), relay = service().relay();
  kill(launcher, SIGKILL);
  kill(relay, SIGKILL);
  service().connect();
  let_end(1);
  expect_ended(launch.key, 7 << 8);
}

TEST_F(RecoveryTest, AnEndThatNobodySawIsReportedLater) {
  const auto launch = start_waiting(1);
  service().stop_keeper();
  let_end(1);
  wait_until_recorded(launch.key);
  service().start_keeper();
  const auto ready = service().connect();
  EXPECT_TRUE(ready.running.empty());
  EXPECT_EQ(ready.jobs, std::vector{1u});
  expect_ended(launch.key, 7 << 8);
}

TEST_F(RecoveryTest, AnEndIsReportedUntilItIsForgotten) {
  const auto launch = service().batch(1, "exit 3");
  executor().start(launch);
  service().wait_end(launch.key);
  kill(service().relay(), SIGKILL);
  service().connect();
  service().wait_end(launch.key);
  kill(service().launcher(), SIGKILL);
  service().connect();
  expect_ended(launch.key, 3 << 8);
}

TEST_F(RecoveryTest, SignalsReachAStepThatAnEarlierLauncherStarted) {
  const auto launch = start_waiting(1);
  kill(service().launcher(), SIGKILL);
  service().connect();
  executor().signal(launch.key, SIGTERM, SignalTarget::kEverything);
  expect_ended(launch.key, SIGTERM);
}

TEST_F(RecoveryTest, AGracefulStopKeepsStepsRunning) {
  const auto launch = start_waiting(1);
  service().stop_keeper();
  service().start_keeper();
  const auto ready = service().connect();
  EXPECT_EQ(ready.running, std::vector{launch.key});
  let_end(1);
  expect_ended(launch.key, 7 << 8);
}

TEST_F(RecoveryTest, ALostShepherdIsToldAndItsTasksAreKilled) {
  const auto launch = start_waiting(1);
  const auto shepherds = testing::children_named(service().launcher(), "grappe-shepherd");
  ASSERT_EQ(shepherds.size(), 1u);
  kill(shepherds[0], SIGKILL);
  const auto ended = service().wait_end(launch.key);
  EXPECT_EQ(ended.failure, "the shepherd of the step was lost");
  executor().forget(launch.key);
  service().clean(1);
}

TEST_F(RecoveryTest, ManyStepsSurviveManyKills) {
  constexpr uint32_t kJobs = 20;
  std::vector<StepLaunch> launches;
  for (uint32_t id = 1; id <= kJobs; ++id) {
    auto launch = service().batch(id, fmt::format("sleep 0.{}; exit {}", id % 10, id));
    launch.tasks[0].std_out = launch.tasks[0].std_err = "/dev/null";
    launches.push_back(launch);
  }
  for (int round = 0; round < 6; ++round) {
    // Every start is sent each time: the engine can't know which of them arrived.
    for (const auto& launch : launches) executor().start(launch);
    usleep(static_cast<useconds_t>(round) * 7'000);
    const pid_t launcher = service().launcher(), relay = service().relay();
    if (round % 3 != 1) kill(launcher, SIGKILL);
    if (round % 3 != 0) kill(relay, SIGKILL);
    service().connect();
  }
  for (const auto& launch : launches) executor().start(launch);
  for (const auto& launch : launches) {
    expect_ended(launch.key, static_cast<int>(launch.key.job_id) << 8);
  }
}

TEST_F(RecoveryTest, EndsWhenGrappedSaysThatARestartWouldNotHelp) {
  service().executor();
  // The relay ends with status 0 when its test is gone.
  int status = 0;
  service().disconnect();
  EXPECT_EQ(waitpid(service().keeper(), &status, 0), service().keeper());
  EXPECT_EQ(status, 0);
  service().start_keeper();
  service().connect();
}

}  // namespace
}  // namespace grappe::exec
