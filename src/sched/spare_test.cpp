#include "sched/spare.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

// Two nodes of 8 CPUs and 2 GPUs; 6 and 3 CPUs are free, one GPU.
class SpareTest : public ::testing::Test {
 protected:
  SpareTest() {
    c.nodes(2, node(8).gpus(2));
    c.running(0, 2, kNow + 100, 31000, 2);
    c.running(1, 5, kNow + 100, 0, 1);
  }
  bool out(const JobSpec& spec) {
    Timeline timeline(c.snapshot);
    return SpareViews(c.snapshot, timeline).rules_out(spec.shape, 0, spec.job.time_limit);
  }

  Cluster c;
};

TEST_F(SpareTest, WhatMayFitIsNotRuledOut) {
  EXPECT_FALSE(out(tasks(9)));
  EXPECT_FALSE(out(tasks(6).nodes(1)));
  EXPECT_FALSE(out(tasks(1).gpus_per_node(1)));
  EXPECT_FALSE(out(tasks(1).mem(32000)));
}

TEST_F(SpareTest, WhatCannotFitIs) {
  EXPECT_TRUE(out(tasks(10)));
  EXPECT_TRUE(out(tasks(7).nodes(1)));
  EXPECT_TRUE(out(tasks(1).cpus(7)));
  EXPECT_TRUE(out(tasks(2).cpus(5)));
  EXPECT_TRUE(out(tasks(1).gpus_per_node(2)));
  EXPECT_TRUE(out(tasks(1).mem(32001)));
  EXPECT_TRUE(out(tasks(4).cpus(1).nodes(1).mem(2000).nodes(2)));
  EXPECT_TRUE(out(tasks(1).exclusive()));
  EXPECT_TRUE(out(job().nodes(3)));
}

TEST_F(SpareTest, NodesThatAreDownDontCount) {
  c.snapshot.nodes[0].available = false;
  EXPECT_TRUE(out(tasks(4)));
  EXPECT_FALSE(out(tasks(3)));
}

TEST_F(SpareTest, ALongJobSeesWhatIsPlanned) {
  Timeline timeline(c.snapshot);
  SpareViews views(c.snapshot, timeline);
  JobSpec big = tasks(16).time(hours(1));
  Needs needs = needs_of(c.snapshot, big.shape);
  Bitmap nodes = bits({0, 1});
  Request request{&needs, &nodes, {}, &big.job.licenses, hours(1)};
  std::optional<Slot> slot = timeline.earliest(request, kNow, kNow + hours(2));
  timeline.keep(request, slot->placement, slot->start, false);
  EXPECT_FALSE(views.rules_out(tasks(3).shape, 0, 100));
  EXPECT_TRUE(views.rules_out(tasks(3).shape, 0, 300));
}

// A job that is dismissed at a glance could not have started.
RC_GTEST_PROP(Spare, NeverRulesOutWhatCouldStart, ()) {
  auto number = [](uint32_t low, uint32_t high) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1));
  };
  Cluster c;
  c.nodes(number(1, 2), node(1).geometry(number(1, 2), number(1, 4), number(1, 2)).gpus(2));
  c.nodes(number(1, 2), node(number(1, 8)).memory(number(500, 4000)));
  for (NodeIndex n = 0; n < c.snapshot.nodes.size(); ++n) {
    uint32_t part = c.snapshot.nodes[n].cpus / 2;
    if (number(0, 1) && part) c.running(n, part, kNow + number(1, 900), number(0, 500), 0);
  }
  JobSpec spec = number(0, 1) ? tasks(number(1, 8)) : job();
  spec.cpus(number(1, 4)).time(number(1, 1000));
  if (number(0, 1)) spec.nodes(number(1, 2), number(2, 3));
  number(0, 1) ? spec.mem_per_cpu(number(0, 900)) : spec.mem(number(0, 900));
  if (number(0, 2) == 0) spec.gpus(number(1, 3));
  if (number(0, 3) == 0) spec.exclusive();
  spec.shape.overcommit = number(0, 3) == 0;
  if (number(0, 3) == 0) spec.shape.threads_per_core = 1;
  c.job(1, spec);
  Timeline timeline(c.snapshot);
  SpareViews views(c.snapshot, timeline);
  bool dismissed = views.rules_out(spec.shape, 0, spec.job.time_limit);
  bool starts = started(c.plan(), 1) != nullptr;
  RC_ASSERT(!(dismissed && starts));
}

}  // namespace
}  // namespace grappe::sched::testing
