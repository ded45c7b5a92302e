#include "sched/billing.h"

#include <gtest/gtest.h>

namespace grappe::sched {
namespace {

const TresCounts kJob{
    {"cpu", 4}, {"mem", 8192}, {"node", 2}, {"gres/gpu", 3}, {"gres/gpu:a100", 3}};
const std::vector<TresWeight> kWeights{{"cpu", 1}, {"mem", 0.25 / 1024}, {"gres/gpu", 2}};

TEST(Billing, WithoutWeightsIsTheNumberOfCpus) {
  EXPECT_DOUBLE_EQ(billing(kJob, {}, BillingRule::kSum), 4);
  EXPECT_DOUBLE_EQ(billing(kJob, {}, BillingRule::kGreatest), 4);
  EXPECT_DOUBLE_EQ(billing({}, {}, BillingRule::kSum), 0);
}

TEST(Billing, AddsUpWhatIsWeighted) {
  EXPECT_DOUBLE_EQ(billing(kJob, kWeights, BillingRule::kSum), 4 + 2 + 6);
}

// The example of slurm.conf(5).
TEST(Billing, TakesTheGreatestOfWhatANodeHas) {
  EXPECT_DOUBLE_EQ(billing({{"cpu", 1}, {"mem", 8192}}, kWeights, BillingRule::kGreatest), 2);
  EXPECT_DOUBLE_EQ(billing(kJob, kWeights, BillingRule::kGreatest), 6);
}

TEST(Billing, AddsGenericResourcesToTheGreatestOfTheRest) {
  EXPECT_DOUBLE_EQ(billing(kJob, kWeights, BillingRule::kGreatestOfNodes), 4 + 6);
}

TEST(Billing, AddsLicencesToTheGreatest) {
  const std::vector<TresWeight> weights{{"cpu", 1}, {"license/matlab", 10}};
  EXPECT_DOUBLE_EQ(billing({{"cpu", 2}, {"license/matlab", 1}}, weights, BillingRule::kGreatest),
                   12);
}

TEST(Billing, FollowsTheFlags) {
  PriorityFlags flags;
  EXPECT_EQ(billing_rule(flags), BillingRule::kSum);
  flags.max_tres = true;
  EXPECT_EQ(billing_rule(flags), BillingRule::kGreatest);
  flags.max_tres_gres = true;
  EXPECT_EQ(billing_rule(flags), BillingRule::kGreatestOfNodes);
}

}  // namespace
}  // namespace grappe::sched
