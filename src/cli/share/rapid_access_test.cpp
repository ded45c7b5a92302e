#include "cli/share/rapid_access.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

// The account cs with 90 shares, of which alice has an association; GPUs are tracked.
v1::BooksResponse books_of_a_site() {
  v1::BooksResponse books;
  books.set_cluster("box");
  books.add_accounts()->set_name("root");
  books.add_accounts()->set_name("cs");
  books.add_users()->set_name("root");
  books.add_users()->set_name("alice");
  auto add = [&](const char* account, const char* user, const char* parent, uint32_t shares) {
    v1::Association& at = *books.add_associations();
    at.set_cluster("box");
    at.set_account(account);
    at.set_user(user);
    at.set_parent(parent);
    at.set_shares(shares);
  };
  add("root", "", "", 1);
  add("cs", "", "root", 90);
  add("cs", "alice", "cs", 1);
  v1::Tres& gpu = *books.add_tres();
  gpu.set_type("gres");
  gpu.set_name("gpu");
  return books;
}

RapidAccessWish for_users(std::vector<std::string> users) {
  RapidAccessWish wish;
  wish.users = std::move(users);
  return wish;
}

const v1::Association* made(const RapidAccessPlan& plan, const std::string& user) {
  for (const v1::BooksOp& op : plan.change.ops()) {
    if (op.has_association() && op.association().user() == user) return &op.association();
  }
  return nullptr;
}

TEST(RapidAccess, GivesThePoolATenthOfTheMachine) {
  const auto plan = plan_rapid_access(books_of_a_site(), for_users({"alice"}));
  ASSERT_TRUE(plan);
  const v1::Association* pool = made(*plan, "");
  ASSERT_TRUE(pool);
  EXPECT_EQ(pool->account(), "rapid");
  EXPECT_EQ(pool->parent(), "root");
  EXPECT_EQ(pool->shares(), 10u);
}

TEST(RapidAccess, LimitsEachUser) {
  const auto plan = plan_rapid_access(books_of_a_site(), for_users({"alice", "bob"}));
  ASSERT_TRUE(plan);
  for (const char* user : {"alice", "bob"}) {
    const v1::Association* place = made(*plan, user);
    ASSERT_TRUE(place) << user;
    EXPECT_EQ(place->limits().grp_tres_mins().at("cpu"), 50u * 525600);
    EXPECT_EQ(place->limits().grp_tres_mins().at("gres/gpu"), 10u * 525600);
  }
}

TEST(RapidAccess, MakesUsersThatAreNotThere) {
  const auto plan = plan_rapid_access(books_of_a_site(), for_users({"alice", "bob"}));
  int users = 0;
  for (const v1::BooksOp& op : plan->change.ops()) {
    if (!op.has_user()) continue;
    ++users;
    EXPECT_EQ(op.user().name(), "bob");
    EXPECT_EQ(op.user().default_account(), "rapid");
  }
  EXPECT_EQ(users, 1);
}

TEST(RapidAccess, ChangesNothingTheSecondTime) {
  v1::BooksResponse books = books_of_a_site();
  const auto first = plan_rapid_access(books, for_users({"alice"}));
  for (const v1::BooksOp& op : first->change.ops()) {
    if (op.has_account()) *books.add_accounts() = op.account();
    if (op.has_user()) *books.add_users() = op.user();
    if (op.has_association()) *books.add_associations() = op.association();
  }
  const auto second = plan_rapid_access(books, for_users({"alice"}));
  EXPECT_EQ(second->change.ops_size(), 0);
}

TEST(RapidAccess, TakesEverybodyButRoot) {
  RapidAccessWish wish;
  wish.all_users = true;
  const auto plan = plan_rapid_access(books_of_a_site(), wish);
  EXPECT_TRUE(made(*plan, "alice"));
  EXPECT_FALSE(made(*plan, "root"));
}

TEST(RapidAccess, RefusesWhatCanNotBe) {
  RapidAccessWish wish;
  wish.percent = 100;
  EXPECT_FALSE(plan_rapid_access(books_of_a_site(), wish));
  wish = {};
  wish.account = "root";
  EXPECT_FALSE(plan_rapid_access(books_of_a_site(), wish));
  wish = {};
  wish.cpu_years = -1;
  EXPECT_FALSE(plan_rapid_access(books_of_a_site(), wish));
}

}  // namespace
}  // namespace grappe
