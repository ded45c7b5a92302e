#include "sched/priority.h"

#include <gtest/gtest.h>

namespace grappe::sched {
namespace {

constexpr int64_t kNow = 1'800'000'000;

// The weights of a small site; one of 4 nodes with 32 CPUs.
PriorityConfig weights() {
  PriorityConfig config;
  config.weight_age = 1000;
  config.weight_assoc = 10;
  config.weight_fair_share = 10000;
  config.weight_job_size = 100;
  config.weight_partition = 1000;
  config.weight_qos = 5000;
  return config;
}

const PriorityScale kScale{.assoc = 50, .qos = 100, .partition = 4, .nodes = 4, .cpus = 32};

PriorityFacts facts() {
  PriorityFacts f;
  f.now = kNow;
  f.submit_time = f.accrue_time = kNow;
  f.fair_share = 0.2;
  f.assoc_priority = 5;
  f.qos_priority = 10;
  f.partition_factor = 4;
  f.nodes = 4;
  f.cpus = 4;
  f.time_limit_min = 10;
  return f;
}

WeightedFactors weighed(const PriorityFacts& f, const PriorityConfig& config = weights()) {
  return weigh(config, kScale, f);
}

// As a real Slurm's sprio shows them.
TEST(Priority, IsTheSumOfWeightedFactors) {
  const WeightedFactors f = weighed(facts());
  EXPECT_DOUBLE_EQ(f.age, 0);
  EXPECT_DOUBLE_EQ(f.assoc, 1);
  EXPECT_DOUBLE_EQ(f.fair_share, 2000);
  EXPECT_DOUBLE_EQ(f.job_size, 56.25);
  EXPECT_DOUBLE_EQ(f.partition, 1000);
  EXPECT_DOUBLE_EQ(f.qos, 500);
  EXPECT_EQ(priority_of(f), 3557u);
}

TEST(Priority, GrowsWithAgeUpToTheGreatest) {
  PriorityFacts f = facts();
  f.accrue_time = kNow - 7 * 24 * 3600 / 4;
  EXPECT_DOUBLE_EQ(weighed(f).age, 250);
  f.accrue_time = kNow - 30 * 24 * 3600;
  EXPECT_DOUBLE_EQ(weighed(f).age, 1000);
}

TEST(Priority, DoesNotGrowWhileAJobMayNotRunUnlessAsked) {
  PriorityFacts f = facts();
  f.submit_time = kNow - 7 * 24 * 3600 / 2;
  f.accrue_time = 0;
  EXPECT_EQ(weighed(f).age, 0);
  PriorityConfig always = weights();
  always.flags.accrue_always = true;
  EXPECT_DOUBLE_EQ(weighed(f, always).age, 500);
}

TEST(Priority, MayFavourSmallJobs) {
  PriorityConfig config = weights();
  config.favor_small = true;
  EXPECT_DOUBLE_EQ(weighed(facts(), config).job_size, 43.75);
  config.flags.small_relative_to_time = true;
  EXPECT_DOUBLE_EQ(weighed(facts(), config).job_size, 90);
  config.favor_small = false;
  EXPECT_DOUBLE_EQ(weighed(facts(), config).job_size, 10);
}

TEST(Priority, NeedNotBeNormalized) {
  PriorityConfig config = weights();
  config.flags.no_normal_assoc = config.flags.no_normal_qos = config.flags.no_normal_part = true;
  const WeightedFactors f = weighed(facts(), config);
  EXPECT_DOUBLE_EQ(f.assoc, 50);
  EXPECT_DOUBLE_EQ(f.qos, 50000);
  EXPECT_DOUBLE_EQ(f.partition, 4000);
}

TEST(Priority, WeighsTresAgainstThePartition) {
  PriorityConfig config = weights();
  config.weight_tres = {{"cpu", 1000}, {"gres/gpu", -300}, {"mem", 7}};
  PriorityFacts f = facts();
  f.tres = {{4, 32}, {2, 8}, {100, 0}};
  EXPECT_EQ(weighed(f, config).tres, (std::vector<double>{125, -75, 0}));
  config.flags.no_normal_tres = true;
  EXPECT_EQ(weighed(f, config).tres, (std::vector<double>{4000, -600, 700}));
}

TEST(Priority, IsLoweredByNiceButNeverToThatOfAHeldJob) {
  PriorityFacts f = facts();
  f.nice = 557;
  EXPECT_EQ(priority_of(weighed(f)), 3000u);
  f.nice = 100000;
  EXPECT_EQ(priority_of(weighed(f)), 1u);
  f.nice = -1000000000000;
  EXPECT_EQ(priority_of(weighed(f)), UINT32_MAX);
}

TEST(Priority, TakesTheSitesWordIntoAccount) {
  PriorityFacts f = facts();
  f.site = -557;
  EXPECT_EQ(priority_of(weighed(f)), 3000u);
}

TEST(Priority, OfAClusterWithoutPrioritiesIsNothing) {
  const WeightedFactors f = weigh(weights(), {}, facts());
  EXPECT_EQ(f.assoc, 0);
  EXPECT_EQ(f.qos, 0);
  EXPECT_EQ(f.partition, 0);
  EXPECT_EQ(f.job_size, 0);
}

}  // namespace
}  // namespace grappe::sched
