#include "books/change.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/slurm_error.h"

namespace grappe {
namespace {

constexpr int64_t kNow = 1'000'000'000;

class BooksChange : public ::testing::Test {
 protected:
  BooksChange() {
    add_first_records(books, "c", "", {"gres/gpu"}, kNow - 100 * 86400);
    context.role = {"root", v1::ADMIN_ADMINISTRATOR};
    context.now = kNow;
    context.cluster = "c";
    for (const char* name : {"cs", "es"}) account(name, "root");
    account("es.shj", "es");
    user("alice", "cs");
    user("bob", "es.shj");
    user("carol", "es");
  }

  void account(const std::string& name, const std::string& parent) {
    v1::BooksOp& op = *request.add_ops();
    op.mutable_account()->set_name(name);
    associate(name, parent, "");
    must();
  }
  void user(const std::string& name, const std::string& account) {
    request.add_ops()->mutable_user()->set_name(name);
    associate(account, account, name);
    must();
  }
  void associate(const std::string& account, const std::string& parent, const std::string& user) {
    v1::Association& a = *request.add_ops()->mutable_association();
    a.set_cluster("c");
    a.set_account(account);
    a.set_parent(parent);
    a.set_user(user);
  }
  v1::Association found(const std::string& account, const std::string& user) {
    const auto* a = books.association(AssociationKey{"c", account, user, ""});
    return a ? *a : v1::Association{};
  }
  v1::Association& change(const v1::Association& a) {
    v1::Association& op = *request.add_ops()->mutable_association();
    op = a;
    return op;
  }
  v1::Account& change(const v1::Account& a) {
    v1::Account& op = *request.add_ops()->mutable_account();
    op = a;
    return op;
  }
  v1::User& change(const v1::User& u) {
    v1::User& op = *request.add_ops()->mutable_user();
    op = u;
    return op;
  }

  // Of what was asked for; the books change when it can be.
  Status send() {
    auto changed = change_books(books, context, request);
    request.Clear();
    if (!changed) return tl::unexpected(changed.error());
    books = std::move(changed->books);
    transactions = std::move(changed->transactions);
    return {};
  }
  void must() {
    Status done = send();
    ASSERT_TRUE(done) << done.error().message;
  }
  int refused() {
    Status done = send();
    EXPECT_FALSE(done);
    return done ? 0 : done.error().code;
  }
  void as(const std::string& name, v1::AdminLevel level = v1::ADMIN_NONE) {
    context.role = {name, level};
  }
  void make_coordinator(const std::string& name, const std::string& account) {
    change(*books.account(account)).add_coordinators(name);
    must();
  }

  Books books;
  ChangeContext context;
  v1::ChangeBooksRequest request;
  std::vector<v1::Transaction> transactions;
};

TEST_F(BooksChange, AClusterBeginsWithRootAndNormal) {
  EXPECT_EQ(found("root", "").id(), 1u);
  EXPECT_EQ(found("root", "root").id(), 2u);
  EXPECT_EQ(books.qos("normal")->id(), 1u);
  EXPECT_EQ(books.tres().at("gres/gpu")->id(), 1001u);
  EXPECT_EQ(books.user("root")->admin_level(), v1::ADMIN_ADMINISTRATOR);
  EXPECT_FALSE(add_first_records(books, "c", "", {"gres/gpu"}, kNow));
}

TEST_F(BooksChange, TheFirstAssociationOfAUserIsTheDefault) {
  EXPECT_EQ(books.user("alice")->default_account(), "cs");
  associate("es", "es", "alice");
  must();
  EXPECT_EQ(books.user("alice")->default_account(), "cs");
}

TEST_F(BooksChange, IsWholeOrNotAtAll) {
  associate("es", "es", "alice");
  associate("nosuch", "nosuch", "alice");
  EXPECT_EQ(refused(), kErrInvalidAccount);
  EXPECT_EQ(found("es", "alice").id(), 0u);
}

TEST_F(BooksChange, OfARecordThatHasChangedMeanwhileIsRefused) {
  const v1::Association seen = found("cs", "alice");
  change(seen).mutable_limits()->set_max_jobs(3);
  must();
  change(seen).mutable_limits()->set_max_jobs(4);
  Status late = send();
  ASSERT_FALSE(late);
  EXPECT_NE(late.error().message.find("meanwhile"), std::string::npos);
  EXPECT_EQ(found("cs", "alice").limits().max_jobs(), 3u);
}

TEST_F(BooksChange, WhatFollowsFromTheParentsIsNotTakenFromTheRequest) {
  v1::Association& alice = change(books.in_force(found("cs", "alice")));
  alice.add_qos_in_force("short");
  alice.set_priority_in_force(99);
  must();
  const v1::Association after = books.in_force(found("cs", "alice"));
  EXPECT_EQ(after.qos_in_force_size(), 1);
  EXPECT_FALSE(after.has_priority_in_force());
}

TEST_F(BooksChange, ACoordinatorMayLeaveAsItIsWhatOthersHaveSetAbove) {
  v1::Account es = *books.account("es");
  es.add_coordinators("carol");
  change(es);
  change(found("es.shj", "")).set_priority(7);
  must();
  context.role = {"carol", v1::ADMIN_NONE};
  change(found("es.shj", "")).mutable_limits()->set_max_jobs(3);
  EXPECT_TRUE(send());
  change(found("es.shj", "")).set_priority(8);
  EXPECT_FALSE(send());
}

TEST_F(BooksChange, UnknownQosAndResourcesAreRefused) {
  change(found("cs", "alice")).add_qos("+nosuch");
  EXPECT_EQ(refused(), kErrInvalidQos);
  (*change(found("cs", "alice")).mutable_limits()->mutable_max_tres())["gres/tpu"] = 1;
  EXPECT_EQ(refused(), kErrInvalidTres);
  change(found("cs", "alice")).set_default_qos("nosuch");
  EXPECT_EQ(refused(), kErrInvalidQos);
}

TEST_F(BooksChange, AnAccountIsNeverBelowItself) {
  change(found("es", "")).set_parent("es");
  EXPECT_FALSE(send());
}

TEST_F(BooksChange, WhatAnAccountIsPutBelowTakesItsPlace) {
  const std::string above = found("es", "").parent();
  change(found("es", "")).set_parent("es.shj");
  must();
  EXPECT_EQ(found("es.shj", "").parent(), above);
  EXPECT_EQ(found("es", "").parent(), "es.shj");
}

TEST_F(BooksChange, ANewAssociationMayHaveADefaultThatItMayNotUse) {
  request.add_ops()->mutable_qos()->set_name("fast");
  request.add_ops()->mutable_account()->set_name("lab");
  associate("lab", "root", "");
  request.mutable_ops()->rbegin()->mutable_association()->set_default_qos("fast");
  EXPECT_TRUE(send());
}

TEST_F(BooksChange, RemovingAnAccountRemovesAllBelow) {
  v1::BooksOp& op = *request.add_ops();
  op.mutable_account()->set_name("es");
  op.set_remove(true);
  must();
  EXPECT_EQ(books.account("es"), nullptr);
  EXPECT_EQ(found("es.shj", "bob").id(), 0u);
  EXPECT_EQ(books.user("bob")->default_account(), "");
}

TEST_F(BooksChange, WhatHasJobsStays) {
  context.jobs_in_the_way = [](const v1::Association& a) {
    return a.user() == "bob" ? std::vector<std::string>{"JobID = 7"} : std::vector<std::string>{};
  };
  v1::BooksOp& op = *request.add_ops();
  op.mutable_account()->set_name("es");
  op.set_remove(true);
  Status done = send();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, kErrJobsActive);
  EXPECT_EQ(done.error().notes, (std::vector<std::string>{"JobID = 7"}));
  EXPECT_NE(found("es.shj", "bob").id(), 0u);
}

TEST_F(BooksChange, TheDefaultAccountStaysWhileThereAreOthers) {
  associate("es", "es", "alice");
  must();
  v1::BooksOp& op = *request.add_ops();
  *op.mutable_association() = found("cs", "alice");
  op.set_remove(true);
  EXPECT_EQ(refused(), kErrNoRemoveDefaultAccount);
}

TEST_F(BooksChange, WhatWasUsedIsOnlyMarkedAndComesBackWithItsNumber) {
  v1::Association used = found("cs", "alice");
  used.mutable_stamp()->set_used(true);
  books.put(used);
  v1::BooksOp& op = *request.add_ops();
  op.mutable_user()->set_name("alice");
  op.set_remove(true);
  must();
  EXPECT_TRUE(books.association(used.id())->stamp().deleted());
  EXPECT_EQ(books.users().count("alice"), 0u);  // made today, by nobody used
  user("alice", "cs");
  EXPECT_EQ(found("cs", "alice").id(), used.id());
}

TEST_F(BooksChange, ARemovedQosIsGoneFromAllLists) {
  v1::Qos fast;
  fast.set_name("fast");
  *request.add_ops()->mutable_qos() = fast;
  must();
  v1::Association& a = change(found("cs", "alice"));
  a.add_qos("+fast");
  a.set_default_qos("fast");
  must();
  v1::BooksOp& op = *request.add_ops();
  op.mutable_qos()->set_name("fast");
  op.set_remove(true);
  must();
  EXPECT_TRUE(found("cs", "alice").qos().empty());
  EXPECT_EQ(found("cs", "alice").default_qos(), "");
}

TEST_F(BooksChange, IsToldInTheLog) {
  change(found("cs", "alice")).mutable_limits()->set_max_jobs(3);
  must();
  ASSERT_EQ(transactions.size(), 1u);
  EXPECT_EQ(transactions[0].action(), "Modify Associations");
  EXPECT_EQ(transactions[0].actor(), "root");
  EXPECT_EQ(transactions[0].info(), "max_jobs=3");
}

// --- roles

TEST_F(BooksChange, UsersChangeNothingButTheirOwnDefault) {
  associate("es", "es", "alice");
  must();
  as("alice");
  change(found("cs", "alice")).mutable_limits()->set_max_jobs(99);
  EXPECT_EQ(refused(), kErrAccessDenied);
  change(*books.user("alice")).set_admin_level(v1::ADMIN_OPERATOR);
  EXPECT_EQ(refused(), kErrAccessDenied);
  change(*books.user("bob")).set_default_account("es");
  EXPECT_NE(refused(), 0);
  change(*books.user("alice")).set_default_account("es");
  must();
}

TEST_F(BooksChange, NobodyGivesARoleHigherThanHisOwn) {
  as("carol", v1::ADMIN_OPERATOR);
  change(*books.user("alice")).set_admin_level(v1::ADMIN_ADMINISTRATOR);
  EXPECT_EQ(refused(), kErrAccessDenied);
  change(*books.user("root")).set_admin_level(v1::ADMIN_NONE);
  EXPECT_EQ(refused(), kErrAccessDenied);
  v1::BooksOp& op = *request.add_ops();
  op.mutable_user()->set_name("root");
  op.set_remove(true);
  EXPECT_EQ(refused(), kErrAccessDenied);
  change(*books.user("alice")).set_admin_level(v1::ADMIN_OPERATOR);
  must();
}

TEST_F(BooksChange, ACoordinatorRulesBelowHisAccountOnly) {
  make_coordinator("carol", "es");
  as("carol");
  change(found("es.shj", "bob")).mutable_limits()->set_max_jobs(2);
  must();
  change(found("es.shj", "")).mutable_limits()->set_max_jobs(2);
  must();
  change(found("es", "")).mutable_limits()->set_max_jobs(99);
  EXPECT_EQ(refused(), kErrAccessDenied);
  change(found("cs", "alice")).mutable_limits()->set_max_jobs(2);
  EXPECT_EQ(refused(), kErrAccessDenied);
  associate("es", "es", "alice");
  must();
  associate("cs", "cs", "carol");
  EXPECT_EQ(refused(), kErrAccessDenied);
}

TEST_F(BooksChange, ACoordinatorRemovesSubAccountsButNotHisOwn) {
  make_coordinator("carol", "es");
  as("carol");
  auto remove = [&](const char* name) {
    v1::BooksOp& op = *request.add_ops();
    op.mutable_account()->set_name(name);
    op.set_remove(true);
  };
  remove("es");
  EXPECT_EQ(refused(), kErrAccessDenied);
  remove("es.shj");
  must();
}

TEST_F(BooksChange, ACoordinatorCanNotMakeAnOperator) {
  make_coordinator("carol", "es");
  as("carol");
  v1::User& mallory = *request.add_ops()->mutable_user();
  mallory.set_name("mallory");
  mallory.set_admin_level(v1::ADMIN_ADMINISTRATOR);
  associate("es", "es", "mallory");
  EXPECT_EQ(refused(), kErrAccessDenied);
  change(*books.user("bob")).set_admin_level(v1::ADMIN_OPERATOR);
  EXPECT_EQ(refused(), kErrAccessDenied);
  change(*books.user("carol")).set_admin_level(v1::ADMIN_OPERATOR);
  EXPECT_EQ(refused(), kErrAccessDenied);
}

TEST_F(BooksChange, ACoordinatorGivesNoMoreThanTheAccountHas) {
  v1::Qos fast;
  fast.set_name("fast");
  *request.add_ops()->mutable_qos() = fast;
  change(found("es", "")).mutable_limits()->set_max_jobs(5);
  must();
  make_coordinator("carol", "es");
  as("carol");
  change(found("es.shj", "bob")).add_qos("+fast");
  EXPECT_EQ(refused(), kErrAccessDenied);
  change(found("es.shj", "bob")).mutable_limits()->set_max_jobs(6);
  EXPECT_EQ(refused(), kErrAccessDenied);
  change(found("es.shj", "bob")).mutable_limits()->set_max_jobs(5);
  must();
  change(found("es.shj", "")).set_parent("cs");
  EXPECT_EQ(refused(), kErrAccessDenied);
}

TEST_F(BooksChange, OnlyAdministratorsForgetWhatWasUsed) {
  make_coordinator("carol", "es");
  auto reset = [&] {
    change(found("es.shj", "bob"));
    request.mutable_ops()->rbegin()->set_reset_usage(true);
  };
  as("carol");
  reset();
  EXPECT_EQ(refused(), kErrAccessDenied);
  as("carol", v1::ADMIN_OPERATOR);
  reset();
  EXPECT_EQ(refused(), kErrAccessDenied);
  as("carol", v1::ADMIN_ADMINISTRATOR);
  reset();
  must();
  EXPECT_EQ(transactions.back().info(), "raw_usage=0");
}

TEST_F(BooksChange, OperatorsLeaveQosAndClustersToAdministrators) {
  as("carol", v1::ADMIN_OPERATOR);
  request.add_ops()->mutable_qos()->set_name("fast");
  EXPECT_EQ(refused(), kErrAccessDenied);
  request.add_ops()->mutable_cluster()->set_name("other");
  EXPECT_EQ(refused(), kErrAccessDenied);
  account("physics", "root");
}

}  // namespace
}  // namespace grappe
