#include "cli/sacctmgr/load_tables.h"

#include <fmt/core.h>

#include "base/text.h"
#include "cli/sacctmgr/accounts_where.h"
#include "cli/sacctmgr/association_settings.h"
#include "cli/sacctmgr/clusters.h"
#include "cli/sacctmgr/limits.h"

namespace grappe::sacctmgr {
namespace {

constexpr std::string_view kLoadedLimits =
    ",Share,GrpTRESM,GrpTRESR,GrpTRES,GrpJ,GrpJobsA,GrpMEM,GrpN,GrpS,GrpW,MaxTRESM,MaxTRES,"
    "MaxTRESPerN,MaxJ,MaxS,MaxN,MaxW,QOS,DefaultQOS";
constexpr std::string_view kShortRule = "---------------------------------------------------\n\n";
constexpr std::string_view kLongRule =
    "--------------------------------------------------------------\n\n";

std::string change_line(std::string_view what, std::string_view kind, const std::string& name,
                        const std::string& before, const std::string& after) {
  return fmt::format("{:<30.30} for {:<7.7} {:<10.10} {:>8} -> {}\n", what, kind, name, before,
                     after);
}

std::string shares_of(const v1::Association& record) {
  return std::to_string(record.has_shares() ? record.shares() : 1);
}

std::string qos_list(const v1::Association& record) {
  return join(Names(record.qos().begin(), record.qos().end()), ",");
}

}  // namespace

std::string LoadTables::accounts(const std::vector<v1::Account>& accounts) const {
  if (accounts.empty()) return "";
  auto listing = Listing::make(session, {}, "Name,Description,Organization,QOS");
  for (const v1::Account& account : accounts) {
    listing->row([&](F field) {
      if (field == F::kName) return account.name();
      if (field == F::kDescription) return account.description();
      return field == F::kOrganization ? account.organization() : "";
    });
  }
  return "Accounts\n" + listing->text() + std::string(kShortRule);
}

std::string LoadTables::users(const std::vector<v1::User>& users,
                              const std::map<std::string, Names>& coordinated) const {
  if (users.empty()) return "";
  auto listing = Listing::make(session, {}, "Name,DefaultA,DefaultW,QOS,Admin,Coord");
  for (const v1::User& user : users) {
    listing->row([&](F field) -> std::string {
      const bool told = contains(admin_told, user.name());
      auto accounts = coordinated.find(user.name());
      switch (field) {
        case F::kName:
          return user.name();
        case F::kDefaultAccount:
          return user.default_account();
        case F::kDefaultWckey:
          return user.default_wckey();
        case F::kAdmin:
          return told ? std::string(admin_level_name(user.admin_level())) : "Not Set";
        case F::kCoordinators:
          return accounts == coordinated.end() ? "" : join(accounts->second, ",");
        default:
          return "";
      }
    });
  }
  return "Users\n" + listing->text() + std::string(kShortRule);
}

std::string LoadTables::associations(const std::vector<v1::Association>& records,
                                     bool of_users) const {
  if (records.empty()) return "";
  const std::string who = of_users ? "User,Account" : "Account,ParentName";
  auto listing = Listing::make(session, {}, who + std::string(kLoadedLimits));
  const AssociationView view{.books = books, .raw_qos = true, .own_limits_only = true};
  for (const v1::Association& record : records) {
    listing->row([&](F field) {
      const bool none = field == F::kShare && record.shares() == kNoShares;
      return none ? "" : association_value(field, record, view);
    });
  }
  return std::string(of_users ? "User" : "Account") + " Associations\n" + listing->text() +
         std::string(kLongRule);
}

std::string changes_text(const v1::ClusterRecord& before, const v1::ClusterRecord& after) {
  if (before.classification() == after.classification()) return "";
  return change_line(" Changed Classification", "Cluster", after.name(),
                     class_name(before.classification()), class_name(after.classification()));
}

std::string changes_text(const v1::Association& before, const v1::Association& after) {
  const std::string_view kind = after.user().empty() ? "Account" : "User";
  const std::string& name = after.user().empty() ? after.account() : after.user();
  std::string text;
  const auto tell = [&](std::string_view what, const std::string& was, const std::string& is) {
    if (was != is) text += change_line(what, kind, name, was, is);
  };
  tell(" Changed fairshare", shares_of(before), shares_of(after));
  for (const Limit& limit : limits()) {
    if (limit.label.empty()) continue;
    tell(" Changed " + std::string(limit.file_name.empty() ? limit.label : limit.file_name),
         limit_text(limit, before.limits()), limit_text(limit, after.limits()));
  }
  if (after.user().empty()) tell(" Changed Parent", before.parent(), after.parent());
  tell(" Changed Priority", before.has_priority() ? std::to_string(before.priority()) : "",
       after.has_priority() ? std::to_string(after.priority()) : "");
  tell(" Added QOS", qos_list(before), qos_list(after));
  return text;
}

std::string changes_text(const v1::Account& before, const v1::Account& after) {
  std::string text;
  if (before.description() != after.description()) {
    text += change_line(" Changed description", "Account", after.name(), before.description(),
                        after.description());
  }
  if (before.organization() != after.organization()) {
    text += change_line(" Changed organization", "Account", after.name(), before.organization(),
                        after.organization());
  }
  return text;
}

std::string changes_text(const v1::User& before, const v1::User& after) {
  std::string text;
  const auto tell = [&](std::string_view what, std::string_view was, std::string_view is) {
    if (was != is) {
      text += change_line(what, "User", after.name(), std::string(was), std::string(is));
    }
  };
  tell(" Changed Default Account", before.default_account(), after.default_account());
  tell(" Changed Default WCKey", before.default_wckey(), after.default_wckey());
  tell(" Changed Admin Level", admin_level_name(before.admin_level()),
       admin_level_name(after.admin_level()));
  return text;
}

}  // namespace grappe::sacctmgr
