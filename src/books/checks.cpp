#include "books/checks.h"

#include <fmt/core.h>

#include <algorithm>

#include "model/slurm_error.h"

namespace grappe {
namespace {

constexpr size_t kLongestName = 200;

using Amounts = google::protobuf::Map<std::string, google::protobuf::uint64>;

bool amounts_known(const Books& books, const Amounts& amounts) {
  return std::all_of(amounts.begin(), amounts.end(),
                     [&](const auto& entry) { return books.tres().contains(entry.first); });
}

bool limits_known(const Books& books, const v1::Limits& l) {
  const Amounts* all[] = {&l.grp_tres(),
                          &l.grp_tres_mins(),
                          &l.grp_tres_run_mins(),
                          &l.max_tres(),
                          &l.max_tres_per_node(),
                          &l.max_tres_mins(),
                          &l.max_tres_run_mins(),
                          &l.max_tres_per_user(),
                          &l.max_tres_per_account(),
                          &l.max_tres_run_mins_per_user(),
                          &l.max_tres_run_mins_per_account(),
                          &l.min_tres()};
  return std::all_of(std::begin(all), std::end(all),
                     [&](const Amounts* amounts) { return amounts_known(books, *amounts); });
}

std::string without_sign(const std::string& qos) {
  return !qos.empty() && (qos.front() == '+' || qos.front() == '-') ? qos.substr(1) : qos;
}

Status check_place(const Books& books, const v1::Association& a) {
  if (!books.cluster(a.cluster())) return fail("there is no cluster " + a.cluster());
  if (!books.account(a.account())) return slurm_fail(kErrInvalidAccount);
  if (!a.user().empty()) {
    if (!books.user(a.user())) return slurm_fail(kErrUserId);
    const bool there = books.association(AssociationKey{a.cluster(), a.account(), "", ""});
    return there ? Status{} : slurm_fail(kErrInvalidAccount);
  }
  if (!a.partition().empty()) return fail("only a user's association may be for a partition");
  if (a.account() == kRootAccount) {
    return a.parent().empty() ? Status{} : fail("the account root has no parent");
  }
  const auto* above = books.association(AssociationKey{a.cluster(), a.parent(), "", ""});
  if (!above) return fail("there is no account " + a.parent() + " to be the parent");
  if (books.is_under(*above, a.account())) {
    return fail("the account " + a.account() + " can't be below itself");
  }
  return {};
}

}  // namespace

Status check_name(const std::string& name) {
  const bool good = !name.empty() && name.size() <= kLongestName &&
                    std::all_of(name.begin(), name.end(), [](char c) {
                      return static_cast<unsigned char>(c) > ' ' && c != ',' && c != '|' &&
                             c != '\'' && c != '"' && c != '=' && c != 0x7f;
                    });
  return good ? Status{}
              : fail(kErrBadName, "'" + name.substr(0, kLongestName) +
                                      "' can't be a name: it is empty, too long, or has "
                                      "a space, a comma, a quote, '|' or '=' in it");
}

Status check_association(const Books& books, const v1::Association& association) {
  if (Status ok = check_place(books, association); !ok) return ok;
  for (const std::string& entry : association.qos()) {
    if (!books.qos(without_sign(entry))) return slurm_fail(kErrInvalidQos);
  }
  // Whether it may be used is asked of the jobs: Slurm lets a new one have a default that it has
  // no right to yet.
  const std::string& standard = association.default_qos();
  if (!standard.empty() && !books.qos(standard)) return slurm_fail(kErrInvalidQos);
  return limits_known(books, association.limits()) ? Status{} : slurm_fail(kErrInvalidTres);
}

Status check_qos(const Books& books, const v1::Qos& qos) {
  for (const std::string& name : qos.preempt()) {
    if (!books.qos(name)) return slurm_fail(kErrInvalidQos);
  }
  return limits_known(books, qos.limits()) ? Status{} : slurm_fail(kErrInvalidTres);
}

bool has_association(const Books& books, const AssociationKey& key) {
  if (books.association(key)) return true;
  return std::any_of(books.associations().begin(), books.associations().end(),
                     [&](const auto& entry) {
                       const v1::Association& a = *entry.second;
                       return !a.stamp().deleted() && a.cluster() == key.cluster &&
                              a.account() == key.account && a.user() == key.user;
                     });
}

const v1::Association* any_association(const Books& books, const std::string& cluster,
                                       const std::string& user) {
  for (const auto& [id, association] : books.associations()) {
    if (association->cluster() == cluster && association->user() == user &&
        !association->stamp().deleted()) {
      return association.get();
    }
  }
  return nullptr;
}

bool names_qos(const v1::Association& association, const std::string& qos) {
  return association.default_qos() == qos ||
         std::any_of(association.qos().begin(), association.qos().end(),
                     [&](const std::string& entry) { return without_sign(entry) == qos; });
}

void erase_name(google::protobuf::RepeatedPtrField<std::string>& names, const std::string& name) {
  names.erase(std::remove(names.begin(), names.end(), name), names.end());
}

}  // namespace grappe
