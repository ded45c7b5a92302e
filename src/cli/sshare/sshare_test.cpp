#include "cli/sshare/sshare.h"

#include <gtest/gtest.h>

#include <limits>

namespace grappe {
namespace {

std::string value(std::string_view name, const v1::ShareInfo& share,
                  const v1::SharesResponse& answer, uint32_t top = 0) {
  for (const SshareField& field : sshare_fields()) {
    if (field.name == name) return field.value(share, SshareContext{answer, top, true});
  }
  return "no such field";
}

v1::ShareInfo user(double level_fs) {
  v1::ShareInfo share;
  share.set_depth(2);
  share.set_account("cs");
  share.set_user("alice");
  share.set_shares(10);
  share.set_norm_shares(0.5);
  share.set_fair_share(0.25);
  share.set_level_fs(level_fs);
  share.set_raw_usage(576174.06);
  return share;
}

TEST(Sshare, HasAllFieldsOfSlurm) {
  EXPECT_EQ(sshare_fields().size(), 15u);
}

TEST(Sshare, ShowsAUserBelowItsAccount) {
  const v1::SharesResponse answer;
  EXPECT_EQ(value("Account", user(1), answer), "  cs");
  EXPECT_EQ(value("Account", user(1), answer, 1), " cs");
  EXPECT_EQ(value("RawUsage", user(1), answer), "576174");
  EXPECT_EQ(value("FairShare", user(1), answer), "0.250000");
  EXPECT_EQ(value("LevelFS", user(0.549451), answer), "0.549451");
  EXPECT_EQ(value("LevelFS", user(std::numeric_limits<double>::infinity()), answer), "inf");
}

TEST(Sshare, OfAnAccountHasAFairShareWithTheClassicRuleOnly) {
  v1::SharesResponse answer;
  v1::ShareInfo account = user(1);
  account.clear_user();
  EXPECT_EQ(value("FairShare", account, answer), "");
  answer.set_rule(v1::SharesResponse::CLASSIC);
  EXPECT_EQ(value("FairShare", account, answer), "0.250000");
}

TEST(Sshare, OfTheRootIsMostlyEmpty) {
  const v1::SharesResponse answer;
  v1::ShareInfo root;
  root.set_account("root");
  root.set_effective_usage(1);
  EXPECT_EQ(value("RawShares", root, answer), "");
  EXPECT_EQ(value("NormShares", root, answer), "0.000000");
  EXPECT_EQ(value("NormUsage", root, answer), "");
  EXPECT_EQ(value("EffectvUsage", root, answer), "1.000000");
  EXPECT_EQ(value("LevelFS", root, answer), "");
}

TEST(Sshare, SharesOfTheParentHaveNoLevel) {
  v1::ShareInfo share = user(std::numeric_limits<double>::infinity());
  share.set_shares(0x7fffffff);
  EXPECT_EQ(value("RawShares", share, {}), "parent");
  EXPECT_EQ(value("LevelFS", share, {}), "");
}

TEST(Sshare, ListsTresByMinutes) {
  v1::SharesResponse answer;
  for (const char* name : {"cpu", "mem", "gres/gpu"}) answer.add_tres(name);
  v1::ShareInfo share = user(1);
  for (double seconds : {288.0, 147456.0, 144.0}) share.add_tres_raw(seconds);
  (*share.mutable_grp_tres_mins())["gres/gpu"] = 7;
  (*share.mutable_grp_tres_mins())["cpu"] = 100;
  EXPECT_EQ(value("GrpTRESRaw", share, answer), "cpu=4,mem=2457,gres/gpu=2");
  EXPECT_EQ(value("GrpTRESMins", share, answer), "cpu=100,gres/gpu=7");
}

}  // namespace
}  // namespace grappe
