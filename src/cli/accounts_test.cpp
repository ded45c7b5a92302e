#include "cli/accounts.h"

#include <grp.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

namespace grappe {
namespace {

TEST(Accounts, FindsAnAccountByNameAndByNumber) {
  auto root = find_account("root");
  ASSERT_TRUE(root);
  EXPECT_EQ(root->uid, 0u);
  EXPECT_EQ(root->home, "/root");
  EXPECT_EQ(find_account(uid_t{0})->name, "root");
}

TEST(Accounts, KnowsWhoIsNotThere) {
  EXPECT_FALSE(find_account("no-such-user-here"));
  EXPECT_FALSE(find_account(""));
  EXPECT_FALSE(find_account("-h"));
  EXPECT_FALSE(find_account(uid_t{3999999999}));
  EXPECT_FALSE(find_group("no-such-group-here"));
}

TEST(Accounts, TakesANumberForNoName) {
  EXPECT_FALSE(find_account("0"));
}

TEST(Accounts, FindsAGroup) {
  EXPECT_EQ(find_group("root"), gid_t{0});
}

TEST(Accounts, GivesTheGroupsThatInitgroupsWould) {
  const Account daemon = find_account("daemon").value();
  std::vector<gid_t> ours = groups_of(daemon);
  gid_t theirs[64];
  int count = 64;
  ASSERT_GE(getgrouplist("daemon", daemon.gid, theirs, &count), 0);
  EXPECT_EQ(ours.front(), daemon.gid);
  EXPECT_TRUE(std::is_permutation(ours.begin(), ours.end(), theirs, theirs + count));
}

}  // namespace
}  // namespace grappe
