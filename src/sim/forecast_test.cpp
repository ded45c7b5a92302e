#include "sim/forecast.h"

#include <gtest/gtest.h>

#include "sim/generator.h"

namespace grappe::sim {
namespace {

TraceJob wish(uint64_t id, uint32_t cpus, Time run, Time limit, uint32_t user = 0) {
  TraceJob out;
  out.id = id;
  out.cpus = cpus;
  out.run = run;
  out.limit = limit;
  out.user = user;
  return out;
}

// User 0's jobs ran for `part` of their limit so far.
World world_with_history(double part) {
  World world({*parse_machine("10"), sched::first_in_line_policy()});
  for (uint64_t i = 0; i < 20; ++i) {
    world.submit(wish(1000 + i, 10, static_cast<Time>(1000 * part), 1000));
    world.schedule();
    world.advance(world.now() + 1000);
  }
  return world;
}

TEST(Forecast, RunsAreDrawnFromTheUsersOwnHistory) {
  World world = world_with_history(0.1);
  Random random(1);
  EXPECT_EQ(drawn_run(world.history(), wish(1, 1, 0, 1000), -1, random), 100);
  EXPECT_EQ(drawn_run(world.history(), wish(1, 1, 0, 5000), -1, random), 500);
}

TEST(Forecast, WhatHasRunLongerThanEverRunsOnUntilItsLimitAtMost) {
  World world = world_with_history(0.1);
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    Time run = drawn_run(world.history(), wish(1, 1, 0, 1000), 300, random);
    EXPECT_GT(run, 300);
    EXPECT_LE(run, 1000);
  }
}

TEST(Forecast, AJobStartsWhenTheOneBeforeItUsuallyEnds) {
  World world = world_with_history(0.1);
  world.submit(wish(1, 10, 777, 1000));
  world.schedule();
  world.submit(wish(2, 10, 777, 1000));
  world.schedule();
  ASSERT_EQ(world.waiting().size(), 1u);
  Forecast when = forecast(world, Arrivals(), 2, {});
  EXPECT_EQ(when.median, 100);  // what the job really needs is not known
  EXPECT_EQ(when.bound, 100);
}

TEST(Forecast, TheSameSeedGivesTheSameForecast) {
  Machine machine = *parse_machine("2x16");
  GeneratorOptions many;
  many.jobs = 300;
  many.load = 4;
  auto workload = generated(many, machine);
  Trial trial{machine, sched::first_in_line_policy()};
  ForecastScore first = score_forecasts(trial, *workload->jobs(), 10, {10, 1});
  ForecastScore second = score_forecasts(trial, *workload->jobs(), 10, {10, 1});
  EXPECT_GT(first.jobs, 5u);
  EXPECT_EQ(first.mean_error, second.mean_error);
  EXPECT_EQ(first.covered, second.covered);
}

TEST(Calibration, LearnsByHowMuchBoundsWereWrong) {
  Calibration calibration;
  for (int i = 0; i < 100; ++i) calibration.add({1000, 2000}, 100 * i);
  Forecast corrected = calibration.corrected({1000, 2000});
  EXPECT_NEAR(double(corrected.median), 5000, 200);
  EXPECT_NEAR(double(corrected.bound), 9000, 200);
}

TEST(Arrivals, RepeatTheGapsOfThePast) {
  Arrivals past;
  for (Time t : {0, 10, 30}) {
    TraceJob job;
    job.submit = t;
    past.add(job);
  }
  Random random(3);
  Arrivals::Future future(past, random, 1000);
  Time first = future.take().submit, second = future.take().submit;
  EXPECT_EQ(second - first + first - 1000, 30);
}

}  // namespace
}  // namespace grappe::sim
