#include "embedded/testing/engine_fixture.h"
#include "embedded/timers.h"
#include "model/node_state.h"

namespace grappe::embedded {
namespace {

Cluster with_a_program() {
  Cluster cluster = four_nodes();
  cluster.config.jobs.unkillable_step_timeout_s = 20;
  cluster.config.hooks.unkillable_step_program = "/etc/unkillable";
  return cluster;
}

class Unkillable : public EngineTest {
 protected:
  Unkillable() : EngineTest(with_a_program()) { executor.ends_on_kill = false; }
  const ClusterNode& first_node() { return core().state.cluster.nodes.front(); }
};

TEST_F(Unkillable, DrainsTheNodeAndTellsTheSite) {
  const uint32_t id = must_submit(alice, job().minutes(1));
  advance(60 + 5 + 15);  // the limit, SIGKILL, and almost all the patience
  EXPECT_TRUE(find(id).state & kStateCompleting);
  EXPECT_FALSE(first_node().flags & kNodeDrain);
  advance(10);
  EXPECT_TRUE(first_node().flags & kNodeDrain);
  EXPECT_EQ(first_node().reason, "Kill task failed");
  ASSERT_EQ(executor.programs.size(), 1u);
  EXPECT_EQ(executor.programs[0].path, "/etc/unkillable");
  const std::string& env = executor.programs[0].environment;
  EXPECT_NE(env.find(std::string("SLURM_STEP_ID=4294967291") + '\0'), std::string::npos);
  executor.program_ends("exited with status 1");
  settle();
  EXPECT_TRUE(find(id).state & kStateCompleting);
}

TEST_F(Unkillable, IsToldOnceHoweverLongItLasts) {
  const uint32_t id = must_submit(alice, job().minutes(1));
  advance(300);
  EXPECT_EQ(executor.programs.size(), 1u);
  finish(id);
  EXPECT_EQ(find(id).base(), JobState::kTimeout);
  EXPECT_FALSE(find(id).state & kStateCompleting);
}

TEST_F(Unkillable, IsNoStepThatEndsInTime) {
  const uint32_t id = must_submit(alice, job().minutes(1));
  advance(60 + 5 + 15);
  finish(id);
  advance(60);
  EXPECT_TRUE(executor.programs.empty());
  EXPECT_FALSE(first_node().flags & kNodeDrain);
}

}  // namespace
}  // namespace grappe::embedded
