#include "model/task_turns.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

using Nodes = std::vector<uint32_t>;

TEST(TaskTurns, GiveEachNodeOneTaskAfterTheOther) {
  EXPECT_EQ(deal_tasks(5, {8, 8}), (Nodes{0, 1, 0, 1, 0}));
}

TEST(TaskTurns, PassOverNodesThatAreFull) {
  EXPECT_EQ(deal_tasks(4, {3, 1}), (Nodes{0, 1, 0, 0}));
  EXPECT_EQ(deal_tasks(2, {0, 2}), (Nodes{1, 1}));
}

TEST(TaskTurns, GoOnWithEveryNodeWhenAllAreFull) {
  EXPECT_EQ(deal_tasks(6, {3, 1}), (Nodes{0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(deal_tasks(3, {0, 0}), (Nodes{0, 1, 0}));
}

}  // namespace
}  // namespace grappe
