// What a suspended job leaves to others.
#include "embedded/act.h"
#include "embedded/finish.h"
#include "embedded/steps.h"
#include "embedded/testing/engine_fixture.h"

namespace grappe::embedded {
namespace {

class Suspend : public EngineTest {
 protected:
  void act(uint32_t id, v1::JobActionRequest::Action action) {
    v1::JobActionRequest request;
    request.add_job_ids(std::to_string(id));
    request.set_action(action);
    auto answer = ask<v1::JobsChanged>(
        [&](Reply<v1::JobsChanged> reply) { on_act(core(), root, request, std::move(reply)); });
    EXPECT_TRUE(answer);
  }
  void suspend(uint32_t id) { act(id, v1::JobActionRequest::SUSPEND); }
  void resume(uint32_t id) { act(id, v1::JobActionRequest::RESUME); }

  JobWish whole_node() { return job().on("node1").tasks(8).minutes(60); }
  uint32_t cpus_used() { return cluster().nodes.at(0).used_cpus.count(); }
};

TEST_F(Suspend, LeavesTheCpusToOthers) {
  const uint32_t first = must_submit(alice, whole_node());
  const uint32_t second = must_submit(alice, whole_node());
  ASSERT_TRUE(waits(second));
  suspend(first);
  EXPECT_TRUE(runs(second));
  EXPECT_EQ(cpus_used(), 8u);
  resume(first);
  EXPECT_TRUE(runs(first));
  EXPECT_EQ(cpus_used(), 8u);
  finish(second);
  EXPECT_EQ(cpus_used(), 8u) << "the first has them still";
  finish(first);
  EXPECT_EQ(cpus_used(), 0u);
}

TEST_F(Suspend, KeepsMemoryAndGpus) {
  JobWish wish = job().on("node1").minutes(60);
  wish.spec().set_gres("gpu:4");
  const uint32_t first = must_submit(alice, wish);
  const uint32_t second = must_submit(alice, wish);
  suspend(first);
  EXPECT_TRUE(waits(second));
  EXPECT_GT(cluster().nodes.at(0).used_memory_mb, 0u);
}

TEST_F(Suspend, GivesAWholeNodeToOthers) {
  const uint32_t first = must_submit(alice, job().on("node1").exclusive());
  const uint32_t second = must_submit(alice, job().on("node1"));
  ASSERT_TRUE(waits(second));
  suspend(first);
  EXPECT_TRUE(runs(second));
}

TEST_F(Suspend, CountsRightAfterARestartAndACancelledJob) {
  const uint32_t first = must_submit(alice, whole_node());
  suspend(first);
  restart();
  EXPECT_EQ(cpus_used(), 0u);
  cancel_job(core(), first, alice.uid);
  settle();
  finish(first);
  EXPECT_EQ(cpus_used(), 0u);
  const uint32_t second = must_submit(alice, whole_node());
  EXPECT_TRUE(runs(second));
}

TEST_F(Suspend, AStepWaitsUntilItsJobGoesOn) {
  const uint32_t id = must_submit(alice, job());
  suspend(id);
  v1::CreateStepRequest request;
  request.set_job_id(id);
  request.set_wait_ms(1'000'000);
  request.mutable_spec()->add_argv("true");
  request.mutable_spec()->set_overlap(true);
  bool answered = false;
  on_create_step(core(), alice, request, [&](const Result<v1::CreateStepResponse>& answer) {
    answered = true;
    EXPECT_TRUE(answer) << answer.error().message;
  });
  settle();
  EXPECT_FALSE(answered);
  resume(id);
  settle();
  EXPECT_TRUE(answered);
}

}  // namespace
}  // namespace grappe::embedded
