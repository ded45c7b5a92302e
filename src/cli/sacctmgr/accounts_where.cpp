#include "cli/sacctmgr/accounts_where.h"

#include <algorithm>

#include "base/text.h"
#include "cli/sacctmgr/entities.h"

namespace grappe::sacctmgr {
namespace {

constexpr Key<AccountCondition> kAccountFlags[] = {
    {"WithAssoc", 5, [](AccountCondition& c, const Word&) { c.with_associations = true; }, false},
    {"WithCoordinators", 5, [](AccountCondition& c, const Word&) { c.with_coordinators = true; },
     false},
};
constexpr Key<AccountCondition> kAccountKeys[] = {
    {"Names", 1, [](AccountCondition& c, const Word& w) { add_wanted(c.names, w.value); }},
    {"Accounts", 1, [](AccountCondition& c, const Word& w) { add_wanted(c.names, w.value); }},
    {"Acct", 4, [](AccountCondition& c, const Word& w) { add_wanted(c.names, w.value); }},
    {"Descriptions", 1,
     [](AccountCondition& c, const Word& w) { add_wanted(c.descriptions, w.value); }},
    {"Organizations", 1,
     [](AccountCondition& c, const Word& w) { add_wanted(c.organizations, w.value); }},
};

constexpr Key<UserCondition> kUserFlags[] = {
    {"WithAssoc", 5, [](UserCondition& c, const Word&) { c.with_associations = true; }, false},
    {"WithCoordinators", 5, [](UserCondition& c, const Word&) { c.with_coordinators = true; },
     false},
};
constexpr Key<UserCondition> kUserKeys[] = {
    {"Names", 1, [](UserCondition& c, const Word& w) { add_wanted(c.names, w.value); }},
    {"Users", 1, [](UserCondition& c, const Word& w) { add_wanted(c.names, w.value); }},
    {"AdminLevel", 2,
     [](UserCondition& c, const Word& w) { c.admin_level = parse_admin_level(w.value); }},
    {"DefaultAccount", 8,
     [](UserCondition& c, const Word& w) { add_wanted(c.default_accounts, w.value); }},
    {"DefaultWCKey", 8,
     [](UserCondition& c, const Word& w) { add_wanted(c.default_wckeys, w.value); }},
    {"WCKeys", 1, [](UserCondition& c, const Word& w) { add_wanted(c.wckeys, w.value); }},
};

bool admits_text(const Names& texts, std::string_view text) {
  return admits(texts, to_lower(text));
}

}  // namespace

bool take_account_word(AccountCondition& condition, const Word& word) {
  if (set_by_key<AccountCondition>(kAccountFlags, condition, word)) return true;
  if (set_association_flag(condition.associations, word)) return true;
  if (!word.has_value) {
    add_wanted(condition.names, word.value);
    return true;
  }
  if (take_format(condition.format, word)) return true;
  if (set_by_key<AccountCondition>(kAccountKeys, condition, word)) return true;
  if (!set_association_condition(condition.associations, word)) return false;
  return condition.concerns_associations = true;
}

bool matches(const AccountCondition& condition, const v1::Account& account) {
  return admits(condition.names, account.name()) &&
         admits_text(condition.descriptions, account.description()) &&
         admits_text(condition.organizations, account.organization());
}

bool take_user_word(UserCondition& condition, const Word& word) {
  if (set_by_key<UserCondition>(kUserFlags, condition, word)) return true;
  if (set_association_flag(condition.associations, word)) return true;
  if (!word.has_value) {
    add_wanted(condition.names, word.value);
    return true;
  }
  if (take_format(condition.format, word)) return true;
  if (set_by_key<UserCondition>(kUserKeys, condition, word)) return true;
  const size_t clusters = condition.associations.clusters.size();
  if (!set_association_condition(condition.associations, word)) return false;
  condition.needs_associations |= condition.associations.clusters.size() == clusters;
  return condition.concerns_associations = true;
}

bool matches(const UserCondition& condition, const v1::User& user, const v1::BooksResponse& books) {
  const bool has_wckey =
      condition.wckeys.empty() ||
      std::any_of(books.wckeys().begin(), books.wckeys().end(), [&](const v1::Wckey& wckey) {
        return wckey.user() == user.name() && contains(condition.wckeys, wckey.name()) &&
               !wckey.stamp().deleted();
      });
  if (!has_wckey) return false;
  return admits(condition.names, user.name()) &&
         admits(condition.default_accounts, user.default_account()) &&
         admits(condition.default_wckeys, user.default_wckey()) &&
         (!condition.admin_level || *condition.admin_level == user.admin_level());
}

std::optional<v1::AdminLevel> parse_admin_level(std::string_view text) {
  for (v1::AdminLevel level : {v1::ADMIN_NONE, v1::ADMIN_OPERATOR, v1::ADMIN_ADMINISTRATOR}) {
    if (abbreviates(text, admin_level_name(level), 1)) return level;
  }
  return std::nullopt;
}

std::string_view admin_level_name(v1::AdminLevel level) {
  if (level == v1::ADMIN_ADMINISTRATOR) return "Administrator";
  return level == v1::ADMIN_OPERATOR ? "Operator" : "None";
}

std::map<std::string, Names> coordinators_by_account(const v1::BooksResponse& books) {
  std::map<std::string, Names> parents, own, all;
  for (const v1::Association& record : books.associations()) {
    if (record.user().empty() && !record.parent().empty()) {
      parents[record.account()].push_back(record.parent());
    }
  }
  for (const v1::Account& account : books.accounts()) {
    own[account.name()].assign(account.coordinators().begin(), account.coordinators().end());
  }
  for (const v1::Account& account : books.accounts()) {
    Names line{account.name()};  // itself and those above it, each once
    Names& names = all[account.name()];
    for (size_t i = 0; i < line.size(); ++i) {
      for (const std::string& name : own[line[i]]) {
        if (!contains(names, name)) names.push_back(name);
      }
      for (const std::string& parent : parents[line[i]]) {
        if (!contains(line, parent)) line.push_back(parent);
      }
    }
    std::sort(names.begin(), names.end());
  }
  return all;
}

Names coordinated_accounts(const v1::BooksResponse& books, std::string_view user) {
  Names accounts;
  for (const v1::Account& account : books.accounts()) {
    const auto& names = account.coordinators();
    if (std::find(names.begin(), names.end(), user) != names.end()) {
      accounts.push_back(account.name());
    }
  }
  return accounts;
}

bool confirm_without_associations(Session& session) {
  if (session.confirm("You requested options that are only valid when querying with the withassoc "
                      "option.\nAre you sure you want to continue?")) {
    return true;
  }
  session.say("Aborted\n");
  return false;
}

}  // namespace grappe::sacctmgr
