#include "cli/sacctmgr/inheritance.h"

#include <fmt/core.h>

#include <algorithm>

namespace grappe::sacctmgr {
namespace {

bool has_own_list(const v1::Association& record) {
  return record.qos_size() && record.qos(0)[0] != '+' && record.qos(0)[0] != '-';
}

bool has_own(const LimitChange& change, const v1::Association& record) {
  const Limit& limit = *change.limit;
  if (limit.kind == Limit::kTres) return !limit.amounts(record.limits()).empty();
  return limit.has(record.limits());
}

// What of the settings still reaches beyond this child.
AssociationSettings passed_on(const AssociationSettings& settings, const v1::Association& child) {
  AssociationSettings rest = settings;
  rest.shares.reset();
  if (child.has_priority()) rest.priority.reset();
  if (!child.default_qos().empty()) rest.default_qos.reset();
  if (has_own_list(child)) rest.qos = {};
  std::erase_if(rest.limits, [&](const LimitChange& change) {
    return change.limit->group || has_own(change, child);
  });
  return rest;
}

void add_heirs(const v1::Association& parent, const AssociationSettings& settings,
               const v1::BooksResponse& books, Names& lines) {
  for (const v1::Association& child : books.associations()) {
    if (child.parent_id() != parent.id() || child.stamp().deleted()) continue;
    const AssociationSettings rest = passed_on(settings, child);
    if (!rest.any()) continue;
    if (child.user().empty()) {
      add_heirs(child, rest, books, lines);
    } else {
      lines.push_back(association_line(child));
    }
  }
}

// The list after the change, where it is not the parent's own.
Names allowed_qos(const v1::Association& changed, const v1::BooksResponse& books) {
  if (has_own_list(changed)) return {changed.qos().begin(), changed.qos().end()};
  Names allowed;
  for (const v1::Association& parent : books.associations()) {
    if (parent.id() != changed.parent_id()) continue;
    allowed.assign(parent.qos_in_force().begin(), parent.qos_in_force().end());
  }
  for (const std::string& change : changed.qos()) {
    const std::string name = change.substr(1);
    std::erase(allowed, name);
    if (change[0] == '+') allowed.push_back(name);
  }
  return allowed;
}

}  // namespace

Names lines_with_heirs(const v1::Association& record, const AssociationSettings& settings,
                       const v1::BooksResponse& books) {
  Names lines{association_line(record)};
  if (record.user().empty()) add_heirs(record, settings, books, lines);
  return lines;
}

std::string default_qos_line(const std::string& qos, const v1::Association& record) {
  std::string line = fmt::format("  DefQOS = {:<10} C = {:<10} A = {:<20}", qos, record.cluster(),
                                 record.account());
  if (!record.user().empty()) line += fmt::format(" U = {:<9}", record.user());
  if (!record.partition().empty()) line += " P = " + record.partition();
  return line + "\n";
}

bool check_default_qos(Session& session, const std::vector<const v1::Association*>& records,
                       const AssociationSettings& settings, const v1::BooksResponse& books) {
  if (!settings.qos.given && !settings.default_qos) return true;
  std::string lines;
  for (const v1::Association* record : records) {
    v1::Association changed = *record;
    apply(settings, changed);
    const std::string name = settings.default_qos && !settings.default_qos->empty()
                                 ? *settings.default_qos
                                 : record->default_qos_in_force();
    const bool cleared = settings.default_qos && settings.default_qos->empty();
    if (cleared || name.empty() || contains(allowed_qos(changed, books), name)) continue;
    lines += default_qos_line(name, *record);
  }
  if (lines.empty()) return true;
  const int before = session.exit_code;  // Slurm calls this no failure
  session.complain(
      " These associations don't have access to their default qos.\n"
      " Please give them access before they the default can be set to this.\n" +
      lines);
  session.exit_code = before;
  return false;
}

}  // namespace grappe::sacctmgr
