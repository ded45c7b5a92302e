#include "books/books.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

v1::Association association(uint32_t id, std::string account, std::string parent,
                            std::string user = "") {
  v1::Association a;
  a.set_id(id);
  a.set_cluster("c");
  a.set_account(std::move(account));
  a.set_parent(std::move(parent));
  a.set_user(std::move(user));
  return a;
}

class BooksTest : public ::testing::Test {
 protected:
  BooksTest() {
    v1::Association root = association(1, "root", "");
    root.add_qos("normal");
    root.mutable_limits()->set_max_jobs(10);
    (*root.mutable_limits()->mutable_max_tres())["cpu"] = 8;
    (*root.mutable_limits()->mutable_grp_tres())["cpu"] = 100;
    books.put(root);
    books.put(association(2, "root", "root", "root"));
    v1::Association es = association(3, "es", "root");
    es.add_qos("+short");
    es.mutable_limits()->set_max_jobs(5);
    books.put(es);
    v1::Association shj = association(4, "es.shj", "es");
    shj.set_default_qos("short");
    (*shj.mutable_limits()->mutable_max_tres())["gres/gpu"] = 2;
    books.put(shj);
    v1::Association bob = association(5, "es.shj", "es.shj", "bob");
    bob.add_qos("-normal");
    books.put(bob);
    books.put(association(6, "es.shj", "es.shj", "alice"));
  }

  std::vector<uint32_t> tree() const {
    std::vector<uint32_t> ids;
    for (const v1::Association* a : books.tree("c")) ids.push_back(a->id());
    return ids;
  }
  v1::Association in_force(uint32_t id) const { return books.in_force(*books.association(id)); }

  Books books;
};

TEST_F(BooksTest, TheTreeHasWhatIsNewInFrontOfItsSiblings) {
  EXPECT_EQ(tree(), (std::vector<uint32_t>{1, 3, 4, 6, 5, 2}));
}

TEST_F(BooksTest, AMaximumIsTheNearestOneUpwards) {
  EXPECT_EQ(in_force(5).in_force().max_jobs(), 5u);
  EXPECT_EQ(in_force(2).in_force().max_jobs(), 10u);
}

TEST_F(BooksTest, AmountsAreInheritedOneByOne) {
  const v1::Limits limits = in_force(6).in_force();
  EXPECT_EQ(limits.max_tres().at("cpu"), 8u);
  EXPECT_EQ(limits.max_tres().at("gres/gpu"), 2u);
}

TEST_F(BooksTest, GroupLimitsStayWhereTheyAre) {
  EXPECT_TRUE(in_force(6).in_force().grp_tres().empty());
}

TEST_F(BooksTest, QosListsAddToAndTakeFromThoseOfTheParents) {
  EXPECT_EQ(books.qos_in_force(*books.association(6)),
            (std::vector<std::string>{"normal", "short"}));
  EXPECT_EQ(books.qos_in_force(*books.association(5)), (std::vector<std::string>{"short"}));
  v1::Association only = *books.association(5);
  only.clear_qos();
  only.add_qos("long");
  EXPECT_EQ(books.qos_in_force(only), (std::vector<std::string>{"long"}));
}

TEST_F(BooksTest, TheDefaultQosComesFromTheNearestThatHasOne) {
  EXPECT_EQ(in_force(5).default_qos_in_force(), "short");
  EXPECT_EQ(in_force(2).default_qos_in_force(), "");
}

TEST_F(BooksTest, AnAccountMovesWithAllBelowIt) {
  books.put(association(7, "cs", "root"));
  v1::Association moved = *books.association(4);
  moved.set_parent("cs");
  books.put(moved);
  EXPECT_TRUE(books.is_under(*books.association(5), "cs"));
  EXPECT_FALSE(books.is_under(*books.association(5), "es"));
  EXPECT_EQ(tree(), (std::vector<uint32_t>{1, 7, 4, 6, 5, 3, 2}));
}

TEST_F(BooksTest, ADeletedAssociationIsFoundByItsNumberOnly) {
  v1::Association gone = *books.association(5);
  gone.mutable_stamp()->set_deleted(true);
  const AssociationKey key = association_key(gone);
  books.put(gone);
  EXPECT_EQ(books.association(key), nullptr);
  EXPECT_EQ(books.ever(key)->id(), 5u);
  EXPECT_NE(books.association(5), nullptr);
  EXPECT_EQ(tree(), (std::vector<uint32_t>{1, 3, 4, 6, 2}));
}

TEST_F(BooksTest, WhatIsWrittenIsReadBackTheSame) {
  v1::User alice;
  alice.set_name("alice");
  alice.set_default_account("es.shj");
  books.put(alice);
  Books again;
  for (const BookEntry& entry : books.take_changes()) EXPECT_TRUE(again.restore(entry));
  EXPECT_EQ(again.user("alice")->default_account(), "es.shj");
  EXPECT_EQ(again.tree("c").size(), 6u);
  EXPECT_TRUE(again.in_force(*again.association(6)).is_default());
  EXPECT_TRUE(again.take_changes().empty());
}

}  // namespace
}  // namespace grappe
