#include "sched/limits/break_report.h"

#include <gtest/gtest.h>

namespace grappe::sched {
namespace {

const std::vector<std::string> kNames{"cpu", "mem", "energy", "node"};

// Jobs of one user, all in one chain; counter 0 is the association.
class BreakReport : public ::testing::Test {
 protected:
  void limit(LimitSet limits) {
    LimitLevels levels;
    levels.associations = {{std::move(limits), 0}};
    chain_ = settle_limits(levels, kNames);
    table_.in_use = InUse(1, kNames.size(), 3);
  }
  void run(uint64_t cpus, Time end) {
    amounts_.push_back(std::make_unique<TresAmounts>(TresAmounts{cpus, 0, 0, 1}));
    CountedRun run{&chain_, amounts_.back().get(), {}, static_cast<uint64_t>(end - kNow), end};
    run.nodes.set(static_cast<uint32_t>(running_.size()));
    table_.in_use.add_running(chain_, {run.tres, 0, &run.nodes}, run.seconds_left);
    running_.push_back(run);
  }
  LimitBreak ask(uint64_t cpus, uint64_t minutes = 10) {
    const TresAmounts asked{cpus, 0, 0, 1};
    BreakQuestion question{&chain_, {&asked, minutes, nullptr}, &table_, &running_};
    question.now = kNow;
    question.half_life_s = 1000;
    LimitBreak out;
    EXPECT_TRUE(report_break(question, out));
    return out;
  }

  static constexpr Time kNow = 5000;
  LimitChain chain_;
  LimitTable table_;
  std::vector<CountedRun> running_;
  std::vector<std::unique_ptr<TresAmounts>> amounts_;
};

TEST_F(BreakReport, IsFreeWhenEnoughOfThoseWhoHaveItHaveEnded) {
  limit({.grp_tres = {8, kNoLimit, kNoLimit, kNoLimit}});
  run(3, kNow + 900);
  run(2, kNow + 300);
  run(2, kNow + 600);
  const LimitBreak found = ask(4);
  EXPECT_EQ(found.rule.name, "GrpTRES");
  EXPECT_EQ(found.used, 7u);
  EXPECT_EQ(found.asked, 4u);
  EXPECT_FALSE(found.never);
  ASSERT_EQ(found.takers.size(), 3u);
  EXPECT_EQ(found.takers[0], (std::pair<size_t, uint64_t>{1, 2}));
  EXPECT_EQ(found.frees_at, kNow + 600);
  EXPECT_EQ(ask(8).frees_at, kNow + 900);
  EXPECT_EQ(ask(2).frees_at, kNow + 300);
}

TEST_F(BreakReport, WhatTheJobAloneExceedsIsNeverFree) {
  limit({.grp_tres = {8, kNoLimit, kNoLimit, kNoLimit}});
  EXPECT_TRUE(ask(9).never);
  EXPECT_EQ(ask(9).frees_at, 0);
  limit({.max_wall = 5});
  EXPECT_TRUE(ask(1).never);
  EXPECT_EQ(ask(1).asked, 10u);
}

TEST_F(BreakReport, JobsAndMinutesThatMayStillBeUsedAreCounted) {
  limit({.grp_jobs = 1});
  run(1, kNow + 60);
  EXPECT_EQ(ask(1).frees_at, kNow + 60);
  running_.clear();
  limit({.grp_tres_run_mins = {100, kNoLimit, kNoLimit, kNoLimit}});
  run(4, kNow + 1200);
  EXPECT_EQ(ask(3).used, 80u);
  EXPECT_EQ(ask(3).asked, 30u);
  EXPECT_EQ(ask(3).frees_at, kNow + 1200);
}

TEST_F(BreakReport, WhatWasUsedDecays) {
  limit({.grp_tres_mins = {50, kNoLimit, kNoLimit, kNoLimit}});
  table_.in_use.set_used(0, {100.0 * 60, 0, 0, 0}, 0);
  const LimitBreak found = ask(1);
  EXPECT_EQ(found.used, 100u);
  EXPECT_EQ(found.frees_at, kNow + 1000);
}

}  // namespace
}  // namespace grappe::sched
