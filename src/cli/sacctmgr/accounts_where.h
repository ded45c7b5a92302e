// "where" of accounts and users: which of them a list shows and a change concerns.
#pragma once

#include <map>

#include "cli/sacctmgr/associations.h"

namespace grappe::sacctmgr {

struct AccountCondition {
  Names names, descriptions, organizations;
  AssociationCondition associations;
  bool with_associations = false;
  bool with_coordinators = false;
  bool concerns_associations = false;  // words that only associations have
  Names format;
};
bool take_account_word(AccountCondition& condition, const Word& word);
bool matches(const AccountCondition& condition, const v1::Account& account);

struct UserCondition {
  Names names, default_accounts, default_wckeys, wckeys;
  std::optional<v1::AdminLevel> admin_level;
  AssociationCondition associations;
  bool with_associations = false;
  bool with_coordinators = false;
  bool concerns_associations = false;
  bool needs_associations = false;  // the same, but for cluster=: a user has one default in each
  Names format;
};
bool take_user_word(UserCondition& condition, const Word& word);
bool matches(const UserCondition& condition, const v1::User& user, const v1::BooksResponse& books);

// "None", "Operator", "Administrator", also abbreviated; nothing for another word.
std::optional<v1::AdminLevel> parse_admin_level(std::string_view text);
std::string_view admin_level_name(v1::AdminLevel level);

// Who is coordinator of each account: those of the accounts above it too.
std::map<std::string, Names> coordinators_by_account(const v1::BooksResponse& books);
// The accounts that name this user as coordinator.
Names coordinated_accounts(const v1::BooksResponse& books, std::string_view user);

// "You requested options that are only valid when querying with the withassoc option."
bool confirm_without_associations(Session& session);

}  // namespace grappe::sacctmgr
