#include "cli/sacctmgr/associations.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "cli/sacctmgr/association_settings.h"
#include "cli/sacctmgr/limits.h"

namespace grappe::sacctmgr {
namespace {

// A row that adds the names of its list.
#define NAMES(member) \
  [](AssociationCondition& c, const Word& word) { add_wanted(c.member, word.value); }
#define FLAG(member) [](AssociationCondition& c, const Word&) { c.member = true; }, false

constexpr Key<AssociationCondition> kConditionKeys[] = {
    {"Accounts", 2, NAMES(accounts)},
    {"Acct", 4, NAMES(accounts)},
    {"Ids", 1, NAMES(ids)},
    {"Associations", 2, NAMES(ids)},
    {"Clusters", 1, NAMES(clusters)},
    {"DefaultQOS", 8, NAMES(default_qos)},
    {"Users", 1, NAMES(users)},
    {"Parents", 3, NAMES(parents)},
    {"Partitions", 3, NAMES(partitions)},
    {"QosLevel", 1, NAMES(qos)},
};

constexpr Key<AssociationCondition> kFlagKeys[] = {
    {"OnlyDefaults", 4, FLAG(only_defaults)},  {"WithDeleted", 5, FLAG(deleted)},
    {"WithRawQOSLevel", 5, FLAG(raw_qos)},     {"WithSubAccounts", 5, FLAG(sub_accounts)},
    {"WOPInfo", 4, FLAG(without_parent_info)}, {"WOPLimits", 4, FLAG(without_parent_limits)},
};

std::string sorted_list(const google::protobuf::RepeatedPtrField<std::string>& names) {
  std::vector<std::string> all(names.begin(), names.end());
  std::sort(all.begin(), all.end());
  return join(all, ",");
}

// "+8,1": by number, each with its sign.
std::string qos_ids(const v1::Association& record, const AssociationView& view) {
  std::vector<std::string> ids;
  const auto& names = view.own_limits_only ? record.qos() : record.qos_raw_in_force();
  for (const std::string& name : names) {
    const bool signed_one = name[0] == '+' || name[0] == '-';
    for (const v1::Qos& qos : view.books.qos()) {
      if (qos.name() != (signed_one ? name.substr(1) : name)) continue;
      ids.push_back((signed_one ? name.substr(0, 1) : "") + std::to_string(qos.id()));
    }
  }
  std::sort(ids.begin(), ids.end());
  return join(ids, ",");
}

google::protobuf::RepeatedPtrField<std::string> without_signs(
    const google::protobuf::RepeatedPtrField<std::string>& names) {
  google::protobuf::RepeatedPtrField<std::string> plain;
  for (const std::string& name : names) {
    if (name[0] != '-') plain.Add(name[0] == '+' ? name.substr(1) : std::string(name));
  }
  return plain;
}

std::string qos_text(const v1::Association& record, const AssociationView& view) {
  if (view.raw_qos) {
    return sorted_list(view.own_limits_only ? record.qos() : record.qos_raw_in_force());
  }
  if (view.own_limits_only) return sorted_list(without_signs(record.qos()));
  return sorted_list(record.qos_in_force());
}

std::string share_text(const v1::Association& record) {
  if (!record.has_shares()) return "1";
  return record.shares() == kSharesOfParent ? "parent" : std::to_string(record.shares());
}

// The older columns: one TRES of a limit.
struct Part {
  F field;
  F limit;
  std::string_view tres;
};
constexpr Part kParts[] = {
    {F::kGrpCpus, F::kGrpTres, "cpu"},
    {F::kGrpMem, F::kGrpTres, "mem"},
    {F::kGrpNodes, F::kGrpTres, "node"},
    {F::kGrpCpuMins, F::kGrpTresMins, "cpu"},
    {F::kGrpCpuRunMins, F::kGrpTresRunMins, "cpu"},
    {F::kMaxCpus, F::kMaxTres, "cpu"},
    {F::kMaxNodes, F::kMaxTres, "node"},
    {F::kMaxCpuMins, F::kMaxTresMins, "cpu"},
    {F::kMaxCpuRunMins, F::kMaxTresRunMins, "cpu"},
};

std::string limit_value(F field, const v1::Association& record, const AssociationView& view) {
  std::string_view part;
  for (const Part& row : kParts) {
    if (row.field != field) continue;
    field = row.limit;
    part = row.tres;
  }
  for (const Limit& limit : limits()) {
    if (limit.field != field || limit.label.empty()) continue;
    const v1::Limits& values =
        limit.group || view.own_limits_only ? record.limits() : record.in_force();
    if (part.empty()) return limit_text(limit, values);
    auto found = limit.amounts(values).find(std::string(part));
    return found == limit.amounts(values).end() ? "" : std::to_string(found->second);
  }
  return "";
}

bool is_below(const v1::Association& record, const Names& accounts,
              const v1::BooksResponse& books) {
  return std::any_of(books.associations().begin(), books.associations().end(),
                     [&](const v1::Association& above) {
                       return above.user().empty() && contains(accounts, above.account()) &&
                              above.cluster() == record.cluster() && above.lft() < record.lft() &&
                              record.rgt() < above.rgt();
                     });
}

bool any_in_force(const v1::Association& record, const Names& qos) {
  return std::any_of(record.qos_in_force().begin(), record.qos_in_force().end(),
                     [&](const std::string& name) { return contains(qos, name); });
}

}  // namespace

bool AssociationCondition::chooses() const {
  return !accounts.empty() || !clusters.empty() || !users.empty() || !partitions.empty() ||
         !parents.empty() || !qos.empty() || !default_qos.empty() || !ids.empty();
}

bool set_association_flag(AssociationCondition& condition, const Word& word) {
  return set_by_key<AssociationCondition>(kFlagKeys, condition, word);
}

bool set_association_condition(AssociationCondition& condition, const Word& word) {
  return set_by_key<AssociationCondition>(kConditionKeys, condition, word);
}

bool matches(const AssociationCondition& c, const v1::Association& record,
             const v1::BooksResponse& books) {
  const bool its_account = admits(c.accounts, record.account()) ||
                           (c.sub_accounts && is_below(record, c.accounts, books));
  if (!its_account || !admits(c.clusters, record.cluster())) return false;
  if (!admits(c.users, record.user()) || !admits(c.partitions, record.partition())) return false;
  if (!c.parents.empty() && (!record.user().empty() || !contains(c.parents, record.parent()))) {
    return false;
  }
  if (!admits(c.ids, std::to_string(record.id()))) return false;
  if (!admits(c.default_qos, record.default_qos_in_force())) return false;
  if (!c.qos.empty() && !any_in_force(record, c.qos)) return false;
  if (c.only_defaults && !record.is_default()) return false;
  return true;
}

std::vector<const v1::Association*> in_tree_order(
    const std::vector<const v1::Association*>& associations) {
  std::map<uint32_t, std::vector<const v1::Association*>> children;
  std::vector<const v1::Association*> top;
  std::set<uint32_t> ids;
  for (const v1::Association* record : associations) ids.insert(record->id());
  for (const v1::Association* record : associations) {
    const bool below = ids.contains(record->parent_id());
    (below ? children[record->parent_id()] : top).push_back(record);
  }
  const auto is_user = [](const v1::Association* record) { return !record->user().empty(); };
  const auto by_name = [&](const v1::Association* a, const v1::Association* b) {
    if (is_user(a) != is_user(b)) return is_user(a);
    return is_user(a) ? a->user() < b->user() : a->account() < b->account();
  };
  std::vector<const v1::Association*> out;
  const auto add = [&](auto& self, const v1::Association* record) -> void {
    out.push_back(record);
    std::vector<const v1::Association*>& below = children[record->id()];
    std::stable_sort(below.begin(), below.end(), by_name);
    for (const v1::Association* child : below) self(self, child);
  };
  if (std::all_of(top.begin(), top.end(), [](const auto* one) { return one->parent_id() == 0; })) {
    std::stable_partition(top.begin(), top.end(), is_user);
  } else {
    std::stable_sort(top.begin(), top.end(), by_name);
  }
  for (const v1::Association* record : top) add(add, record);
  return out;
}

std::string association_value(F field, const v1::Association& record, const AssociationView& view) {
  switch (field) {
    case F::kAccount:
      return record.account();
    case F::kCluster:
      return record.cluster();
    case F::kUser:
      return record.user();
    case F::kPartition:
      return record.partition();
    case F::kId:
      return std::to_string(record.id());
    case F::kLft:
      return std::to_string(record.lft());
    case F::kRgt:
      return std::to_string(record.rgt());
    case F::kParentId:
      return view.without_parent ? "0" : std::to_string(record.parent_id());
    case F::kParentName:
      return view.without_parent || !record.user().empty() ? "" : record.parent();
    case F::kShare:
      return share_text(record);
    case F::kPriority:
      if (view.own_limits_only) {
        return record.has_priority() ? std::to_string(record.priority()) : "";
      }
      return record.has_priority_in_force() ? std::to_string(record.priority_in_force()) : "";
    case F::kDefaultQos:
      return view.own_limits_only ? record.default_qos() : record.default_qos_in_force();
    case F::kQos:
      return qos_text(record, view);
    case F::kQosRaw:
      return qos_ids(record, view);
    default:
      return limit_value(field, record, view);
  }
}

std::string association_line(const v1::Association& record, int account_width) {
  std::string line = fmt::format("C = {:<10} A = ", record.cluster());
  if (!record.user().empty()) {
    line += fmt::format("{:<{}} U = {:<9}", record.account(), account_width, record.user());
    if (!record.partition().empty()) line += " P = " + record.partition();
  } else if (!record.parent().empty()) {
    line += record.account() + " of " + record.parent();
  } else {
    line += record.account();
  }
  return line;
}

const v1::Association* find_association(const v1::BooksResponse& books, std::string_view cluster,
                                        std::string_view account, std::string_view user,
                                        std::string_view partition) {
  for (const v1::Association& record : books.associations()) {
    if (record.cluster() == cluster && record.account() == account && record.user() == user &&
        record.partition() == partition && !record.stamp().deleted()) {
      return &record;
    }
  }
  return nullptr;
}

}  // namespace grappe::sacctmgr
