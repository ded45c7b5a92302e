#include "sched/place/pack.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

TEST(Pack, AFreeGpuIsOfNoUseToJobsThatDoNotFit) {
  Cluster c;
  c.nodes(1, node(8).memory(8000).gpus(4));
  c.job(1, tasks(1).gpus_per_node(4));
  c.job(2, tasks(1).gpus_per_node(1).copies(3));
  std::vector<NodeFacts> facts{facts_of(c.snapshot.nodes[0])};
  Packing packing(c.snapshot, facts);
  EXPECT_DOUBLE_EQ(packing.fragmentation(4, 8, 8000), 0);
  EXPECT_DOUBLE_EQ(packing.fragmentation(3, 8, 8000), 0.75);  // a quarter of the jobs want four
  EXPECT_DOUBLE_EQ(packing.fragmentation(4, 0, 8000), 4);     // no core, no use
  EXPECT_DOUBLE_EQ(packing.fragmentation(0, 8, 8000), 0);
}

// Two runs of free nodes: one whole node, and two that are half taken. Slurm takes from the
// smallest run; what is left there is of no use to jobs with four GPUs.
void fill_runs(Cluster& c, bool pack) {
  c.nodes(4, node(8).gpus(4));
  c.running(1, 8, kNow + hours(9), 0, 4);
  c.running(2, 1, kNow + hours(9), 0, 2);
  c.running(3, 1, kNow + hours(9), 0, 2);
  c.policy.placement.gpu_pack = pack;
  c.job(1, tasks(1).gpus_per_node(1));
  c.job(2, tasks(1).gpus_per_node(4));
}

TEST(Pack, SmallJobsGoWhereLargeOnesCannot) {
  Cluster slurm, packed;
  fill_runs(slurm, false);
  fill_runs(packed, true);
  EXPECT_EQ(where(slurm.plan(), 1), "n1:1");
  EXPECT_EQ(started(slurm.plan(), 2), nullptr);
  EXPECT_EQ(where(packed.plan(), 1), "n3:1");
  EXPECT_EQ(where(packed.plan(), 2), "n1:1");
}

TEST(Pack, JobsWithoutGpusGoWhereTheyStrandNone) {
  Cluster c;
  c.nodes(1, node(8).gpus(4));
  c.nodes(1, node(16));
  c.policy.placement.gpu_pack = true;
  c.job(1, tasks(8));
  c.job(2, tasks(1).gpus_per_node(4));
  Plan p = c.plan();
  EXPECT_EQ(where(p, 1), "n2:8");
  EXPECT_EQ(where(p, 2), "n1:1");
}

TEST(Pack, WeightsComeFirst) {
  Cluster c;
  c.nodes(1, node(8).gpus(4).weight(2));
  c.nodes(1, node(8).gpus(4).weight(1));
  c.running(0, 1, kNow + hours(9), 0, 3);
  c.policy.placement.gpu_pack = true;
  c.job(1, tasks(1).gpus_per_node(1));
  c.job(2, tasks(1).gpus_per_node(4));
  EXPECT_EQ(where(c.plan(), 1), "n2:1");
}

}  // namespace
}  // namespace grappe::sched::testing
