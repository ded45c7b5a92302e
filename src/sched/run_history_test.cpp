#include "sched/run_history.h"

#include <gtest/gtest.h>

namespace grappe::sched {
namespace {

TEST(RunHistory, SomebodyNewIsExpectedToNeedTheLimit) {
  EXPECT_EQ(RunHistory().expected(7, 3600), 3600);
}

TEST(RunHistory, TheLastRunsWithTheSameLimitCountMost) {
  RunHistory history;
  history.add(7, 9999, 36000);
  history.add(7, 500, 3600);
  history.add(7, 100, 3600);
  history.add(7, 200, 3600);
  history.add(7, 1, 60);
  EXPECT_EQ(history.expected(7, 3600), 150);
  EXPECT_EQ(history.expected(8, 3600), 3600);
}

TEST(RunHistory, OtherLimitsCountAsTheirParts) {
  RunHistory history;
  history.add(7, 50, 100);
  history.add(7, 25, 100);
  EXPECT_EQ(history.expected(7, 1000), 375);
}

TEST(RunHistory, KeepsALimitedNumberOfRuns) {
  RunHistory history;
  for (Time i = 1; i <= 1000; ++i) history.add(3, i, 2000);
  EXPECT_EQ(history.recent(3).size(), 64u);
  EXPECT_EQ(history.recent(3).back().run, 1000);
}

}  // namespace
}  // namespace grappe::sched
