#include "embedded/shrink.h"

#include "embedded/nodes.h"
#include "embedded/steps.h"
#include "embedded/testing/engine_fixture.h"
#include "embedded/update.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

class Shrinking : public EngineTest {
 protected:
  int update(uint32_t id, const std::function<void(v1::UpdateJobRequest&)>& fill) {
    v1::UpdateJobRequest request;
    request.set_job_id(std::to_string(id));
    fill(request);
    auto answer = ask<v1::JobsChanged>([&](Reply<v1::JobsChanged> reply) {
      on_update_job(core(), alice, request, std::move(reply));
    });
    return answer ? static_cast<int>(answer->outcomes(0).error()) : -1;
  }
  int keep(uint32_t id, uint32_t count) {
    return update(id, [&](auto& request) { request.mutable_set()->set_min_nodes(count); });
  }
  int keep(uint32_t id, const std::string& names) {
    return update(id, [&](auto& request) { request.set_node_list(names); });
  }
  void take_down(const std::string& node) {
    v1::UpdateNodeRequest request;
    request.set_nodes(node);
    request.set_state("down");
    request.set_reason("test");
    EXPECT_TRUE(update_nodes(core(), root, request));
    settle();
  }
  uint32_t used_cpus(uint32_t node) { return cluster().nodes.at(node).used_cpus.count(); }
};

TEST_F(Shrinking, NodesThatAreGivenBackAreFreeForOthers) {
  const uint32_t id = must_submit(alice, job().nodes(3).exclusive());
  const uint32_t next = must_submit(bob, job().nodes(3).exclusive());
  EXPECT_TRUE(waits(next));
  EXPECT_EQ(keep(id, 1), 0);
  EXPECT_EQ(nodes_of(id), "node1");
  EXPECT_EQ(nodes_of(next), "node[2-4]");
  EXPECT_EQ(executor.confined.at(id).memory_mb, find(id).allocation.at(0).memory_mb);
  finish(id);
  EXPECT_EQ(used_cpus(0), 0u);
}

TEST_F(Shrinking, AJobKeepsTheNodesThatAreNamedAndItsScripts) {
  const uint32_t id = must_submit(alice, job().nodes(4));
  EXPECT_EQ(keep(id, "node[1,3]"), 0);
  EXPECT_EQ(nodes_of(id), "node[1,3]");
  EXPECT_EQ(keep(id, "node3"), kErrInvalidNodeName) << "the script runs on node1";
  EXPECT_EQ(keep(id, "node1,node2"), kErrInvalidNodeName);
  EXPECT_EQ(keep(id, 3), kErrNotSupported);
  EXPECT_EQ(keep(id, 0u), kErrInvalidNodeCount);
  EXPECT_EQ(keep(id, 2), 0);
  EXPECT_EQ(nodes_of(id), "node[1,3]");
}

TEST_F(Shrinking, TasksOnANodeThatLeavesAreEnded) {
  const uint32_t id = must_submit(alice, job().nodes(3));
  v1::CreateStepRequest request;
  request.set_job_id(id);
  request.mutable_spec()->set_min_nodes(3);
  request.mutable_spec()->add_argv("true");
  auto made = ask<v1::CreateStepResponse>([&](Reply<v1::CreateStepResponse> reply) {
    on_create_step(core(), alice, request, std::move(reply));
  });
  ASSERT_TRUE(made);
  EXPECT_EQ(keep(id, "node[1,3]"), 0);
  ASSERT_EQ(executor.ended_nodes.size(), 1u);
  EXPECT_EQ(executor.ended_nodes[0].first.step_id, made->step_id());
  EXPECT_EQ(executor.ended_nodes[0].second, 1u);
}

TEST_F(Shrinking, SurvivesARestart) {
  const uint32_t id = must_submit(alice, job().nodes(3).exclusive());
  EXPECT_EQ(keep(id, 1), 0);
  executor.confined.clear();
  restart();
  EXPECT_EQ(nodes_of(id), "node1");
  EXPECT_EQ(used_cpus(1), 0u);
  EXPECT_TRUE(executor.confined.contains(id)) << "the launcher may not have heard of it";
}

TEST_F(Shrinking, AJobThatIsNotToEndLosesTheNodeThatFails) {
  JobWish wish = job().nodes(3);
  wish.spec().set_no_kill(true);
  const uint32_t id = must_submit(alice, wish);
  take_down("node2");
  EXPECT_TRUE(runs(id));
  EXPECT_EQ(nodes_of(id), "node[1,3]");
  EXPECT_EQ(used_cpus(1), 0u);
}

TEST_F(Shrinking, WithItsLastNodeAJobEnds) {
  JobWish wish = job().on("node2");
  wish.spec().set_no_kill(true);
  wish.spec().set_requeue(false);
  const uint32_t id = must_submit(alice, wish);
  take_down("node2");
  EXPECT_EQ(find(id).base(), JobState::kNodeFail);
}

}  // namespace
}  // namespace grappe::embedded
