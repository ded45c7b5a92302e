#include "books/roles.h"

#include <google/protobuf/util/message_differencer.h>

#include <algorithm>
#include <set>

#include "model/slurm_error.h"

namespace grappe {
namespace {

using google::protobuf::util::MessageDifferencer;

Status allow_if(bool allowed) {
  return allowed ? Status{} : slurm_fail(kErrAccessDenied);
}

bool named_coordinator(const v1::Account& account, const std::string& user) {
  const auto& names = account.coordinators();
  return std::find(names.begin(), names.end(), user) != names.end();
}

// Of this account on any cluster: accounts are the same on all of them.
bool coordinates_account(const Books& books, const Role& role, const std::string& account) {
  for (const auto& [name, cluster] : books.clusters()) {
    if (coordinates(books, role, name, account)) return true;
  }
  return false;
}

// Everything that the account belongs to is his as well.
bool coordinates_all_above(const Books& books, const Role& role, const std::string& account) {
  for (const auto& [name, cluster] : books.clusters()) {
    const auto* at = books.association(AssociationKey{name, account, "", ""});
    if (at && !coordinates(books, role, name, at->parent())) return false;
  }
  return true;
}

bool only_defaults_differ(const v1::User& before, v1::User after) {
  after.set_default_account(before.default_account());
  after.set_default_wckey(before.default_wckey());
  *after.mutable_stamp() = before.stamp();
  return MessageDifferencer::Equals(before, after);
}

// What a coordinator may give to others: what he may use himself.
bool gives_only_his_qos(const Books& books, const Role& role, const v1::Association* before,
                        const v1::Association& after) {
  std::set<std::string> his;
  for (const auto& [id, own] : books.associations()) {
    if (own->user() != role.user || own->stamp().deleted()) continue;
    for (std::string& name : books.qos_in_force(*own)) his.insert(std::move(name));
  }
  std::set<std::string> had;
  if (before) had.insert(before->qos().begin(), before->qos().end());
  return std::all_of(after.qos().begin(), after.qos().end(), [&](const std::string& entry) {
    if (entry.empty() || entry.front() == '-' || had.contains(entry)) return true;
    return his.contains(entry.front() == '+' ? entry.substr(1) : entry);
  });
}

template <class Amounts>
bool amounts_within(const Amounts& own, const Amounts& parents) {
  return std::all_of(own.begin(), own.end(), [&](const auto& entry) {
    auto bound = parents.find(entry.first);
    return bound == parents.end() || entry.second <= bound->second;
  });
}

template <class Amounts>
void forget_same(const Amounts& before, Amounts& after) {
  for (const auto& [name, amount] : before) {
    auto found = after.find(name);
    if (found != after.end() && found->second == amount) after.erase(found);
  }
}

// Without what was there before: those above have set it, and it may stay.
v1::Association what_is_new(const v1::Association* before, v1::Association after) {
  if (!before) return after;
  const v1::Limits& was = before->limits();
  v1::Limits& is = *after.mutable_limits();
  if (was.has_max_jobs() && was.max_jobs() == is.max_jobs()) is.clear_max_jobs();
  if (was.has_max_jobs_accrue() && was.max_jobs_accrue() == is.max_jobs_accrue()) {
    is.clear_max_jobs_accrue();
  }
  if (was.has_max_submit_jobs() && was.max_submit_jobs() == is.max_submit_jobs()) {
    is.clear_max_submit_jobs();
  }
  if (was.has_max_wall() && was.max_wall() == is.max_wall()) is.clear_max_wall();
  if (before->has_priority() && before->priority() == after.priority()) after.clear_priority();
  forget_same(was.max_tres(), *is.mutable_max_tres());
  forget_same(was.max_tres_per_node(), *is.mutable_max_tres_per_node());
  forget_same(was.max_tres_mins(), *is.mutable_max_tres_mins());
  forget_same(was.max_tres_run_mins(), *is.mutable_max_tres_run_mins());
  return after;
}

// A limit of one's own counts instead of the parent's: it must not be a way around it.
bool within_parents(const Books& books, const v1::Association& after) {
  const v1::Association* above = books.parent(after);
  if (!above) return true;
  const v1::Association in_force = books.in_force(*above);
  const v1::Limits& most = in_force.in_force();
  const v1::Limits& own = after.limits();
  auto within = [](bool has, uint32_t value, bool bounded, uint32_t bound) {
    return !has || !bounded || value <= bound;
  };
  return within(own.has_max_jobs(), own.max_jobs(), most.has_max_jobs(), most.max_jobs()) &&
         within(own.has_max_jobs_accrue(), own.max_jobs_accrue(), most.has_max_jobs_accrue(),
                most.max_jobs_accrue()) &&
         within(own.has_max_submit_jobs(), own.max_submit_jobs(), most.has_max_submit_jobs(),
                most.max_submit_jobs()) &&
         within(own.has_max_wall(), own.max_wall(), most.has_max_wall(), most.max_wall()) &&
         within(after.has_priority(), after.priority(), true, in_force.priority_in_force()) &&
         amounts_within(own.max_tres(), most.max_tres()) &&
         amounts_within(own.max_tres_per_node(), most.max_tres_per_node()) &&
         amounts_within(own.max_tres_mins(), most.max_tres_mins()) &&
         amounts_within(own.max_tres_run_mins(), most.max_tres_run_mins());
}

}  // namespace

bool coordinates(const Books& books, const Role& role, const std::string& cluster,
                 const std::string& account) {
  const auto* at = books.association(AssociationKey{cluster, account, "", ""});
  for (; at; at = books.parent(*at)) {
    const v1::Account* record = books.account(at->account());
    if (record && named_coordinator(*record, role.user)) return true;
  }
  return false;
}

bool is_coordinator(const Books& books, const Role& role) {
  return std::any_of(books.accounts().begin(), books.accounts().end(), [&](const auto& entry) {
    return !entry.second->stamp().deleted() && named_coordinator(*entry.second, role.user);
  });
}

Status may_reset_usage(const Role& role) {
  return allow_if(role.at_least(v1::ADMIN_ADMINISTRATOR));
}

Status may_change(const Books& books, const Role& role, const v1::Account* before,
                  const v1::Account* after) {
  if (role.at_least(v1::ADMIN_OPERATOR)) return {};
  // An account alone gives nothing to anybody: what counts is where it is put.
  if (!before) return allow_if(is_coordinator(books, role) && after->coordinators().empty());
  if (!coordinates_account(books, role, before->name())) return slurm_fail(kErrAccessDenied);
  // His own account stays: only those above it take it away.
  if (!after) return allow_if(coordinates_all_above(books, role, before->name()));
  v1::Account same = *after;
  *same.mutable_coordinators() = before->coordinators();
  *same.mutable_stamp() = before->stamp();
  return allow_if(MessageDifferencer::Equals(*before, same));
}

Status may_change(const Books& books, const Role& role, const v1::User* before,
                  const v1::User* after) {
  const v1::AdminLevel was = before ? before->admin_level() : v1::ADMIN_NONE;
  const v1::AdminLevel becomes = after ? after->admin_level() : v1::ADMIN_NONE;
  const bool touches_level = was != becomes || !after;
  if (touches_level && !role.at_least(std::max(was, becomes))) return slurm_fail(kErrAccessDenied);
  if (role.at_least(v1::ADMIN_OPERATOR)) return {};
  if (was != becomes) return slurm_fail(kErrAccessDenied);
  if (before && after && before->name() == role.user && only_defaults_differ(*before, *after)) {
    return {};
  }
  if (!before) return allow_if(is_coordinator(books, role));
  if (after)
    return allow_if(coordinates_account(books, role, after->default_account()) &&
                    only_defaults_differ(*before, *after));
  // Only of his own: nobody who has something elsewhere.
  for (const auto& [id, own] : books.associations()) {
    if (own->user() != before->name() || own->stamp().deleted()) continue;
    if (!coordinates(books, role, own->cluster(), own->account())) {
      return slurm_fail(kErrAccessDenied);
    }
  }
  return allow_if(is_coordinator(books, role));
}

Status may_change(const Books& books, const Role& role, const v1::Association* before,
                  const v1::Association* after) {
  if (role.at_least(v1::ADMIN_OPERATOR)) return {};
  // The limits of an account are set by those above it.
  auto is_his = [&](const v1::Association& a) {
    return coordinates(books, role, a.cluster(), a.user().empty() ? a.parent() : a.account());
  };
  if (before && !is_his(*before)) return slurm_fail(kErrAccessDenied);
  if (!after) return {};
  return allow_if(is_his(*after) && gives_only_his_qos(books, role, before, *after) &&
                  within_parents(books, what_is_new(before, *after)));
}

Status may_change(const Books&, const Role& role, const v1::Qos*, const v1::Qos*) {
  return allow_if(role.at_least(v1::ADMIN_ADMINISTRATOR));
}
Status may_change(const Books&, const Role& role, const v1::ClusterRecord*,
                  const v1::ClusterRecord*) {
  return allow_if(role.at_least(v1::ADMIN_ADMINISTRATOR));
}
Status may_change(const Books&, const Role& role, const v1::Wckey*, const v1::Wckey*) {
  return allow_if(role.at_least(v1::ADMIN_OPERATOR));
}
Status may_change(const Books&, const Role& role, const v1::Resource*, const v1::Resource*) {
  return allow_if(role.at_least(v1::ADMIN_OPERATOR));
}

}  // namespace grappe
