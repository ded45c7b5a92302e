#include "sched/why.h"

#include <gtest/gtest.h>

#include "sched/remedies.h"
#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

Explanation explain_first(Cluster& c, std::vector<PartitionIndex> partitions = {}) {
  return explain(c.snapshot, c.policy, 0, partitions);
}

std::string shortages(const Explanation& e) {
  std::string out;
  for (const NodeView& node : e.nodes) {
    for (const Supply& s : node.supplies) {
      if (!s.is_short) continue;
      out += (out.empty() ? "n" : " n") + std::to_string(node.node + 1) + ":" +
             (s.what == Supply::What::kCores    ? "cpu"
              : s.what == Supply::What::kMemory ? "mem"
                                                : "gpu") +
             "=" + std::to_string(s.free) + "/" + std::to_string(s.total);
    }
  }
  return out;
}

const Remedy* remedy(const Explanation& e, Remedy::What what, size_t nth = 0) {
  for (const Remedy& r : e.remedies) {
    if (r.what == what && nth-- == 0) return &r;
  }
  return nullptr;
}

TEST(Why, NamesWhatIsShortOnEachNode) {
  Cluster c;
  c.nodes(2, node(8).memory(32000).gpus(4));
  c.running(0, 2, kNow + hours(1), 1000, 4);
  c.running(1, 7, kNow + hours(2), 31000, 0);
  c.job(1, tasks(1).cpus(2).mem(4000).gpus_per_node(1).time(hours(1)));
  Explanation e = explain_first(c);
  EXPECT_EQ(shortages(e), "n1:gpu=0/4 n2:cpu=1/8 n2:mem=1000/32000");
  EXPECT_EQ(e.expected_start, kNow + hours(1));
  ASSERT_EQ(e.waits_for.size(), 1u);
  EXPECT_EQ(e.waits_for[0], 0u);
}

TEST(Why, CountsThoseAheadThatWantTheSameNodes) {
  Cluster c;
  c.nodes(2, node(4));
  c.partition({0});
  c.partition({1});
  c.running(0, 4, kNow + hours(1));
  c.job(1, tasks(4).in({0}).priority(5).time(hours(1)));
  c.job(2, tasks(4).in({0}).priority(9).time(hours(1)));
  c.job(3, tasks(4).in({1}).priority(9).time(hours(1)));
  Explanation e = explain_first(c);
  EXPECT_EQ(e.ahead_count, 1u);
  EXPECT_EQ(e.ahead, std::vector<uint32_t>{1});
}

TEST(Why, SaysThatThereIsRoomWhichOthersHavePlanned) {
  Cluster c;
  c.nodes(1, node(4));
  c.running(0, 2, kNow + hours(1));
  c.job(1, tasks(2).priority(1).time(hours(2)));
  c.job(2, tasks(4).priority(9).time(hours(1)));
  Explanation e = explain_first(c);
  EXPECT_TRUE(e.fits_now);
  EXPECT_EQ(e.expected_start, kNow + hours(2));
}

TEST(Remedies, TheLongestLimitThatFitsTheGap) {
  Cluster c;
  c.nodes(1, node(4));
  c.running(0, 2, kNow + hours(1));
  c.job(1, tasks(2).priority(1).time(hours(2)));
  c.job(2, tasks(4).priority(9).time(hours(1)));
  Explanation e = explain_first(c);
  const Remedy* r = remedy(e, Remedy::What::kTimeLimit);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->value, static_cast<uint64_t>(hours(1)));
  EXPECT_EQ(r->start, kNow);
}

TEST(Remedies, LessMemoryWhenOnlyMemoryIsShort) {
  Cluster c;
  c.nodes(1, node(8).memory(64000));
  c.running(0, 1, kNow + hours(5), 14000);
  c.job(1, tasks(1).mem(60000).time(hours(2)));
  Explanation e = explain_first(c);
  const Remedy* r = remedy(e, Remedy::What::kMemory);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->value, 48u * 1024);
  EXPECT_EQ(r->start, kNow);
}

TEST(Why, NamesTheReservationThatTheJobWouldRunInto) {
  Cluster c;
  c.nodes(2, node(4));
  c.reserve({1}, kNow + minutes(30), kNow + minutes(90));
  c.reserve({0}, kNow + hours(3), kNow + hours(4));
  c.reserve({0, 1}, kNow - hours(3), kNow);
  c.job(1, tasks(8).time(hours(1)));
  const Explanation e = explain_first(c);
  ASSERT_EQ(e.reserved.size(), 1u);
  EXPECT_EQ(e.reserved[0].reservation, 0u);
  EXPECT_EQ(e.reserved[0].nodes, std::vector<NodeIndex>{1});
  const Remedy* r = remedy(e, Remedy::What::kTimeLimit);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->value, 1800u);
}

TEST(Remedies, FewerGpus) {
  Cluster c;
  c.nodes(1, node(8).gpus(4));
  c.running(0, 1, kNow + hours(5), 0, 2);
  c.job(1, tasks(1).gpus_per_node(4).time(hours(2)));
  const Explanation e = explain_first(c);
  const Remedy* r = remedy(e, Remedy::What::kDevices);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->value, 2u);
}

TEST(Remedies, AnotherPartitionThatIsFree) {
  Cluster c;
  c.nodes(2, node(4));
  c.partition({0});
  c.partition({1});
  c.running(0, 4, kNow + hours(1));
  c.job(1, tasks(4).in({0}).time(hours(1)));
  EXPECT_EQ(explain_first(c).remedies.size(), 0u);
  Explanation e = explain_first(c, {0, 1});
  ASSERT_EQ(e.remedies.size(), 1u);
  EXPECT_EQ(e.remedies[0].value, 1u);
  EXPECT_EQ(e.remedies[0].start, kNow);
}

TEST(Remedies, AnyNodeInsteadOfTheOneNamed) {
  Cluster c;
  c.nodes(2, node(4));
  c.running(0, 4, kNow + hours(1));
  c.job(1, tasks(1).on({0}).time(hours(1)));
  EXPECT_TRUE(remedy(explain_first(c), Remedy::What::kAnyNode));
}

TEST(Remedies, NoneForWhatNothingWouldHelp) {
  Cluster c;
  c.nodes(1, node(4));
  c.running(0, 4, kNow + hours(1));
  c.job(1, tasks(1).time(minutes(1)));
  EXPECT_TRUE(explain_first(c).remedies.empty());
}

}  // namespace
}  // namespace grappe::sched::testing
