// What `add user` and the set part of `modify user` take.
#pragma once

#include "cli/sacctmgr/association_settings.h"
#include "cli/sacctmgr/session.h"

namespace grappe::sacctmgr {

struct UserSettings {
  Names names, accounts, clusters, partitions, wckeys;
  std::optional<v1::AdminLevel> admin_level;
  std::optional<std::string> default_account, default_wckey;
  std::optional<std::string> new_name, raw_usage;
  AssociationSettings association;
};

// False: the word is none of a user's settings; what is wrong with one has been said.
bool take_user_setting(Session& session, UserSettings& settings, const Word& word,
                       const v1::BooksResponse& books);

const v1::User* find_user_record(const v1::BooksResponse& books, std::string_view name);
// As it is kept: of many names, and in the order in which they were made.
std::vector<const v1::Association*> associations_of(const v1::BooksResponse& books,
                                                    std::string_view user);

}  // namespace grappe::sacctmgr
