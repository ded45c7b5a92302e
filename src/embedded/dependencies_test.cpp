#include "embedded/dependencies.h"

#include <ctime>

#include "embedded/act.h"
#include "embedded/cancel.h"
#include "embedded/testing/engine_fixture.h"
#include "embedded/update.h"

namespace grappe::embedded {
namespace {

class DependencyTest : public EngineTest {
 protected:
  uint32_t after(const std::string& condition) {
    return must_submit(alice, job().dependency(condition));
  }
  static std::string text(const char* kind, uint32_t id) {
    return std::string(kind) + ":" + std::to_string(id);
  }
  void act(uint32_t id, v1::JobActionRequest::Action action) {
    v1::JobActionRequest request;
    request.set_action(action);
    request.add_job_ids(std::to_string(id));
    auto done =
        ask<v1::JobsChanged>([&](auto reply) { on_act(core(), root, request, std::move(reply)); });
    EXPECT_TRUE(done);
  }
};

TEST_F(DependencyTest, AJobWaitsForTheEndOfAnother) {
  const uint32_t first = must_submit(alice, job());
  const uint32_t good = after(text("afterok", first)), bad = after(text("afternotok", first));
  EXPECT_TRUE(waits(good) && waits(bad));
  finish(first);
  EXPECT_TRUE(runs(good));
  EXPECT_EQ(find(bad).reason, Reason::kDependencyNeverSatisfied);
}

TEST_F(DependencyTest, ARequeuedJobIsStillWaitedFor) {
  const uint32_t first = must_submit(alice, job());
  const uint32_t next = after(text("afterany", first));
  act(first, v1::JobActionRequest::REQUEUE);
  finish(first);
  advance(300);
  ASSERT_TRUE(runs(first));
  EXPECT_TRUE(waits(next));
  finish(first);
  EXPECT_TRUE(runs(next));
}

TEST_F(DependencyTest, AConditionSetLaterCountsAlsoOnAYoungerJobAndAfterARestart) {
  const uint32_t older = must_submit(alice, job().dependency("afterany:999,singleton").minutes(1));
  ASSERT_TRUE(runs(older));
  auto held = job();
  held.spec().set_hold(true);
  const uint32_t waiting = must_submit(alice, held), younger = must_submit(bob, job());
  v1::UpdateJobRequest request;
  request.set_job_id(std::to_string(waiting));
  request.mutable_set()->set_dependency(text("afterok", younger));
  ASSERT_TRUE(ask<v1::JobsChanged>(
      [&](auto reply) { on_update_job(core(), alice, request, std::move(reply)); }));
  act(waiting, v1::JobActionRequest::RELEASE);
  restart();
  EXPECT_EQ(find(waiting).reason, Reason::kDependency);
  finish(younger);
  EXPECT_TRUE(runs(waiting));
}

TEST_F(DependencyTest, AnArrayIsWaitedForUntilItsLastTask) {
  const uint32_t array = must_submit(alice, job().array("0-2%1"));
  const uint32_t next = after(text("afterok", array));
  for (int task = 0; task < 3; ++task) {
    EXPECT_TRUE(waits(next)) << task;
    ASSERT_EQ(state().active().size(), 1u);
    finish(*state().active().begin());
  }
  EXPECT_TRUE(runs(next));
}

TEST_F(DependencyTest, OneOfANameAndUserRunsAtATime) {
  auto named = job().dependency("singleton");
  named.spec().set_name("one");
  const uint32_t first = must_submit(alice, named), second = must_submit(alice, named);
  const uint32_t other = must_submit(bob, named);
  EXPECT_TRUE(runs(first) && waits(second) && runs(other));
  restart();
  EXPECT_TRUE(waits(second));
  finish(first);
  EXPECT_TRUE(runs(second));
}

// Each of these was once a walk over all pending jobs for each of them: minutes, not milliseconds.
TEST_F(DependencyTest, TensOfThousandsOfJobsComeAndGoInSeconds) {
  constexpr int kJobs = 30'000;
  cluster().config.limits.max_job_count = 2 * kJobs;
  auto wish = job().dependency("singleton");
  wish.spec().set_hold(true);
  v1::SubmitRequest request;
  *request.mutable_spec() = wish.spec();
  request.set_script("#!/bin/sh\n");
  const std::clock_t begin = std::clock();  // not of the clock on the wall: others may use the CPU
  for (int i = 0; i < kJobs; ++i) on_submit(core(), alice, request, [](auto) {});
  settle();
  v1::CancelRequest all;
  all.set_filtered(true);
  all.add_uids(alice.uid);
  auto answer =
      ask<v1::CancelResponse>([&](auto reply) { on_cancel(core(), alice, all, std::move(reply)); });
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->outcomes_size(), kJobs);
  EXPECT_TRUE(state().pending().empty());
  EXPECT_LT((std::clock() - begin) / CLOCKS_PER_SEC, 20);
}

}  // namespace
}  // namespace grappe::embedded
