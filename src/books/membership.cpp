#include "books/membership.h"

#include <algorithm>

#include "model/slurm_error.h"

namespace grappe {
namespace {

const v1::Association* association_of(const Books& books, const std::string& cluster,
                                      const std::string& user, const std::string& account,
                                      const std::string& partition) {
  const auto* own = books.association(AssociationKey{cluster, account, user, partition});
  return own ? own : books.association(AssociationKey{cluster, account, user, ""});
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Without a default: the only one, or "normal", or the first there is.
std::string default_qos(const Books& books, const v1::Association* association) {
  if (!association) return books.qos(kNormalQos) ? kNormalQos : "";
  const std::string set = books.in_force(*association).default_qos_in_force();
  if (!set.empty()) return set;
  const std::vector<std::string> allowed = books.qos_in_force(*association);
  if (allowed.size() == 1 || (!allowed.empty() && !holds(allowed, kNormalQos))) {
    return allowed.front();
  }
  return books.qos(kNormalQos) ? kNormalQos : "";
}

// Where QoS are not enforced one that is not allowed is taken, and of an unknown one nothing is
// left.
Result<std::string> qos_of(const Books& books, const AccountingEnforce& enforce,
                           const v1::Association* association, const std::string& asked) {
  const std::string name = asked.empty() ? default_qos(books, association) : book_name(asked);
  const bool known = books.qos(name) != nullptr;
  const bool allowed = !association || holds(books.qos_in_force(*association), name);
  if (enforce.qos && (!known || !allowed)) return slurm_fail(kErrInvalidQos);
  return known ? name : "";
}

// Tracked only where TrackWCKey says so; one that was not asked for is marked.
Result<std::string> wckey_of(const Books& books, const AccountingConfig& rules,
                             const std::string& cluster, const std::string& user,
                             const std::string& asked) {
  if (!rules.track_wckey) return asked;
  const v1::User* owner = books.user(user);
  const std::string by_default = owner ? owner->default_wckey() : "";
  v1::Wckey key;
  key.set_cluster(cluster);
  key.set_user(user);
  key.set_name(asked.empty() ? by_default : asked);
  auto found = books.wckeys().find(wckey_name(key));
  const bool known = found != books.wckeys().end() && !found->second->stamp().deleted();
  if (rules.enforce.wckeys && !known) return slurm_fail(kErrInvalidWckey);
  return asked.empty() ? "*" + by_default : asked;
}

}  // namespace

Result<Membership> membership(const Books& books, const AccountingConfig& rules,
                              const std::string& cluster, const MembershipWish& wish) {
  Membership out;
  const std::string user = book_name(wish.user);
  const v1::User* owner = books.user(user);
  const std::string by_default = owner ? owner->default_account() : "";
  out.account = wish.account.empty() ? by_default : book_name(wish.account);
  auto find = [&](const std::string& account) {
    return association_of(books, cluster, user, account, wish.partition);
  };
  const v1::Association* association = find(out.account);
  if (!association && rules.enforce.associations) return slurm_fail(kErrInvalidAccount);
  // Somebody who has an account does not run on one that is not his.
  if (!association) association = find(by_default);
  if (association) {
    out.assoc_id = association->id();
    out.account = association->account();
  }
  auto qos = qos_of(books, rules.enforce, association, wish.qos);
  if (!qos) return tl::unexpected(qos.error());
  out.qos = std::move(*qos);
  auto wckey = wckey_of(books, rules, cluster, user, wish.wckey);
  if (!wckey) return tl::unexpected(wckey.error());
  out.wckey = std::move(*wckey);
  return out;
}

}  // namespace grappe
