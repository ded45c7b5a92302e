// Associations as lists show them and as conditions choose them.
#pragma once

#include <string>
#include <vector>

#include "cli/sacctmgr/fields.h"
#include "cli/sacctmgr/session.h"
#include "cli/sacctmgr/words.h"

namespace grappe::sacctmgr {

// "where ..." of everything that is made of associations.
struct AssociationCondition {
  Names accounts, clusters, users, partitions, parents, qos, default_qos, ids;
  bool deleted = false;
  bool raw_qos = false;
  bool sub_accounts = false;
  bool without_parent_info = false;
  bool without_parent_limits = false;
  bool only_defaults = false;

  // Is there anything that leaves associations out?
  bool chooses() const;
};

// True: the word was a condition. Flags ("WithDeleted") among them.
bool set_association_condition(AssociationCondition& condition, const Word& word);
// The conditions that stand for associations only, without names of accounts, users and clusters.
bool set_association_flag(AssociationCondition& condition, const Word& word);

bool matches(const AssociationCondition& condition, const v1::Association& association,
             const v1::BooksResponse& books);

// Parents before their children: the users by name, then the accounts. Those without any parents
// stay in the order of the books, the users first.
std::vector<const v1::Association*> in_tree_order(
    const std::vector<const v1::Association*>& associations);

// How much of an association a list tells.
struct AssociationView {
  const v1::BooksResponse& books;
  bool raw_qos = false;
  bool own_limits_only = false;
  bool without_parent = false;
};
std::string association_value(F field, const v1::Association& association,
                              const AssociationView& view);

// "C = peer       A = cs                   U = alice    ": how a change names it.
std::string association_line(const v1::Association& association, int account_width = 20);

const v1::Association* find_association(const v1::BooksResponse& books, std::string_view cluster,
                                        std::string_view account, std::string_view user = "",
                                        std::string_view partition = "");

}  // namespace grappe::sacctmgr
