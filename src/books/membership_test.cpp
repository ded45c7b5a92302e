#include "books/membership.h"

#include <gtest/gtest.h>

#include "books/change.h"
#include "model/slurm_error.h"

namespace grappe {
namespace {

class MembershipTest : public ::testing::Test {
 protected:
  MembershipTest() {
    add_first_records(books, "c", "", {}, 1000);
    v1::ChangeBooksRequest request;
    request.add_ops()->mutable_qos()->set_name("short");
    for (const char* name : {"cs", "es"}) {
      request.add_ops()->mutable_account()->set_name(name);
      associate(request, name, "root", "", "");
    }
    request.add_ops()->mutable_user()->set_name("alice");
    associate(request, "cs", "cs", "alice", "");
    associate(request, "es", "es", "alice", "gpu").add_qos("short");
    ChangeContext context{{"root", v1::ADMIN_ADMINISTRATOR}, 2000, "c", {}};
    books = change_books(books, context, request).value().books;
  }

  static v1::Association& associate(v1::ChangeBooksRequest& request, const std::string& account,
                                    const std::string& parent, const std::string& user,
                                    const std::string& partition) {
    v1::Association& a = *request.add_ops()->mutable_association();
    a.set_cluster("c");
    a.set_account(account);
    a.set_parent(parent);
    a.set_user(user);
    a.set_partition(partition);
    return a;
  }
  Result<Membership> find(MembershipWish wish) { return membership(books, rules, "c", wish); }

  Books books;
  AccountingConfig rules;
};

TEST_F(MembershipTest, IsTheDefaultAccountWithTheNormalQos) {
  auto found = find({.user = "alice", .partition = "batch"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->account, "cs");
  EXPECT_EQ(found->qos, "normal");
  EXPECT_NE(found->assoc_id, 0u);
}

TEST_F(MembershipTest, AnAssociationOfThePartitionCountsThereOnly) {
  rules.enforce.associations = true;
  auto there = find({.user = "alice", .account = "es", .partition = "gpu"});
  ASSERT_TRUE(there);
  EXPECT_EQ(there->qos, "short");
  auto elsewhere = find({.user = "alice", .account = "es", .partition = "batch"});
  ASSERT_FALSE(elsewhere);
  EXPECT_EQ(elsewhere.error().code, kErrInvalidAccount);
}

TEST_F(MembershipTest, WhoIsNotInTheBooksMaySubmitUnlessTheyAreEnforced) {
  auto free = find({.user = "bob", .partition = "batch"});
  ASSERT_TRUE(free);
  EXPECT_EQ(free->assoc_id, 0u);
  EXPECT_EQ(free->account, "");
  rules.enforce.associations = true;
  EXPECT_FALSE(find({.user = "bob", .partition = "batch"}));
  EXPECT_FALSE(find({.user = "alice", .account = "nosuch", .partition = "batch"}));
}

TEST_F(MembershipTest, AnAccountThatIsNotHisBecomesTheDefault) {
  EXPECT_EQ(find({.user = "alice", .account = "nosuch", .partition = "batch"})->account, "cs");
  EXPECT_EQ(find({.user = "bob", .account = "nosuch", .partition = "batch"})->account, "nosuch");
}

TEST_F(MembershipTest, AQosThatIsNotEnforcedIsTakenAsItIs) {
  EXPECT_EQ(find({.user = "alice", .partition = "batch", .qos = "short"})->qos, "short");
  EXPECT_EQ(find({.user = "alice", .partition = "batch", .qos = "nosuch"})->qos, "");
}

TEST_F(MembershipTest, AQosMustBeThereAndBeAllowed) {
  rules.enforce.qos = true;
  EXPECT_FALSE(find({.user = "alice", .partition = "batch", .qos = "nosuch"}));
  EXPECT_FALSE(find({.user = "alice", .partition = "batch", .qos = "short"}));
  auto allowed = find({.user = "alice", .account = "es", .partition = "gpu", .qos = "short"});
  ASSERT_TRUE(allowed);
  EXPECT_EQ(allowed->qos, "short");
}

TEST_F(MembershipTest, NamesAreWithoutCase) {
  auto found = find({.user = "alice", .account = "CS", .partition = "batch"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->account, "cs");
}

TEST_F(MembershipTest, WckeysAreTrackedOnRequest) {
  EXPECT_EQ(find({.user = "alice", .partition = "batch", .wckey = "x"})->wckey, "x");
  rules.track_wckey = true;
  EXPECT_EQ(find({.user = "alice", .partition = "batch"})->wckey, "*");
  rules.enforce.wckeys = true;
  auto refused = find({.user = "alice", .partition = "batch", .wckey = "x"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, kErrInvalidWckey);
}

}  // namespace
}  // namespace grappe
