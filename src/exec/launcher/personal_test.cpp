// End to end: the launcher as an ordinary user, with no root anywhere.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <csignal>

#include "exec/os/files.h"
#include "exec/testing/service.h"

namespace grappe::exec {
namespace {

using testing::Service;

class PersonalTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Service::available()) GTEST_SKIP() << "needs root to start it as somebody else";
    service_ = std::make_unique<Service>(Service::Mode::kPersonal);
    ready_ = service_->connect();
  }
  Service& service() { return *service_; }

  std::unique_ptr<Service> service_;
  ExecutorReady ready_;
};

TEST_F(PersonalTest, RunsJobsAsTheOwnerAndSaysWhatItCanNotConfine) {
  EXPECT_FALSE(ready_.unconfined.empty());
  auto launch = service().batch(1, "id -u; echo $SLURM_TMPDIR; ls -d $SLURM_TMPDIR; exit 7");
  launch.job.tmp_parent = service().dir() + "/scratch";
  launch.job.private_tmp = true;
  launch.job.memory_mb = 100;
  launch.job.max_processes = 100;
  launch.environment += "SLURM_TMPDIR=" + service().dir() + "/scratch/job_1";
  launch.environment.push_back('\0');
  const auto ended = service().run(launch);
  EXPECT_EQ(ended.failure, "");
  EXPECT_EQ(ended.exits.at(0).status, 7 << 8);
  EXPECT_EQ(service().read_out(), fmt::format("{0}\n{1}/scratch/job_1\n{1}/scratch/job_1\n",
                                              service().account().uid, service().dir()));
}

TEST_F(PersonalTest, NothingOfAStepOutlivesIt) {
  const auto ended = service().run(service().batch(
      1, "setsid sleep 1000 & (setsid bash -c 'trap \"\" TERM; sleep 1000' &) ; echo left"));
  EXPECT_EQ(ended.exits.at(0).status, 0);
  EXPECT_EQ(service().read_out(), "left\n");
}

TEST_F(PersonalTest, WhatALostShepherdLeavesIsFoundByItsMark) {
  const auto launch = service().batch(1, "setsid sleep 1000 & echo ready; sleep 1000");
  service().executor().start(launch);
  service().wait_for_text(service().out(), "ready");
  kill(testing::children_named(service().launcher(), "grappe-shepherd").at(0), SIGKILL);
  EXPECT_NE(service().wait_end(launch.key).failure, "");
  service().executor().forget(launch.key);
  service().clean(1);
}

TEST_F(PersonalTest, AStepSurvivesTheDeathOfTheLauncher) {
  const auto launch = service().batch(1, "echo ready; sleep 0.5; exit 9");
  service().executor().start(launch);
  service().wait_for_text(service().out(), "ready");
  kill(service().launcher(), SIGKILL);
  service().connect();
  EXPECT_EQ(service().wait_end(launch.key).exits.at(0).status, 9 << 8);
  service().executor().forget(launch.key);
  service().clean(1);
}

TEST_F(PersonalTest, SignalsAndFreezesWithoutCgroups) {
  const auto launch =
      service().batch(1, "trap 'echo got; exit 2' TERM; echo ready; while :; do sleep 0.01; done");
  service().executor().start(launch);
  service().wait_for_text(service().out(), "ready");
  service().executor().freeze(1, true);
  service().executor().freeze(1, false);
  service().executor().signal(launch.key, SIGTERM, SignalTarget::kEverything);
  EXPECT_EQ(service().wait_end(launch.key).exits.at(0).status, 2 << 8);
  service().executor().forget(launch.key);
  service().clean(1);
}

}  // namespace
}  // namespace grappe::exec
