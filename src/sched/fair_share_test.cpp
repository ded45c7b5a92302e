#include "sched/fair_share.h"

#include <gtest/gtest.h>

#include <cmath>

namespace grappe::sched {
namespace {

// A tree in few words; the usage of accounts follows from their users'.
class Tree {
 public:
  Tree() { nodes_.push_back({}); }
  uint32_t account(uint32_t parent, uint32_t shares) { return add(parent, false, shares, 0); }
  uint32_t user(uint32_t parent, uint32_t shares, double usage) {
    const uint32_t made = add(parent, true, shares, usage);
    for (uint32_t at = parent;; at = nodes_[at].parent) {
      nodes_[at].usage += usage;
      if (at == 0) break;
    }
    return made;
  }
  ShareNode& operator[](uint32_t i) { return nodes_[i]; }
  std::vector<ShareResult> ranked(FairShareRule rule = FairShareRule::kFairTree) const {
    return fair_share(nodes_, rule);
  }

 private:
  uint32_t add(uint32_t parent, bool is_user, uint32_t shares, double usage) {
    nodes_.push_back({parent, is_user, false, shares, usage});
    return static_cast<uint32_t>(nodes_.size() - 1);
  }
  std::vector<ShareNode> nodes_;
};

TEST(FairTree, RanksUsersOfABetterServedAccountBehindAllOfTheOther) {
  Tree tree;
  const uint32_t a = tree.account(0, 1), b = tree.account(0, 1);
  const uint32_t busy = tree.user(a, 1, 80), quiet = tree.user(a, 1, 10);
  const uint32_t other = tree.user(b, 1, 10);
  const auto result = tree.ranked();
  EXPECT_DOUBLE_EQ(result[other].fair_share, 1);
  EXPECT_DOUBLE_EQ(result[quiet].fair_share, 2.0 / 3);
  EXPECT_DOUBLE_EQ(result[busy].fair_share, 1.0 / 3);
  EXPECT_DOUBLE_EQ(result[a].level_fs, 0.5 / 0.9);
}

TEST(FairTree, EqualUsersShareTheHigherRank) {
  Tree tree;
  const uint32_t a = tree.account(0, 1);
  const uint32_t one = tree.user(a, 1, 10), two = tree.user(a, 1, 10), third = tree.user(a, 1, 20);
  const auto result = tree.ranked();
  EXPECT_DOUBLE_EQ(result[one].fair_share, 1);
  EXPECT_DOUBLE_EQ(result[two].fair_share, 1);
  EXPECT_DOUBLE_EQ(result[third].fair_share, 1.0 / 3);
}

// Two accounts that are equal, with users of LevelFS 2 and 0.5 in each.
TEST(FairTree, EqualAccountsAreMergedUnlessItIsSlurms) {
  Tree tree;
  const uint32_t a = tree.account(0, 1), b = tree.account(0, 1);
  const uint32_t a1 = tree.user(a, 2, 10), a2 = tree.user(a, 1, 20);
  const uint32_t b1 = tree.user(b, 2, 10), b2 = tree.user(b, 1, 20);
  auto result = tree.ranked();
  EXPECT_DOUBLE_EQ(result[a1].fair_share, 1);
  EXPECT_DOUBLE_EQ(result[b1].fair_share, 1);
  EXPECT_DOUBLE_EQ(result[a2].fair_share, 0.5);
  EXPECT_DOUBLE_EQ(result[b2].fair_share, 0.5);
  result = tree.ranked(FairShareRule::kFairTreeOfSlurm);
  EXPECT_DOUBLE_EQ(result[a1].fair_share, 1);
  EXPECT_DOUBLE_EQ(result[a2].fair_share, 0.75);
  EXPECT_DOUBLE_EQ(result[b1].fair_share, 0.75);
  EXPECT_DOUBLE_EQ(result[b2].fair_share, 0.25);
}

TEST(FairTree, NoSharesAreTheLastAndNoUseTheFirst) {
  Tree tree;
  const uint32_t a = tree.account(0, 1);
  const uint32_t none = tree.user(a, 0, 0), unused = tree.user(a, 1, 0), used = tree.user(a, 1, 5);
  const auto result = tree.ranked();
  EXPECT_EQ(result[none].level_fs, 0);
  EXPECT_TRUE(std::isinf(result[unused].level_fs));
  EXPECT_DOUBLE_EQ(result[unused].fair_share, 1);
  EXPECT_DOUBLE_EQ(result[used].fair_share, 2.0 / 3);
  EXPECT_DOUBLE_EQ(result[none].fair_share, 1.0 / 3);
}

TEST(FairTree, AnAccountThatCountsAsItsParentHandsItsChildrenUp) {
  Tree tree;
  const uint32_t top = tree.account(0, 1);
  const uint32_t as_parent = tree.account(top, 50);
  tree[as_parent].as_parent = true;
  const uint32_t below = tree.user(as_parent, 1, 10), beside = tree.user(top, 3, 10);
  const auto result = tree.ranked();
  EXPECT_DOUBLE_EQ(result[below].norm_shares, 0.25);
  EXPECT_DOUBLE_EQ(result[beside].norm_shares, 0.75);
}

TEST(FairTree, AUserThatCountsAsItsParentIsFirstInItsAccount) {
  Tree tree;
  const uint32_t a = tree.account(0, 1);
  const uint32_t favoured = tree.user(a, 1, 1000), other = tree.user(a, 1, 1);
  tree[favoured].as_parent = true;
  const auto result = tree.ranked();
  EXPECT_TRUE(std::isinf(result[favoured].level_fs));
  EXPECT_GT(result[favoured].fair_share, result[other].fair_share);
}

TEST(ClassicFairShare, IsOneHalfForWhoHasUsedHisShare) {
  Tree tree;
  const uint32_t a = tree.account(0, 1), b = tree.account(0, 1);
  const uint32_t just = tree.user(a, 1, 50), same = tree.user(b, 1, 50);
  const auto result = tree.ranked(FairShareRule::kClassic);
  EXPECT_DOUBLE_EQ(result[just].fair_share, 0.5);
  EXPECT_DOUBLE_EQ(result[same].fair_share, 0.5);
  EXPECT_DOUBLE_EQ(result[a].fair_share, 0.5);
}

TEST(FairShare, OfAnEmptyTreeIsNothing) {
  EXPECT_TRUE(fair_share({}, FairShareRule::kFairTree).empty());
}

}  // namespace
}  // namespace grappe::sched
