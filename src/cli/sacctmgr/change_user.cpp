#include <fmt/core.h>

#include <algorithm>

#include "cli/sacctmgr/accounts_where.h"
#include "cli/sacctmgr/change.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/inheritance.h"
#include "cli/sacctmgr/user_settings.h"

namespace grappe::sacctmgr {
namespace {

struct ModifyUser {
  UserCondition where;
  UserSettings set;
};

bool read_user_modify(Session& session, Words words, ModifyUser& request,
                      const v1::BooksResponse& books) {
  const ModifyWords parts = split_modify(words);
  const unsigned before = session.complaints;
  take_conditions(session, parts.where, request.where, take_user_word);
  for (const Word& word : parts.set) {
    // Whose they are is no setting.
    const bool names_it = is_key(word, "Accounts", 2) || is_key(word, "Acct", 4) ||
                          is_key(word, "Names", 1) || is_key(word, "Users", 1);
    const bool taken =
        word.has_value && !names_it && take_user_setting(session, request.set, word, books);
    if (!taken) {
      complain_of_option(session, word);
    }
  }
  complain_unless_alone(session, parts, request.set.raw_usage.has_value());
  return may_modify(session, before, !parts.set.empty(), !parts.where.empty());
}

std::vector<const v1::Association*> chosen_associations(const UserCondition& condition,
                                                        const v1::BooksResponse& books) {
  std::vector<const v1::Association*> chosen;
  for (const v1::Association& record : books.associations()) {
    if (record.user().empty() || !admits(condition.names, record.user())) continue;
    const v1::User* user = find_user_record(books, record.user());
    if (!user || !matches(condition, *user, books)) continue;
    if (matches(condition.associations, record, books)) chosen.push_back(&record);
  }
  return chosen;
}

// Every one of the users must have an association with the new default account, on each cluster
// that is meant.
bool check_default_account(Session& session, const std::string& account, const Names& users,
                           const Names& clusters, const v1::BooksResponse& books) {
  Names missing;
  for (const std::string& user : users) {
    for (const v1::ClusterRecord& cluster : books.clusters()) {
      if (!admits(clusters, cluster.name())) continue;
      bool there = false;
      for (const v1::Association* record : associations_of(books, user)) {
        there |= record->account() == account && record->cluster() == cluster.name();
      }
      if (!there) missing.push_back(fmt::format("U = {} C = {}", user, cluster.name()));
    }
  }
  if (missing.empty()) return true;
  session.fail(fmt::format(
      " Can't modify because these users aren't associated with new default account '{}'...\n{}",
      account, indented(missing)));
  return false;
}

struct UserChange {
  Names users, associations;
};

v1::User changed_user(const v1::User& user, const UserSettings& set) {
  v1::User changed = user;
  if (set.admin_level) changed.set_admin_level(*set.admin_level);
  if (set.default_account) changed.set_default_account(*set.default_account);
  if (set.default_wckey) changed.set_default_wckey(*set.default_wckey);
  return changed;
}

UserChange collect(const ModifyUser& request, const v1::BooksResponse& books, Change& change) {
  UserChange told;
  const UserSettings& set = request.set;
  const bool of_the_user = set.admin_level || set.default_account || set.default_wckey;
  for (const v1::User& user : books.users()) {
    if (!of_the_user || !matches(request.where, user, books)) continue;
    change.put(changed_user(user, set));
    told.users.push_back(user.name());
  }
  if (!set.association.any()) return told;
  for (const v1::Association* record : chosen_associations(request.where, books)) {
    v1::Association changed = *record;
    apply(set.association, changed);
    change.put(changed);
    told.associations.push_back(association_line(*record));
  }
  return told;
}

struct Deletion {
  Names users, associations, left_without, wckeys;
};

// With the name of a wckey it is the wckey that goes, not the user.
void collect_wckeys(const UserCondition& condition, const v1::BooksResponse& books, Change& change,
                    Deletion& told) {
  for (const v1::Wckey& wckey : books.wckeys()) {
    const v1::User* user = find_user_record(books, wckey.user());
    if (!user || wckey.stamp().deleted() || !matches(condition, *user, books)) continue;
    if (!contains(condition.wckeys, wckey.name())) continue;
    if (!admits(condition.associations.clusters, wckey.cluster())) continue;
    change.remove(wckey);
    told.wckeys.push_back(fmt::format("C = {:<10} W = {:<20} U = {:<9}", wckey.cluster(),
                                      wckey.name(), wckey.user()));
  }
}

// Without the words of associations whole users; with them those associations, and the users who
// have no other.
Deletion collect_deletion(const UserCondition& condition, const v1::BooksResponse& books,
                          Change& change) {
  Deletion told;
  if (!condition.wckeys.empty()) {
    collect_wckeys(condition, books, change, told);
    return told;
  }
  const auto chosen = chosen_associations(condition, books);
  if (!condition.concerns_associations) {
    for (const v1::User& user : books.users()) {
      if (!matches(condition, user, books)) continue;
      change.remove(user);
      told.users.push_back(user.name());
    }
    return told;
  }
  for (const v1::Association* record : chosen) {
    change.remove(*record);
    told.associations.push_back(association_line(*record, 10));
  }
  for (const v1::User& user : books.users()) {
    const auto all = associations_of(books, user.name());
    const bool touched = std::any_of(chosen.begin(), chosen.end(), [&](const v1::Association* one) {
      return one->user() == user.name();
    });
    const bool none_left =
        touched && std::all_of(all.begin(), all.end(), [&](const v1::Association* one) {
          return std::find(chosen.begin(), chosen.end(), one) != chosen.end();
        });
    if (!none_left) continue;
    change.remove(user);
    told.left_without.push_back(user.name());
  }
  return told;
}

}  // namespace

void modify_users(Session& session, Words words) {
  auto books = session.books(kEverything);
  if (!books) return;
  ModifyUser request;
  if (!read_user_modify(session, words, request, *books)) return;
  if (request.set.raw_usage) {
    if (request.where.associations.accounts.empty())
      return session.error("An account must be specified");
    return reset_usage(session, *request.set.raw_usage, *books, request.where.associations.clusters,
                       chosen_associations(request.where, *books));
  }
  if (request.set.new_name) {
    return session.complain(
        " A user can't be renamed: his name is that of the machine's account; add the new one\n");
  }
  Change change(session);
  const UserChange told = collect(request, *books, change);
  if (request.set.default_account &&
      !check_default_account(session, *request.set.default_account, told.users,
                             request.where.associations.clusters, *books)) {
    return;
  }
  const auto chosen = chosen_associations(request.where, *books);
  if (!check_default_qos(session, chosen, request.set.association, *books)) return;
  if (change.empty()) return session.fail(" Nothing modified\n");
  if (told.associations.empty()) {
    change.set_denied_note(
        "You can only change your own default account, default wckey nothing else");
  }
  if (!change.begin()) return;
  if (!told.users.empty()) session.say(" Modified users...\n" + indented(told.users));
  if (!told.associations.empty()) {
    session.say(" Modified user associations...\n" + indented(told.associations));
  }
  change.finish();
}

void delete_users(Session& session, Words words) {
  UserCondition condition;
  const bool known = read_conditions(session, words, condition, take_user_word);
  if (!known || words.empty()) {
    return session.complain(" No conditions given to remove, not executing.\n");
  }
  auto books = session.books(kEverything);
  if (!books) return;
  Change change(session);
  const Deletion told = collect_deletion(condition, *books, change);
  if (change.empty()) return session.fail(" Nothing deleted\n");
  if (!change.begin()) return;
  if (!told.users.empty()) session.say(" Deleting users...\n" + indented(told.users));
  if (!told.associations.empty()) {
    session.say(" Deleting user associations...\n" + indented(told.associations));
  }
  if (!told.wckeys.empty()) session.say(" Deleting user WCKeys...\n" + indented(told.wckeys));
  if (!told.left_without.empty()) {
    session.say(" Deleting users (No Associations)...\n" + indented(told.left_without));
  }
  change.finish();
}

}  // namespace grappe::sacctmgr
