#include "cli/share/share_report.h"

#include <gtest/gtest.h>

#include <limits>

namespace grappe {
namespace {

v1::ShareInfo& add(v1::SharesResponse& to, uint32_t depth, const std::string& account,
                   const std::string& user, uint32_t shares, double norm_shares, double used) {
  v1::ShareInfo& out = *to.add_shares();
  out.set_depth(depth);
  out.set_account(account);
  out.set_user(user);
  out.set_shares(shares);
  out.set_norm_shares(norm_shares);
  out.set_norm_usage(used);
  out.set_level_fs(used > 0 ? norm_shares / used : std::numeric_limits<double>::infinity());
  return out;
}

v1::SharesResponse two_accounts() {
  v1::SharesResponse out;
  out.set_cluster("box");
  out.set_users(3);
  out.set_half_life_s(7 * 86400);
  out.set_multifactor(true);
  out.set_weight_fair_share(1000);
  add(out, 0, "root", "", 1, 1, 1);
  add(out, 1, "cs", "", 3, 0.75, 0.2);
  add(out, 2, "cs", "alice", 1, 0.5, 0.2).set_fair_share(2.0 / 3);
  add(out, 2, "cs", "carol", 1, 0.5, 0).set_fair_share(1);
  add(out, 1, "es", "", 1, 0.25, 0.8);
  add(out, 2, "es", "bob", 1, 1, 0.8).set_fair_share(1.0 / 3);
  return out;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ShareReport, SaysOnesPlaceInWords) {
  const std::string text = share_text(two_accounts(), "alice", false);
  EXPECT_TRUE(has(text, "alice in cs: entitled to 37.5 %, used 20.0 %")) << text;
  EXPECT_TRUE(has(text, "1 of 3 users go before")) << text;
  EXPECT_TRUE(has(text, "half after 7 days")) << text;
  EXPECT_FALSE(has(text, "bob")) << text;
}

TEST(ShareReport, DrawsWhatWasUsedAgainstTheEntitlement) {
  const std::string text = share_text(two_accounts(), "alice", true);
  EXPECT_TRUE(has(text,
                  "cs                          75.0 %    20.0 %  ####           |         3.75  "
                  "under its share"))
      << text;
  EXPECT_TRUE(has(text,
                  "es                          25.0 %    80.0 %  #####|##########         0.31  "
                  "over its share"))
      << text;
  EXPECT_TRUE(has(text, "  carol                     37.5 %     0.0 %")) << text;
  EXPECT_TRUE(has(text, "has used nothing")) << text;
}

TEST(ShareReport, OneHalfIsNeutralWithTheClassicRule) {
  v1::SharesResponse answer = two_accounts();
  answer.set_rule(v1::SharesResponse::CLASSIC);
  v1::ShareInfo share;
  share.set_shares(1);
  share.set_fair_share(0.5);
  EXPECT_EQ(share_words(share, answer.rule()), "at its share");
  share.set_fair_share(0.03);
  EXPECT_EQ(share_words(share, answer.rule()), "over its share");
  EXPECT_TRUE(has(share_text(answer, "alice", false), "0.5 is neutral"));
}

TEST(ShareReport, TellsWhoHasNoAccount) {
  EXPECT_TRUE(has(share_text(two_accounts(), "eve", false), "eve is in no account"));
}

TEST(ShareReport, SaysWhenItDecidesNothing) {
  v1::SharesResponse answer = two_accounts();
  answer.set_multifactor(false);
  EXPECT_TRUE(has(share_text(answer, "alice", false), "does not decide"));
}

TEST(ShareReport, IsDataToo) {
  const std::string json = share_json(two_accounts(), "alice");
  EXPECT_TRUE(has(json, "\"rule\": \"fair_tree\"")) << json;
  EXPECT_TRUE(has(json, "\"level_fs\": null")) << json;
}

}  // namespace
}  // namespace grappe
