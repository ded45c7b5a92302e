#include "sched/shape_memo.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

class Memo : public ::testing::Test {
 protected:
  Memo() {
    c.nodes(3, node(4));
    for (const Node& n : c.snapshot.nodes) facts.push_back(facts_of(n));
  }

  Cluster c;
  std::vector<NodeFacts> facts;
};

TEST_F(Memo, AShapeIsWorkedOutOnce) {
  ShapeMemo memo(c.snapshot, facts);
  const Shape* shape = c.job(1, tasks(5)).shape;
  EXPECT_EQ(memo.known(shape, 0), nullptr);
  ShapeFacts& first = memo.facts(shape, 0);
  EXPECT_EQ(&memo.facts(shape, 0), &first);
  EXPECT_EQ(memo.known(shape, 0), &first);
  EXPECT_EQ(first.suitable, bits({0, 1, 2}));
}

TEST_F(Memo, NodesThatAreDownAreSuitableButNotUsable) {
  c.snapshot.nodes[1].available = false;
  ShapeMemo memo(c.snapshot, facts);
  ShapeFacts& some = memo.facts(c.job(1, tasks(5)).shape, 0);
  EXPECT_EQ(some.usable, bits({0, 2}));
  EXPECT_FALSE(some.lacking);
  ShapeFacts& all = memo.facts(c.job(2, tasks(12)).shape, 0);
  EXPECT_TRUE(all.lacking);
  EXPECT_EQ(all.never, Reason::kNone);
}

TEST_F(Memo, TheHopeOfALongRunIsAtLeastThatOfAShorter) {
  ShapeFacts f;
  f.not_before = {{100, 5000}, {50, 3000}, {200, 4000}};
  EXPECT_EQ(f.earliest_hope(10), 0);
  EXPECT_EQ(f.earliest_hope(60), 3000);
  EXPECT_EQ(f.earliest_hope(100), 5000);
  EXPECT_EQ(f.earliest_hope(900), 5000);
}

TEST_F(Memo, FailuresAreForgottenWhenResourcesComeBack) {
  ShapeMemo memo(c.snapshot, facts);
  ShapeFacts& f = memo.facts(c.job(1, tasks(5)).shape, 0);
  f.fails_now = 10;
  f.not_before = {{1, 2}};
  memo.forget_failures();
  EXPECT_EQ(f.fails_now, kNoRun);
  EXPECT_TRUE(f.not_before.empty());
}

}  // namespace
}  // namespace grappe::sched::testing
