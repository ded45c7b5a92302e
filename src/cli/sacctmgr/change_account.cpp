#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "cli/sacctmgr/accounts_where.h"
#include "cli/sacctmgr/association_settings.h"
#include "cli/sacctmgr/change.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/inheritance.h"

namespace grappe::sacctmgr {
namespace {

struct AccountSettings {
  Names names, clusters;
  std::optional<std::string> description, organization;
  std::optional<std::string> raw_usage;
  AssociationSettings association;
};

constexpr Key<AccountSettings> kSettingKeys[] = {
    {"Names", 1, [](AccountSettings& s, const Word& w) { add_names(s.names, w.value); }},
    {"Accounts", 1, [](AccountSettings& s, const Word& w) { add_names(s.names, w.value); }},
    {"Acct", 4, [](AccountSettings& s, const Word& w) { add_names(s.names, w.value); }},
    {"Clusters", 1, [](AccountSettings& s, const Word& w) { add_names(s.clusters, w.value); }},
    {"Description", 3,
     [](AccountSettings& s, const Word& w) { s.description = to_lower(w.value); }},
    {"Organization", 1,
     [](AccountSettings& s, const Word& w) { s.organization = to_lower(w.value); }},
    {"RawUsage", 7, [](AccountSettings& s, const Word& w) { s.raw_usage = w.value; }},
    {"Parent", 1,
     [](AccountSettings& s, const Word& w) { s.association.parent = to_lower(w.value); }},
};

// False: the word is none of an account's settings; what is wrong with one has been said.
bool take_setting(Session& session, AccountSettings& settings, const Word& word,
                  const v1::BooksResponse& books) {
  if (!word.has_value) {
    add_names(settings.names, word.value);
    return true;
  }
  if (set_by_key<AccountSettings>(kSettingKeys, settings, word)) return true;
  return set_association(session, settings.association, word, books);
}

const v1::Account* find_account_record(const v1::BooksResponse& books, std::string_view name) {
  for (const v1::Account& account : books.accounts()) {
    if (account.name() == name && !account.stamp().deleted()) return &account;
  }
  return nullptr;
}

struct NewAccounts {
  Names names;        // accounts that are new
  std::string lines;  // "  A = cs         C = peer      \n" of each new association
};

v1::Account new_account(const std::string& name, const AccountSettings& settings) {
  v1::Account account;
  account.set_name(name);
  account.set_description(settings.description.value_or(name));
  const std::string parent = settings.association.parent.value_or("root");
  account.set_organization(settings.organization.value_or(parent == "root" ? name : parent));
  return account;
}

NewAccounts collect_new(Session& session, const AccountSettings& settings, const Names& clusters,
                        const v1::BooksResponse& books, Change& change) {
  NewAccounts added;
  const std::string parent = settings.association.parent.value_or("root");
  for (const std::string& name : settings.names) {
    if (find_account_record(books, name)) continue;
    added.names.push_back(name);
    change.put(new_account(name, settings));
  }
  std::vector<v1::Association> records;
  for (const std::string& name : settings.names) {
    for (const std::string& cluster : clusters) {
      const bool parent_is_new = contains(added.names, parent);
      if (!parent_is_new && !find_association(books, cluster, parent)) {
        session.complain(
            fmt::format(" Parent account '{}' doesn't exist on cluster {}\n        Contact your "
                        "admin to add this account.\n",
                        parent, cluster));
        continue;
      }
      if (find_association(books, cluster, name)) continue;
      v1::Association record;
      record.set_cluster(cluster);
      record.set_account(name);
      record.set_parent(parent);
      apply(settings.association, record);
      records.push_back(record);
      added.lines += fmt::format("  A = {:<10.10} C = {:<10.10}\n", name, cluster);
    }
  }
  change.put_together(records);
  return added;
}

std::string adding_text(const NewAccounts& added, const AccountSettings& settings) {
  std::string text;
  if (!added.names.empty()) {
    text += " Adding Account(s)\n" + indented(added.names) + " Settings\n";
    text += "  Description     = " + settings.description.value_or("Account Name") + "\n";
    text += "  Organization    = " + settings.organization.value_or("Parent/Account Name") + "\n";
  }
  if (!added.lines.empty()) text += " Associations\n" + added.lines;
  if (settings.association.any() || settings.association.parent || settings.description ||
      settings.organization) {
    AssociationSettings told = settings.association;
    if (!told.parent) told.parent = "root";
    text += " Settings\n" + settings_text(told);
  }
  return text;
}

// Accounts of a `modify` or `delete`, with what they are made of.
struct ChosenAccounts {
  std::vector<const v1::Account*> accounts;
  std::vector<const v1::Association*> associations;
};

// With the names of users it is their associations with the accounts that are meant.
ChosenAccounts choose(const AccountCondition& condition, const v1::BooksResponse& books) {
  ChosenAccounts chosen;
  const bool of_users = !condition.associations.users.empty();
  Names with_associations;
  for (const v1::Association& record : books.associations()) {
    if (record.user().empty() == of_users || record.stamp().deleted()) continue;
    const v1::Account* account = find_account_record(books, record.account());
    if (!account || !matches(condition, *account)) continue;
    if (!matches(condition.associations, record, books)) continue;
    chosen.associations.push_back(&record);
    with_associations.push_back(account->name());
  }
  for (const v1::Account& account : books.accounts()) {
    if (!matches(condition, account) || account.stamp().deleted()) continue;
    if (condition.concerns_associations && !contains(with_associations, account.name())) continue;
    chosen.accounts.push_back(&account);
  }
  return chosen;
}

struct ModifyAccount {
  AccountCondition where;
  AccountSettings set;
};

bool read_modify(Session& session, Words words, ModifyAccount& request,
                 const v1::BooksResponse& books) {
  const ModifyWords parts = split_modify(words);
  const unsigned before = session.complaints;
  take_conditions(session, parts.where, request.where, take_account_word);
  for (const Word& word : parts.set) {
    if (is_key(word, "Names", 1) || !word.has_value) {
      session.complain(" Can't modify the name of an account\n");
    } else if (is_key(word, "Clusters", 1)) {
      session.complain(" Can't modify the cluster of an account\n");
    } else if (!take_setting(session, request.set, word, books)) {
      complain_of_option(session, word);
    }
  }
  complain_unless_alone(session, parts, request.set.raw_usage.has_value());
  return may_modify(session, before, !parts.set.empty(), !parts.where.empty());
}

}  // namespace

void add_accounts(Session& session, Words words) {
  auto books = session.books(kEverything);
  if (!books) return;
  AccountSettings settings;
  const unsigned before = session.complaints;
  for (const std::string& text : words) {
    const Word word = parse_word(text);
    if (!word.has_value && is_key(word, "Set", 3)) continue;
    if (!take_setting(session, settings, word, *books)) {
      complain_of_option(session, word);
    }
  }
  if (session.complaints != before) return;
  if (settings.names.empty()) return session.complain(" Need name of account to add.\n");
  if (books->clusters().empty()) {
    return session.complain(
        "  Can't add accounts, no cluster defined yet.\n Please contact your administrator.\n");
  }
  auto clusters = chosen_clusters(session, settings.clusters, *books);
  if (!clusters) return;
  Change change(session);
  const NewAccounts added = collect_new(session, settings, *clusters, *books, change);
  if (session.complaints != before) return session.complain(" No associations created.\n");
  if (change.empty()) return session.fail(" Nothing new added.\n");
  session.say(adding_text(added, settings));
  if (!change.begin(" Problem adding accounts")) return;
  change.finish();
}

void modify_accounts(Session& session, Words words) {
  auto books = session.books(kEverything);
  if (!books) return;
  ModifyAccount request;
  if (!read_modify(session, words, request, *books)) return;
  const ChosenAccounts chosen = choose(request.where, *books);
  if (request.set.raw_usage) {
    return reset_usage(session, *request.set.raw_usage, *books, request.where.associations.clusters,
                       chosen.associations);
  }
  Change change(session);
  Names accounts, associations;
  if (request.set.description || request.set.organization) {
    for (const v1::Account* account : chosen.accounts) {
      v1::Account changed = *account;
      if (request.set.description) changed.set_description(*request.set.description);
      if (request.set.organization) changed.set_organization(*request.set.organization);
      change.put(changed);
      accounts.push_back(account->name());
    }
  }
  const AssociationSettings& set = request.set.association;
  if (set.parent && !find_account_record(*books, *set.parent)) {
    return session.complain(fmt::format(" Parent Account {} doesn't exist.\n", *set.parent));
  }
  if (!check_default_qos(session, chosen.associations, set, *books)) return;
  if (set.any() || set.parent) {
    for (const v1::Association* record : chosen.associations) {
      v1::Association changed = *record;
      apply(set, changed);
      if (set.parent && record->user().empty()) changed.set_parent(*set.parent);
      change.put(changed);
      for (std::string& line : lines_with_heirs(*record, set, *books)) {
        if (!contains(associations, line)) associations.push_back(std::move(line));
      }
    }
  }
  if (change.empty()) return session.fail(" Nothing modified\n");
  if (!change.begin()) return;
  if (!accounts.empty()) session.say(" Modified accounts...\n" + indented(accounts));
  if (!associations.empty()) {
    session.say(" Modified account associations...\n" + indented(associations));
  }
  change.finish();
}

void delete_accounts(Session& session, Words words) {
  AccountCondition condition;
  const bool known = read_conditions(session, words, condition, take_account_word);
  if (!known || words.empty()) {
    return session.complain(" No conditions given to remove, not executing.\n");
  }
  if (contains(condition.names, "root")) {
    return session.complain(
        " You are not allowed to remove the root account.\n Use remove cluster instead.\n");
  }
  auto books = session.books(kEverything);
  if (!books) return;
  const ChosenAccounts chosen = choose(condition, *books);
  const bool of_users = !condition.associations.users.empty();
  Change change(session);
  Names names, lines;
  for (const v1::Account* account : chosen.accounts) {
    if (!of_users) change.remove(*account);
    names.push_back(account->name());
  }
  for (const v1::Association* record : chosen.associations) {
    if (of_users) change.remove(*record);
    lines.push_back(association_line(*record, 10));
  }
  if (change.empty()) return session.fail(" Nothing deleted\n");
  if (!change.begin()) return;
  if (condition.associations.clusters.empty() && !of_users) {
    session.say(" Deleting accounts...\n" + indented(names));
  } else {
    session.say(" Deleting account associations...\n" + indented(lines));
  }
  change.finish();
}

}  // namespace grappe::sacctmgr
