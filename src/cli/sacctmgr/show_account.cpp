#include "base/text.h"
#include "cli/sacctmgr/accounts_where.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/listing.h"

namespace grappe::sacctmgr {
namespace {

constexpr std::string_view kAccountColumns = "Acc,Des,O";
constexpr std::string_view kAccountLimits =
    ",Cl,ParentN,U,Share,Priority,GrpJ,GrpN,GrpCPUs,GrpMEM,GrpS,GrpWall,GrpCPUMins,MaxJ,MaxN,"
    "MaxCPUs,MaxS,MaxW,MaxCPUMins,QOS,DefaultQOS";

std::string account_columns(const AccountCondition& condition) {
  std::string columns(kAccountColumns);
  if (condition.with_associations) columns += kAccountLimits;
  if (condition.with_coordinators) columns += ",Coord";
  return columns;
}

using Coordinators = std::map<std::string, Names>;

std::string account_value(F field, const v1::Account& account, const v1::Association* association,
                          const AssociationView& view, const Coordinators& coordinators) {
  switch (field) {
    case F::kAccount:
      return account.name();
    case F::kDescription:
      return account.description();
    case F::kOrganization:
      return account.organization();
    case F::kCoordinators:
      return join(coordinators.at(account.name()), ",");
    default:
      return association ? association_value(field, *association, view) : "";
  }
}

void list_accounts(Listing& listing, const AccountCondition& condition,
                   const v1::BooksResponse& books) {
  const AssociationView view{books, condition.associations.raw_qos,
                             condition.associations.without_parent_limits};
  const Coordinators coordinators = coordinators_by_account(books);
  for (const v1::Account& account : books.accounts()) {
    if (!matches(condition, account)) continue;
    bool any = false;
    for (const v1::Association& record : books.associations()) {
      if (!condition.with_associations) break;
      if (record.account() != account.name()) continue;
      if (!matches(condition.associations, record, books)) continue;
      any = true;
      listing.row(
          [&](F field) { return account_value(field, account, &record, view, coordinators); });
    }
    if (!any)
      listing.row(
          [&](F field) { return account_value(field, account, nullptr, view, coordinators); });
  }
}

}  // namespace

void show_accounts(Session& session, Words words) {
  AccountCondition condition;
  condition.with_associations = session.associations;
  if (!read_conditions(session, words, condition, take_account_word)) return;
  auto listing = Listing::make(session, condition.format, account_columns(condition));
  if (!listing) return;
  if (!condition.with_associations && condition.concerns_associations &&
      !confirm_without_associations(session)) {
    return;
  }
  auto books =
      session.books(kAccounts | kAssociations | kQos | kTres, condition.associations.deleted);
  if (!books) return;
  list_accounts(*listing, condition, *books);
  listing->print();
}

}  // namespace grappe::sacctmgr
