#include "base/text.h"
#include "cli/sacctmgr/accounts_where.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/listing.h"

namespace grappe::sacctmgr {
namespace {

constexpr std::string_view kUserColumns = "U,DefaultA,Ad";
constexpr std::string_view kUserLimits =
    ",Cl,Acc,Part,Share,Priority,MaxJ,MaxN,MaxCPUs,MaxS,MaxW,MaxCPUMins,QOS,DefaultQOS";

std::string user_columns(const UserCondition& condition) {
  std::string columns(kUserColumns);
  if (condition.with_associations) columns += kUserLimits;
  if (condition.with_coordinators) columns += ",Coord";
  return columns;
}

using Accounts = std::map<std::string, Names>;  // that a user coordinates

Accounts accounts_by_coordinator(const v1::BooksResponse& books) {
  Accounts accounts;
  for (const auto& [account, users] : coordinators_by_account(books)) {
    for (const std::string& user : users) accounts[user].push_back(account);
  }
  return accounts;
}

std::string user_value(F field, const v1::User& user, const v1::Association* association,
                       const AssociationView& view, Accounts& coordinated) {
  switch (field) {
    case F::kUser:
      return user.name();
    case F::kAdmin:
      return std::string(admin_level_name(user.admin_level()));
    case F::kDefaultAccount:
      return user.default_account();
    case F::kDefaultWckey:
      return user.default_wckey();
    case F::kCoordinators:
      return join(coordinated[user.name()], ",");
    default:
      return association ? association_value(field, *association, view) : "";
  }
}

void list_users(Listing& listing, const UserCondition& condition, const v1::BooksResponse& books) {
  const AssociationView view{books, condition.associations.raw_qos,
                             condition.associations.without_parent_limits};
  Accounts coordinated = accounts_by_coordinator(books);
  for (const v1::User& user : books.users()) {
    if (!matches(condition, user, books)) continue;
    bool any = false;
    for (const v1::Association& record : books.associations()) {
      if (!condition.with_associations) break;
      if (record.user() != user.name()) continue;
      if (!matches(condition.associations, record, books)) continue;
      any = true;
      listing.row([&](F field) { return user_value(field, user, &record, view, coordinated); });
    }
    if (!any)
      listing.row([&](F field) { return user_value(field, user, nullptr, view, coordinated); });
  }
}

}  // namespace

void show_users(Session& session, Words words) {
  UserCondition condition;
  condition.with_associations = session.associations;
  if (!read_conditions(session, words, condition, take_user_word)) return;
  auto listing = Listing::make(session, condition.format, user_columns(condition));
  if (!listing) return;
  if (!condition.with_associations && condition.needs_associations &&
      !confirm_without_associations(session)) {
    return;
  }
  auto books = session.books(kAccounts | kUsers | kAssociations | kQos | kTres | kWckeys,
                             condition.associations.deleted);
  if (!books) return;
  list_users(*listing, condition, *books);
  listing->print();
}

}  // namespace grappe::sacctmgr
