#include "sched/forecast/forecast.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched {
namespace {

using testing::hours;
using testing::kNow;
using testing::minutes;
using testing::node;
using testing::tasks;

// User 0's jobs ran for `part` of their limit of 1000 s so far.
RunHistory history_of(double part) {
  RunHistory history;
  for (int i = 0; i < 20; ++i) history.add(0, static_cast<Time>(1000 * part), 1000);
  return history;
}

Queue queue_of(const testing::Cluster& cluster) {
  Queue queue;
  queue.machine = cluster.snapshot;
  queue.policy = cluster.policy;
  for (PendingJob& job : queue.machine.pending) queue.waiting.emplace_back().job = job;
  queue.machine.pending.clear();
  settle(queue);
  return queue;
}

std::vector<Time> medians(const Forecasts& forecasts) {
  std::vector<Time> out;
  for (const auto& forecast : forecasts.jobs) out.push_back(forecast ? forecast->median : -1);
  return out;
}

TEST(DrawnRun, IsOneOfTheUsersOwnAgainstTheLimit) {
  Random random(1);
  EXPECT_EQ(drawn_run(history_of(0.1), 0, 1000, -1, random), 100);
  EXPECT_EQ(drawn_run(history_of(0.1), 0, 5000, -1, random), 500);
}

TEST(DrawnRun, OfWhatHasRunLongerThanEverGoesOnUntilItsLimitAtMost) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const Time run = drawn_run(history_of(0.1), 0, 1000, 300, random);
    EXPECT_GT(run, 300);
    EXPECT_LE(run, 1000);
  }
}

TEST(DrawnRun, WithoutLimitIsAsLongAsOthersOfTheUser) {
  Random random(1);
  EXPECT_EQ(drawn_run(history_of(0.1), 0, kForever, -1, random), 100);
  for (int i = 0; i < 100; ++i) {
    const Time run = drawn_run(RunHistory(), 0, kForever, 600, random);
    EXPECT_GT(run, 600);
    EXPECT_LT(run, 40 * 86400);
  }
}

// The first in line waits for all; a narrow one passes the second and delays it.
TEST(StartByLimits, CountsThoseThatPass) {
  testing::Cluster c;
  c.policy = first_in_line_policy();
  c.nodes(1, node(8));
  c.running(0, 4, kNow + 1000);
  c.job(1, tasks(6).time(1000));
  c.job(2, tasks(6).time(1000));
  c.job(3, tasks(2).time(2500));
  c.job(4, tasks(4).time(3000)).submit_time = kNow;
  const Queue queue = queue_of(c);
  const auto never = [] { return false; };
  EXPECT_EQ(start_by_limits(queue, 0, never), 1000);
  EXPECT_EQ(start_by_limits(queue, 1, never), 2000);
  EXPECT_EQ(start_by_limits(queue, 2, never), 0);
  EXPECT_EQ(start_by_limits(queue, 1, [] { return true; }), std::nullopt);
}

TEST(Forecast, EveryJobOfTheQueueHasOne) {
  testing::Cluster c;
  c.nodes(1, node(8));
  c.running(0, 8, kNow + 1000);
  c.snapshot.running[0].start = kNow;
  c.job(1, tasks(8).time(1000));
  c.job(2, tasks(8).time(1000));
  const RunHistory history = history_of(0.1);
  const Forecasts all = forecast_all(queue_of(c), history, {}, {});
  EXPECT_EQ(medians(all), (std::vector<Time>{100, 200}));
  EXPECT_EQ(forecast(queue_of(c), history, {}, 1, {})->median, 200);
}

TEST(Forecast, ThereIsNoneForWhatNeverStarts) {
  testing::Cluster c;
  c.nodes(2, node(8));
  c.snapshot.nodes[1].available = false;
  c.job(1, tasks(8).time(1000).on({1}));
  c.job(2, tasks(8).time(1000));
  EXPECT_EQ(medians(forecast_all(queue_of(c), {}, {}, {})), (std::vector<Time>{-1, 0}));
}

TEST(Forecast, TasksOfAnArrayBeyondItsLimitFollowThoseThatRun) {
  testing::Cluster c;
  c.nodes(1, node(8));
  c.job(1, tasks(1).time(1000));
  c.job(2, tasks(8).time(1000));
  Queue queue = queue_of(c);
  queue.waiting[0].more = 3;
  queue.waiting[0].group = 7;
  queue.waiting[1].job.priority = 1;
  settle(queue);
  // One after the other, 100 s each; the whole node is free when the last has ended.
  const Forecasts all = forecast_all(queue, history_of(0.1), {}, {});
  EXPECT_EQ(medians(all), (std::vector<Time>{0, 400}));
}

TEST(Forecast, WhoBeginsLaterDoesNotCountUntilThen) {
  testing::Cluster c;
  c.nodes(1, node(8));
  c.job(1, tasks(8).time(1000));
  c.job(2, tasks(8).time(1000));
  Queue queue = queue_of(c);
  queue.waiting[0].not_before = kNow + 5000;
  const Forecasts all = forecast_all(queue, history_of(0.1), {}, {});
  EXPECT_EQ(medians(all), (std::vector<Time>{5000, 0}));
}

TEST(Forecast, WhoDependsOnAnotherStartsAfterItsEnd) {
  testing::Cluster c;
  c.nodes(1, node(8));
  c.running(0, 1, kNow + 1000).tag = 41;
  c.snapshot.running[0].start = kNow;
  c.job(1, tasks(1).time(1000)).job_id = 42;
  c.job(2, tasks(1).time(1000)).job_id = 43;
  c.job(3, tasks(1).time(1000)).job_id = 44;
  Queue queue = queue_of(c);
  queue.waiting[0].after = {41};
  queue.waiting[1].after = {42, 41};
  queue.waiting[2].after = {7};  // is over
  settle(queue);
  const Forecasts all = forecast_all(queue, history_of(0.1), {}, {});
  EXPECT_EQ(medians(all), (std::vector<Time>{100, 200, 0}));
}

TEST(Forecast, NewcomersOfHigherPriorityGoFirst) {
  testing::Cluster c;
  c.nodes(1, node(8));
  c.running(0, 8, kNow + 1000);
  c.snapshot.running[0].start = kNow;
  const PendingJob job = c.job(1, tasks(8).time(1000).priority(10));
  Arrivals arrivals;
  for (Time ago = 86400; ago >= 0; ago -= 100) {
    PendingJob other = job;
    other.priority = 20;
    other.submit_time = kNow - ago;
    arrivals.add({other, {}, {}});
  }
  const auto alone = forecast(queue_of(c), history_of(0.5), {}, 0, {});
  const auto beset = forecast(queue_of(c), history_of(0.5), arrivals, 0, {5, 1, {}});
  EXPECT_EQ(alone->median, 500);
  EXPECT_GT(beset->median, 1000);
}

TEST(Forecast, LimitsHoldInEachFuture) {
  testing::Cluster c;
  c.nodes(1, node(8));
  LimitChain chain;
  chain.counters = {0};
  chain.rules = {{Measure::kJobs, 0, 0, 1, Reason::kAssocMaxJobsLimit}};
  auto table = std::make_shared<LimitTable>();
  table->chains = std::make_shared<std::vector<LimitChain>>(1, chain);
  table->in_use = InUse(1, 3, 2);
  c.snapshot.limits = table;
  const TresAmounts amounts{1, 0, 1};
  for (uint64_t tag : {1, 2, 3}) {
    PendingJob& job = c.job(tag, tasks(1).time(1000));
    job.chains.push_back(0);
    job.tres = &amounts;
  }
  EXPECT_EQ(medians(forecast_all(queue_of(c), history_of(0.1), {}, {})),
            (std::vector<Time>{0, 100, 200}));
}

TEST(Forecast, WhereTimeIsShortTheRestGoesOnAtThePaceSoFar) {
  testing::Cluster c;
  c.nodes(1, node(8));
  for (uint64_t tag = 1; tag <= 100; ++tag) c.job(tag, tasks(8).time(1000));
  int plans = 0;
  ForecastOptions options;
  options.enough = [&] { return ++plans > 10; };
  const Forecasts all = forecast_all(queue_of(c), history_of(0.1), {}, options);
  EXPECT_EQ(all.futures, 1u);
  EXPECT_EQ(all.jobs[5]->median, 500);
  EXPECT_NEAR(double(all.jobs[99]->median), 9900, 1000);
}

TEST(Calibration, LearnsByHowMuchBoundsWereWrong) {
  Calibration calibration;
  for (int i = 0; i < 100; ++i) calibration.add({1000, 2000}, 100 * i);
  Forecast corrected = calibration.corrected({1000, 2000});
  EXPECT_NEAR(double(corrected.median), 5000, 200);
  EXPECT_NEAR(double(corrected.bound), 9000, 200);
}

TEST(Arrivals, RepeatTheGapsOfThePastAndTheQuietSince) {
  Arrivals past;
  for (Time t : {0, 10, 30}) {
    PendingJob job;
    job.submit_time = hours(t);
    past.add({job, {}, {}});
  }
  Random random(3);
  Arrivals::Future future(past, random, hours(70));
  std::vector<Time> at;
  for (int i = 0; i < 4; ++i) at.push_back(future.take().submit_time);
  // 10 and 20 hours from one to the next, 40 between one turn and the next.
  EXPECT_EQ(at[2] - at[0], hours(70));
  EXPECT_EQ(at[3] - at[1], hours(70));
}

TEST(Arrivals, AShortPastIsTakenForAllThatComesInADay) {
  Arrivals past;
  for (Time t : {0, 1, 1, 2, 2}) {
    PendingJob job;
    job.submit_time = kNow + t;
    past.add({job, {}, {}});
  }
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    Arrivals::Future future(past, random, kNow + 2);
    int today = 0;
    for (; future.at() < kNow + hours(24); future.take()) ++today;
    EXPECT_LE(today, 5);
    EXPECT_GT(future.at(), kNow + 2);
  }
}

}  // namespace
}  // namespace grappe::sched
