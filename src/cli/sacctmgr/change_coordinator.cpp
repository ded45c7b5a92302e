#include <fmt/core.h>

#include <algorithm>

#include "cli/sacctmgr/change.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/user_settings.h"

namespace grappe::sacctmgr {
namespace {

struct Coordination {
  Names users, accounts;
};

constexpr Key<Coordination> kCoordinationKeys[] = {
    {"Names", 1, [](Coordination& c, const Word& w) { add_wanted(c.users, w.value); }},
    {"Users", 1, [](Coordination& c, const Word& w) { add_wanted(c.users, w.value); }},
    {"Accounts", 2, [](Coordination& c, const Word& w) { add_wanted(c.accounts, w.value); }},
    {"Acct", 4, [](Coordination& c, const Word& w) { add_wanted(c.accounts, w.value); }},
};

bool take_coordination_word(Coordination& coordination, const Word& word) {
  if (!word.has_value) {
    add_wanted(coordination.users, word.value);
    return true;
  }
  return set_by_key<Coordination>(kCoordinationKeys, coordination, word);
}

bool check_names(Session& session, const Coordination& coordination,
                 const v1::BooksResponse& books) {
  const unsigned before = session.complaints;
  for (const std::string& name : coordination.accounts) {
    const bool known =
        std::any_of(books.accounts().begin(), books.accounts().end(),
                    [&](const v1::Account& a) { return a.name() == name && !a.stamp().deleted(); });
    if (!known) {
      session.complain(fmt::format(" You specified a non-existent account '{}'.\n", name));
    }
  }
  for (const std::string& name : coordination.users) {
    if (!find_user_record(books, name)) {
      session.complain(fmt::format(" You specified a non-existent user '{}'.\n", name));
    }
  }
  return session.complaints == before;
}

}  // namespace

void add_coordinators(Session& session, Words words) {
  Coordination coordination;
  if (!read_conditions(session, words, coordination, take_coordination_word)) return;
  if (words.empty()) {
    return session.complain(" You need to specify conditions to to add the coordinator.\n");
  }
  if (coordination.users.empty()) {
    return session.complain(" You need to specify a user list here.\n");
  }
  if (coordination.accounts.empty()) {
    return session.complain(" You need to specify an account list here.\n");
  }
  auto books = session.books(kEverything);
  if (!books || !check_names(session, coordination, *books)) return;
  Change change(session);
  for (const v1::Account& account : books->accounts()) {
    if (!contains(coordination.accounts, account.name()) || account.stamp().deleted()) continue;
    v1::Account changed = account;
    for (const std::string& user : coordination.users) {
      const auto& old = changed.coordinators();
      if (std::find(old.begin(), old.end(), user) == old.end()) changed.add_coordinators(user);
    }
    if (changed.coordinators_size() != account.coordinators_size()) change.put(changed);
  }
  session.say(" Adding Coordinator User(s)\n" + indented(coordination.users) +
              " To Account(s) and all sub-accounts\n" + indented(coordination.accounts));
  if (!change.begin(" Problem adding coordinator")) return;
  change.finish();
}

void delete_coordinators(Session& session, Words words) {
  Coordination coordination;
  if (!read_conditions(session, words, coordination, take_coordination_word)) return;
  if (coordination.users.empty() && coordination.accounts.empty()) {
    return session.complain(" You need to specify a user list or account list here.\n");
  }
  auto books = session.books(kEverything);
  if (!books || !check_names(session, coordination, *books)) return;
  Change change(session);
  Names removed;
  for (const v1::Account& account : books->accounts()) {
    if (!admits(coordination.accounts, account.name()) || account.stamp().deleted()) continue;
    v1::Account changed = account;
    changed.clear_coordinators();
    for (const std::string& user : account.coordinators()) {
      if (admits(coordination.users, user)) {
        removed.push_back(fmt::format("U = {:<9} A = {:<10}", user, account.name()));
      } else {
        changed.add_coordinators(user);
      }
    }
    if (changed.coordinators_size() != account.coordinators_size()) change.put(changed);
  }
  std::string text;
  if (!coordination.users.empty()) {
    text += " Removing Coordinators with user name\n" + indented(coordination.users);
    text += coordination.accounts.empty() ? " From all accounts\n"
                                          : " From Account(s)\n" + indented(coordination.accounts);
  } else {
    text += " Removing all users from Accounts\n" + indented(coordination.accounts);
  }
  session.say(text);
  if (change.empty()) return session.fail(" Nothing removed\n");
  if (!change.begin()) return;
  session.say(" Removed Coordinators (sub accounts not listed)...\n" + indented(removed));
  change.finish();
}

}  // namespace grappe::sacctmgr
