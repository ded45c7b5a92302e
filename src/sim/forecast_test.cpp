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

TEST(ForecastInAWorld, AJobStartsWhenTheOneBeforeItUsuallyEnds) {
  World world({*parse_machine("10"), sched::default_policy()});
  for (uint64_t i = 0; i < 20; ++i) {
    world.submit(wish(1000 + i, 10, 100, 1000));
    world.schedule();
    world.advance(world.now() + 1000);
  }
  world.submit(wish(1, 10, 777, 1000));
  world.schedule();
  world.submit(wish(2, 10, 777, 1000));
  world.schedule();
  ASSERT_EQ(world.waiting().size(), 1u);
  const auto when = forecast(world, sched::Arrivals(), 2, {});
  ASSERT_TRUE(when);
  EXPECT_EQ(when->median, 100);  // what the job really needs is not known
  EXPECT_EQ(when->bound, 100);
}

TEST(ForecastInAWorld, TheSameSeedGivesTheSameForecast) {
  Machine machine = *parse_machine("2x16");
  GeneratorOptions many;
  many.jobs = 300;
  many.load = 4;
  auto workload = generated(many, machine);
  Trial trial{machine, sched::default_policy()};
  ForecastScore first = score_forecasts(trial, *workload->jobs(), 10, {10, 1, {}});
  ForecastScore second = score_forecasts(trial, *workload->jobs(), 10, {10, 1, {}});
  EXPECT_GT(first.jobs, 5u);
  EXPECT_EQ(first.mean_error, second.mean_error);
  EXPECT_EQ(first.covered, second.covered);
}

}  // namespace
}  // namespace grappe::sim
