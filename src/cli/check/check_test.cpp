#include <gtest/gtest.h>

#include "base/duration.h"
#include "cli/check/policy.h"

namespace grappe {
namespace {

// A site with nothing to find.
SitePolicy sound() {
  SitePolicy p;
  p.config = {{"PriorityType", "priority/multifactor"},
              {"PriorityWeightFairShare", "100000"},
              {"PriorityWeightTRES", "(null)"},
              {"PriorityDecayHalfLife", "7-00:00:00"},
              {"PriorityUsageResetPeriod", "NONE"},
              {"AccountingStorageEnforce", "associations,limits,qos"},
              {"SelectTypeParameters", "CR_CORE_MEMORY"},
              {"DefMemPerCPU", "1000"},
              {"PreemptType", "preempt/none"}};
  v1::PartitionInfo& partition = *p.partitions.add_partitions();
  partition.set_name("batch");
  partition.set_max_time(10080);
  partition.set_default_time(60);
  partition.set_allow_accounts("ALL");
  partition.set_allow_qos("ALL");
  p.nodes.add_nodes()->set_cfg_tres("cpu=8,mem=32000M,gres/gpu=4");
  p.books.add_qos()->set_name("normal");
  v1::Association& user = *p.books.add_associations();
  user.set_account("cs");
  user.set_user("alice");
  user.add_qos_in_force("normal");
  return p;
}

std::string only_finding(const SitePolicy& p) {
  const auto found = check_policy(p);
  EXPECT_EQ(found.size(), 1u);
  return found.empty() ? "" : found[0].what;
}

TEST(PolicyCheck, FindsNothingWhereAllIsWell) {
  EXPECT_TRUE(check_policy(sound()).empty());
}

TEST(PolicyCheck, AWeightTooSmallForTheTree) {
  SitePolicy p = sound();
  p.config["PriorityWeightFairShare"] = "1";
  EXPECT_TRUE(only_finding(p).starts_with("PriorityWeightFairShare=1 can't tell 1 users apart"));
}

TEST(PolicyCheck, NoWeightAtAll) {
  SitePolicy p = sound();
  p.config["PriorityWeightFairShare"] = "0";
  EXPECT_NE(only_finding(p).find("every weight is 0"), std::string::npos);
}

TEST(PolicyCheck, SharesThatNobodyLooksAt) {
  SitePolicy p = sound();
  p.config["PriorityType"] = "priority/basic";
  p.books.mutable_associations(0)->set_shares(50);
  EXPECT_NE(only_finding(p).find("fair share has no weight"), std::string::npos);
}

TEST(PolicyCheck, LimitsThatAreNotEnforced) {
  SitePolicy p = sound();
  p.config["AccountingStorageEnforce"] = "associations";
  p.books.mutable_qos(0)->mutable_limits()->set_grp_jobs(3);
  EXPECT_NE(only_finding(p).find("not enforced"), std::string::npos);
}

TEST(PolicyCheck, AQosNobodyCanReach) {
  SitePolicy p = sound();
  p.books.add_qos()->set_name("lost");
  EXPECT_EQ(only_finding(p), "No user may use QoS lost.");
}

TEST(PolicyCheck, APartitionNobodyCanUse) {
  SitePolicy p = sound();
  p.partitions.mutable_partitions(0)->set_allow_accounts("physics");
  EXPECT_NE(only_finding(p).find("AllowAccounts=physics"), std::string::npos);
}

TEST(PolicyCheck, DefaultMemoryOfAWholeNode) {
  SitePolicy p = sound();
  p.config["DefMemPerCPU"] = "UNLIMITED";
  EXPECT_NE(only_finding(p).find("whole node"), std::string::npos);
}

TEST(PolicyCheck, JobsThatMayRunForEver) {
  SitePolicy p = sound();
  p.partitions.mutable_partitions(0)->set_max_time(kInfinite);
  p.partitions.mutable_partitions(0)->set_default_time(kNoValue);
  EXPECT_NE(only_finding(p).find("for ever"), std::string::npos);
}

TEST(PolicyCheck, ALimitThatForbidsEverything) {
  SitePolicy p = sound();
  (*p.books.mutable_qos(0)->mutable_limits()->mutable_max_tres_per_user())["cpu"] = 0;
  EXPECT_EQ(only_finding(p), "QoS normal has MaxTRESPerUser=cpu=0: no job of it can ever start.");
}

TEST(PolicyCheck, AMinimumThatTheMachineDoesNotHave) {
  SitePolicy p = sound();
  (*p.books.mutable_qos(0)->mutable_limits()->mutable_min_tres())["gres/gpu"] = 5;
  EXPECT_NE(only_finding(p).find("the machine has 4"), std::string::npos);
}

TEST(PolicyCheck, PreemptionWithoutItsType) {
  SitePolicy p = sound();
  p.books.mutable_qos(0)->add_preempt("low");
  EXPECT_NE(only_finding(p).find("PreemptType"), std::string::npos);
}

TEST(PolicyCheck, UseThatIsNeverForgotten) {
  SitePolicy p = sound();
  p.config["PriorityDecayHalfLife"] = "00:00:00";
  EXPECT_NE(only_finding(p).find("years ago"), std::string::npos);
}

}  // namespace
}  // namespace grappe
