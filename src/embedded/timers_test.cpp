#include "embedded/timers.h"

#include "embedded/testing/engine_fixture.h"

namespace grappe::embedded {
namespace {

using TimersTest = EngineTest;

TEST_F(TimersTest, AnIdleServiceSleeps) {
  settle();
  EXPECT_EQ(on_tick(core()), (now + 30) * 1000);
}

TEST_F(TimersTest, WakesEarlierWhereEndedJobsAreForgottenEarlier) {
  settle();
  cluster().config.limits.min_job_age_s = 10;
  EXPECT_EQ(on_tick(core()), (now + 10) * 1000);
}

TEST_F(TimersTest, WakesForTheEndOfAJobsLimit) {
  must_submit(alice, job().minutes(1));
  const int64_t end = now + 60;
  advance(50);
  EXPECT_EQ(on_tick(core()), end * 1000);
}

}  // namespace
}  // namespace grappe::embedded
