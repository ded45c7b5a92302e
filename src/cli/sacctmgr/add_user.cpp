#include <fmt/core.h>

#include "base/text.h"
#include "cli/accounts.h"
#include "cli/sacctmgr/accounts_where.h"
#include "cli/sacctmgr/change.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/user_settings.h"

namespace grappe::sacctmgr {
namespace {

constexpr Key<UserSettings> kUserSettingKeys[] = {
    {"Names", 1, [](UserSettings& s, const Word& w) { add_names(s.names, w.value); }},
    {"Users", 1, [](UserSettings& s, const Word& w) { add_names(s.names, w.value); }},
    {"Accounts", 2, [](UserSettings& s, const Word& w) { add_names(s.accounts, w.value); }},
    {"Acct", 4, [](UserSettings& s, const Word& w) { add_names(s.accounts, w.value); }},
    {"Clusters", 1, [](UserSettings& s, const Word& w) { add_names(s.clusters, w.value); }},
    {"DefaultAccount", 8,
     [](UserSettings& s, const Word& w) { s.default_account = to_lower(w.value); }},
    {"DefaultWCKey", 8,
     [](UserSettings& s, const Word& w) { s.default_wckey = to_lower(w.value); }},
    {"NewName", 2, [](UserSettings& s, const Word& w) { s.new_name = to_lower(w.value); }},
    {"Partitions", 3, [](UserSettings& s, const Word& w) { add_names(s.partitions, w.value); }},
    {"RawUsage", 7, [](UserSettings& s, const Word& w) { s.raw_usage = w.value; }},
    {"WCKeys", 1, [](UserSettings& s, const Word& w) { add_names(s.wckeys, w.value); }},
};

struct NewUsers {
  Names names;
  std::vector<v1::Association> associations;
  std::string lines;  // of them
  std::string wckey_lines;
};

v1::User new_user(const std::string& name, const UserSettings& settings) {
  v1::User user;
  user.set_name(name);
  user.set_admin_level(settings.admin_level.value_or(v1::ADMIN_NONE));
  if (!settings.accounts.empty()) {
    user.set_default_account(settings.default_account.value_or(settings.accounts[0]));
  }
  if (!settings.wckeys.empty()) {
    user.set_default_wckey(settings.default_wckey.value_or(settings.wckeys[0]));
  }
  return user;
}

void add_association(const UserSettings& settings, const std::string& name,
                     const std::string& cluster, const std::string& account,
                     const std::string& partition, NewUsers& added) {
  v1::Association record;
  record.set_cluster(cluster);
  record.set_account(account);
  record.set_parent(account);
  record.set_user(name);
  record.set_partition(partition);
  apply(settings.association, record);
  added.associations.push_back(record);
  added.lines += fmt::format("  U = {:<9.9} A = {:<10.10} C = {:<10.10}", name, account, cluster);
  added.lines += partition.empty() ? "\n" : fmt::format(" P = {:<10.10}\n", partition);
}

void add_wckeys(const UserSettings& settings, const std::string& name, const Names& clusters,
                const v1::BooksResponse& books, NewUsers& added, Change& change) {
  for (const std::string& key : settings.wckeys) {
    for (const std::string& cluster : clusters) {
      bool known = false;
      for (const v1::Wckey& old : books.wckeys()) {
        known |= old.name() == key && old.cluster() == cluster && old.user() == name &&
                 !old.stamp().deleted();
      }
      if (known) continue;
      v1::Wckey wckey;
      wckey.set_name(key);
      wckey.set_cluster(cluster);
      wckey.set_user(name);
      change.put(wckey);
      added.wckey_lines +=
          fmt::format("  U = {:<9.9} W = {:<10.10} C = {:<10.10}\n", name, key, cluster);
    }
  }
}

// Every account must be there on every cluster.
bool check_accounts(Session& session, const UserSettings& settings, const Names& clusters,
                    const v1::BooksResponse& books) {
  const unsigned before = session.complaints;
  for (const std::string& account : settings.accounts) {
    bool anywhere = false;
    for (const v1::Account& known : books.accounts()) {
      anywhere |= known.name() == account && !known.stamp().deleted();
    }
    if (!anywhere) {
      session.complain(fmt::format(
          " This account '{}' doesn't exist.\n        Contact your admin to add this account.\n",
          account));
      continue;
    }
    for (const std::string& cluster : clusters) {
      if (find_association(books, cluster, account)) continue;
      session.complain(
          fmt::format(" This account '{}' doesn't exist on cluster {}\n        Contact your admin "
                      "to add this account.\n",
                      account, cluster));
    }
  }
  return session.complaints == before;
}

bool confirm_unknown_user(Session& session, const std::string& name) {
  if (find_account(name)) return true;
  return session.confirm(
      fmt::format("There is no uid for user '{}'\nAre you sure you want to continue?", name));
}

std::string users_text(const NewUsers& added, const UserSettings& settings) {
  std::string text;
  if (!added.names.empty()) {
    text += " Adding User(s)\n" + indented(added.names);
    std::string set;
    if (settings.default_account) set += "  Default Account = " + *settings.default_account + "\n";
    if (settings.default_wckey) set += "  Default WCKey   = " + *settings.default_wckey + "\n";
    if (settings.admin_level) {
      set += fmt::format("  Admin Level     = {}\n", admin_level_name(*settings.admin_level));
    }
    if (!set.empty()) text += " Settings =\n" + set;
  }
  if (!added.lines.empty()) text += " Associations =\n" + added.lines;
  if (!added.wckey_lines.empty()) text += " WCKeys =\n" + added.wckey_lines;
  if (!added.lines.empty()) text += " Non Default Settings\n" + settings_text(settings.association);
  return text;
}

// A default that comes with a new association, or with the first wckey, is the user's from now on.
void put_defaults(const v1::User& user, const UserSettings& settings, bool new_association,
                  Change& change) {
  v1::User changed = user;
  if (settings.default_account && new_association) {
    changed.set_default_account(*settings.default_account);
  }
  if (!settings.wckeys.empty() && (settings.default_wckey || user.default_wckey().empty())) {
    changed.set_default_wckey(settings.default_wckey.value_or(settings.wckeys[0]));
  }
  if (changed.default_account() != user.default_account() ||
      changed.default_wckey() != user.default_wckey()) {
    change.put(changed);
  }
}

// False: somebody said no.
bool collect_users(Session& session, const UserSettings& settings, const Names& clusters,
                   const v1::BooksResponse& books, NewUsers& added, Change& change) {
  const Names partitions = settings.partitions.empty() ? Names{""} : settings.partitions;
  std::vector<const v1::User*> joined, others;  // of those who were there already
  for (const std::string& name : settings.names) {
    const v1::User* known = find_user_record(books, name);
    if (!known) {
      if (!confirm_unknown_user(session, name)) return false;
      added.names.push_back(name);
      change.put(new_user(name, settings));
    }
    const std::string before = added.lines;
    for (const std::string& account : settings.accounts) {
      for (const std::string& cluster : clusters) {
        for (const std::string& partition : partitions) {
          if (find_association(books, cluster, account, name, partition)) continue;
          add_association(settings, name, cluster, account, partition, added);
        }
      }
    }
    if (known && added.lines != before) joined.push_back(known);
    if (known && added.lines == before) others.push_back(known);
  }
  change.put_together(added.associations);
  for (const std::string& name : settings.names) {
    add_wckeys(settings, name, clusters, books, added, change);
  }
  for (const v1::User* user : joined) put_defaults(*user, settings, true, change);
  for (const v1::User* user : others) put_defaults(*user, settings, false, change);
  return true;
}

}  // namespace

bool take_user_setting(Session& session, UserSettings& settings, const Word& word,
                       const v1::BooksResponse& books) {
  if (!word.has_value) {
    add_names(settings.names, word.value);
    return true;
  }
  if (is_key(word, "AdminLevel", 2)) {
    settings.admin_level = parse_admin_level(word.value);
    return true;
  }
  if (set_by_key<UserSettings>(kUserSettingKeys, settings, word)) return true;
  return set_association(session, settings.association, word, books);
}

const v1::User* find_user_record(const v1::BooksResponse& books, std::string_view name) {
  for (const v1::User& user : books.users()) {
    if (user.name() == name && !user.stamp().deleted()) return &user;
  }
  return nullptr;
}

std::vector<const v1::Association*> associations_of(const v1::BooksResponse& books,
                                                    std::string_view user) {
  std::vector<const v1::Association*> records;
  for (const v1::Association& record : books.associations()) {
    if (record.user() == user && !record.stamp().deleted()) records.push_back(&record);
  }
  return records;
}

void add_users(Session& session, Words words) {
  auto books = session.books(kEverything);
  if (!books) return;
  UserSettings settings;
  const unsigned before = session.complaints;
  for (const std::string& text : words) {
    const Word word = parse_word(text);
    if (!word.has_value && is_key(word, "Set", 3)) continue;
    if (!take_user_setting(session, settings, word, *books)) {
      session.complain(" Unknown option: " + text + "\n");
    }
  }
  if (session.complaints != before) return;
  if (settings.names.empty()) return session.complain(" Need name of user to add.\n");
  if (settings.default_account && !contains(settings.accounts, *settings.default_account)) {
    settings.accounts.insert(settings.accounts.begin(), *settings.default_account);
  }
  if (settings.default_wckey && !contains(settings.wckeys, *settings.default_wckey)) {
    settings.wckeys.push_back(*settings.default_wckey);
  }
  if (settings.accounts.empty() && settings.wckeys.empty()) {
    return session.complain(" Need name of account to add user to.\n");
  }
  if (books->clusters().empty()) {
    return session.complain(
        "  Can't add/modify users, no cluster defined yet.\n Please contact your "
        "administrator.\n");
  }
  auto clusters = chosen_clusters(session, settings.clusters, *books);
  if (!clusters) return;
  if (!check_accounts(session, settings, *clusters, *books)) {
    return session.fail(" Nothing new added.\n");
  }
  Change change(session);
  NewUsers added;
  if (!collect_users(session, settings, *clusters, *books, added, change)) return;
  if (change.empty()) return session.fail(" Nothing new added.\n");
  session.say(users_text(added, settings));
  if (!change.begin(" Problem adding users")) return;
  change.finish();
}

}  // namespace grappe::sacctmgr
