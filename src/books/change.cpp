#include "books/change.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "books/checks.h"
#include "books/record_text.h"
#include "model/slurm_error.h"

namespace grappe {
namespace {

constexpr int64_t kForgottenWithoutTrace = 24 * 3600;

// One change under way.
class Change {
 public:
  Change(const Books& books, const ChangeContext& context) : context_(context) {
    out_.books = books;
  }

  Status apply(const v1::BooksOp& op) {
    switch (op.what_case()) {
      case v1::BooksOp::kAccount:
        return op.remove() ? remove(op.account()) : put(op.account());
      case v1::BooksOp::kUser:
        return op.remove() ? remove(op.user()) : put(op.user());
      case v1::BooksOp::kAssociation:
        return op.remove() ? remove(op.association()) : put(op.association());
      case v1::BooksOp::kQos:
        return op.remove() ? remove(op.qos()) : put(op.qos());
      case v1::BooksOp::kCluster:
        return op.remove() ? remove(op.cluster()) : put(op.cluster());
      case v1::BooksOp::kWckey:
        return op.remove() ? remove(op.wckey()) : put(op.wckey());
      case v1::BooksOp::kResource:
        return op.remove() ? remove(op.resource()) : put(op.resource());
      case v1::BooksOp::WHAT_NOT_SET:
        break;
    }
    return fail("a change of the books without a record");
  }

  // The engine forgets what was used; the books say who may ask for it, and tell of it.
  Status reset_usage() {
    if (Status ok = may_reset_usage(context_.role); !ok) return ok;
    if (out_.transactions.empty()) return {};
    std::string& info = *out_.transactions.back().mutable_info();
    info += info.empty() ? "raw_usage=0" : ", raw_usage=0";
    return {};
  }

  Result<ChangedBooks> done() {
    if (Status ok = check_defaults(); !ok) return tl::unexpected(ok.error());
    return std::move(out_);
  }

 private:
  Books& books() { return out_.books; }

  void log(const char* action, const std::string& where, std::string info) {
    v1::Transaction& entry = out_.transactions.emplace_back();
    entry.set_time(context_.now);
    entry.set_action(action);
    entry.set_actor(context_.role.user);
    entry.set_where(where);
    entry.set_info(std::move(info));
  }

  // The new record with its stamp; refused when somebody else was faster, or without the right.
  template <class Record>
  Status renew(const Record* before, Record& after) {
    if (Status ok = may_change(books(), context_.role, before, &after); !ok) return ok;
    const uint64_t seen = after.stamp().version();
    const uint64_t is = before ? before->stamp().version() : 0;
    if (seen != is) {
      return fail(seen == 0 ? "it is there already"
                            : "it was changed by somebody else meanwhile: look again");
    }
    v1::Stamp stamp;
    if (before) stamp = before->stamp();
    if (!before) stamp.set_created(context_.now);
    stamp.set_modified(context_.now);
    stamp.set_version(is + 1);
    *after.mutable_stamp() = stamp;
    return {};
  }

  template <class Record>
  Status store(const Record* before, Record after, const char* kind, const std::string& name) {
    if (Status ok = renew(before, after); !ok) return ok;
    std::string info = change_text(before, after);
    log((std::string(before ? "Modify " : "Add ") + kind).c_str(), name, std::move(info));
    books().put(std::move(after));
    return {};
  }

  // Without a trace when it is new and nobody has used it, otherwise only marked.
  template <class Record>
  void drop(const Record& record) {
    const bool fresh = context_.now - record.stamp().created() < kForgottenWithoutTrace;
    if (fresh && !record.stamp().used()) return books().erase(record);
    Record kept = record;
    kept.mutable_stamp()->set_deleted(true);
    kept.mutable_stamp()->set_modified(context_.now);
    kept.mutable_stamp()->set_version(record.stamp().version() + 1);
    books().put(std::move(kept));
  }

  Status put(v1::Account account);
  Status put(v1::User user);
  Status put(v1::Association association);
  Status put(v1::Qos qos);
  Status put(v1::ClusterRecord cluster);
  Status put(v1::Wckey wckey);
  Status put(v1::Resource resource);
  Status remove(const v1::Account& account);
  Status remove(const v1::User& user);
  Status remove(const v1::Association& association);
  Status remove(const v1::Qos& qos);
  Status remove(const v1::ClusterRecord& cluster);
  Status remove(const v1::Wckey& wckey);
  Status remove(const v1::Resource& resource);

  Status make_way(const v1::Association& association);
  Status drop_below(const v1::Association& top);
  Status check_defaults();

  const ChangeContext& context_;
  ChangedBooks out_;
  std::set<std::string> bereft_;  // users who have lost their default association
};

Status Change::put(v1::Account account) {
  account.set_name(book_name(account.name()));
  if (Status ok = check_name(account.name()); !ok) return ok;
  for (const std::string& name : account.coordinators()) {
    if (!books().user(name)) return fail("there is no user " + name);
  }
  const v1::Account* before = books().account(account.name());
  const std::string name = account.name();
  return store(before, std::move(account), "Accounts", name);
}

Status Change::put(v1::User user) {
  user.set_name(book_name(user.name()));
  if (Status ok = check_name(user.name()); !ok) return ok;
  const v1::User* before = books().user(user.name());
  const bool new_default = before && before->default_account() != user.default_account();
  if (new_default && !user.default_account().empty()) {
    auto has_place = [&](const auto& cluster) {
      return has_association(books(), {cluster.first, user.default_account(), user.name(), ""});
    };
    if (std::none_of(books().clusters().begin(), books().clusters().end(), has_place)) {
      return slurm_fail(kErrInvalidAccount);
    }
  }
  if (!before && !books().account(user.default_account())) user.clear_default_account();
  const std::string name = user.name();
  return store(before, std::move(user), "Users", name);
}

// What follows from the parents is nobody's to say: whoever puts a record back has it in there.
void clear_what_follows(v1::Association& association) {
  association.clear_parent_id();
  association.clear_lft();
  association.clear_rgt();
  association.clear_in_force();
  association.clear_default_qos_in_force();
  association.clear_qos_in_force();
  association.clear_qos_raw_in_force();
  association.clear_priority_in_force();
  association.clear_is_default();
}

// What an account is put below must not be below that account: it takes its place first.
Status Change::make_way(const v1::Association& association) {
  const AssociationKey key = association_key(association);
  const v1::Association* before = books().association(key);
  const v1::Association* above =
      books().association(AssociationKey{key.cluster, association.parent(), "", ""});
  const bool moved = before && key.user.empty() && before->parent() != association.parent();
  if (!moved || !above || above == before) return {};
  if (!books().is_under(*above, key.account)) return {};
  v1::Association parent = *above;
  parent.set_parent(before->parent());
  return put(std::move(parent));
}

Status Change::put(v1::Association association) {
  clear_what_follows(association);
  if (Status ok = make_way(association); !ok) return ok;
  if (Status ok = check_association(books(), association); !ok) return ok;
  const v1::Association* before = books().association(association_key(association));
  const v1::Association* once = books().ever(association_key(association));
  if (before) {
    association.set_id(before->id());
  } else {
    association.set_id(once ? once->id() : books().next_association_id());
  }
  if (!association.user().empty()) association.set_parent(association.account());
  const bool used = once && once->stamp().used();
  const std::string where = key_text(association);
  const AssociationKey key = association_key(association);
  if (Status ok = store(before, std::move(association), "Associations", where); !ok) return ok;
  if (used && !before) {
    v1::Association again = *books().association(key);
    again.mutable_stamp()->set_used(true);
    books().put(std::move(again));
  }
  const v1::User* user = books().user(key.user);
  if (user && user->default_account().empty()) {
    v1::User owner = *user;
    owner.set_default_account(key.account);
    books().put(std::move(owner));
  }
  return {};
}

Status Change::put(v1::Qos qos) {
  qos.set_name(book_name(qos.name()));
  if (Status ok = check_name(qos.name()); !ok) return ok;
  if (Status ok = check_qos(books(), qos); !ok) return ok;
  const v1::Qos* before = books().qos(qos.name());
  uint32_t highest = 0;
  for (const auto& [name, other] : books().qos()) highest = std::max(highest, other->id());
  auto once = books().qos().find(qos.name());
  if (before) {
    qos.set_id(before->id());
  } else {
    qos.set_id(once == books().qos().end() ? highest + 1 : once->second->id());
  }
  const std::string name = qos.name();
  return store(before, std::move(qos), "QOS", name);
}

Status Change::put(v1::ClusterRecord cluster) {
  cluster.set_name(book_name(cluster.name()));
  if (Status ok = check_name(cluster.name()); !ok) return ok;
  const v1::ClusterRecord* before = books().cluster(cluster.name());
  const std::string name = cluster.name();
  if (Status ok = store(before, std::move(cluster), "Clusters", name); !ok) return ok;
  add_first_records(books(), name, "", {}, context_.now);
  return {};
}

Status Change::put(v1::Wckey wckey) {
  wckey.set_user(book_name(wckey.user()));
  if (!books().user(wckey.user())) return fail("there is no user " + wckey.user());
  auto found = books().wckeys().find(wckey_name(wckey));
  const v1::Wckey* before = nullptr;
  if (found != books().wckeys().end()) {
    wckey.set_id(found->second->id());
    if (!found->second->stamp().deleted()) before = found->second.get();
  } else {
    uint32_t highest = 0;
    for (const auto& [name, other] : books().wckeys()) highest = std::max(highest, other->id());
    wckey.set_id(highest + 1);
  }
  const std::string name = wckey_name(wckey);
  return store(before, std::move(wckey), "WCKeys", name);
}

Status Change::put(v1::Resource resource) {
  if (Status ok = check_name(resource.name()); !ok) return ok;
  for (const auto& [cluster, percent] : resource.allowed()) {
    if (!books().cluster(cluster)) return fail("there is no cluster " + cluster);
  }
  auto found = books().resources().find(resource_name(resource));
  const v1::Resource* before = nullptr;
  if (found != books().resources().end() && !found->second->stamp().deleted()) {
    before = found->second.get();
    resource.set_id(before->id());
  } else {
    uint32_t highest = 0;
    for (const auto& [name, other] : books().resources()) highest = std::max(highest, other->id());
    resource.set_id(highest + 1);
  }
  const std::string name = resource_name(resource);
  return store(before, std::move(resource), "Resources", name);
}

// An association and all below it.
Status Change::drop_below(const v1::Association& top) {
  std::vector<v1::Association> gone;
  for (const v1::Association* at : books().tree(top.cluster())) {
    if (at->id() == top.id() || (top.user().empty() && books().is_under(*at, top.account()))) {
      gone.push_back(*at);
    }
  }
  std::vector<std::string> in_the_way;
  for (const v1::Association& at : gone) {
    if (at.cluster() != context_.cluster || !context_.jobs_in_the_way) continue;
    for (std::string& line : context_.jobs_in_the_way(at)) in_the_way.push_back(std::move(line));
  }
  if (!in_the_way.empty()) {
    Error error = slurm_fail(kErrJobsActive).value();
    error.notes = std::move(in_the_way);
    return tl::unexpected(error);
  }
  for (const v1::Association& at : gone) {
    const v1::User* user = books().user(at.user());
    if (user && user->default_account() == at.account()) bereft_.insert(at.user());
    log("Remove Associations", key_text(at), "");
    drop(at);
  }
  return {};
}

Status Change::remove(const v1::Account& wanted) {
  const v1::Account* account = books().account(book_name(wanted.name()));
  if (!account) return slurm_fail(kErrInvalidAccount);
  if (account->name() == kRootAccount) return fail("the account root can't be removed");
  if (Status ok = may_change(books(), context_.role, account, nullptr); !ok) return ok;
  const v1::Account gone = *account;
  std::vector<std::string> clusters;
  for (const auto& [name, cluster] : books().clusters()) clusters.push_back(name);
  for (const std::string& cluster : clusters) {
    const auto* top = books().association(AssociationKey{cluster, gone.name(), "", ""});
    if (!top) continue;
    if (Status ok = drop_below(v1::Association(*top)); !ok) return ok;
  }
  log("Remove Accounts", gone.name(), "");
  drop(gone);
  return {};
}

Status Change::remove(const v1::User& wanted) {
  const v1::User* user = books().user(book_name(wanted.name()));
  if (!user) return slurm_fail(kErrUserId);
  if (Status ok = may_change(books(), context_.role, user, nullptr); !ok) return ok;
  const v1::User gone = *user;
  std::vector<v1::Association> own;
  for (const auto& [id, association] : books().associations()) {
    if (association->user() == gone.name() && !association->stamp().deleted()) {
      own.push_back(*association);
    }
  }
  for (const v1::Association& association : own) {
    if (Status ok = drop_below(association); !ok) return ok;
  }
  std::vector<v1::Account> coordinated;
  for (const auto& [name, account] : books().accounts()) {
    const auto& names = account->coordinators();
    if (std::find(names.begin(), names.end(), gone.name()) != names.end()) {
      coordinated.push_back(*account);
    }
  }
  for (v1::Account& account : coordinated) {
    erase_name(*account.mutable_coordinators(), gone.name());
    books().put(std::move(account));
  }
  log("Remove Users", gone.name(), "");
  drop(gone);
  bereft_.erase(gone.name());
  return {};
}

Status Change::remove(const v1::Association& wanted) {
  const v1::Association* association = books().association(association_key(wanted));
  if (!association) return slurm_fail(kErrInvalidAccount);
  if (association->user().empty() && association->parent().empty()) {
    return fail("the root of a cluster can't be removed");
  }
  if (Status ok = may_change(books(), context_.role, association, nullptr); !ok) return ok;
  return drop_below(v1::Association(*association));
}

Status Change::remove(const v1::Qos& wanted) {
  const v1::Qos* qos = books().qos(book_name(wanted.name()));
  if (!qos) return slurm_fail(kErrInvalidQos);
  if (Status ok = may_change(books(), context_.role, qos, nullptr); !ok) return ok;
  const v1::Qos gone = *qos;
  std::vector<v1::Association> holders;
  for (const auto& [id, association] : books().associations()) {
    if (names_qos(*association, gone.name())) holders.push_back(*association);
  }
  for (v1::Association& holder : holders) {
    for (const char* sign : {"", "+", "-"}) erase_name(*holder.mutable_qos(), sign + gone.name());
    if (holder.default_qos() == gone.name()) holder.clear_default_qos();
    holder.mutable_stamp()->set_version(holder.stamp().version() + 1);
    books().put(std::move(holder));
  }
  std::vector<v1::Qos> preemptors;
  for (const auto& [name, other] : books().qos()) {
    const auto& names = other->preempt();
    if (std::find(names.begin(), names.end(), gone.name()) != names.end()) {
      preemptors.push_back(*other);
    }
  }
  for (v1::Qos& other : preemptors) {
    erase_name(*other.mutable_preempt(), gone.name());
    books().put(std::move(other));
  }
  log("Remove QOS", gone.name(), "");
  drop(gone);
  return {};
}

Status Change::remove(const v1::ClusterRecord& wanted) {
  const v1::ClusterRecord* cluster = books().cluster(book_name(wanted.name()));
  if (!cluster) return fail("there is no cluster " + wanted.name());
  if (cluster->name() == context_.cluster) {
    return fail("the cluster " + context_.cluster + " is this service: it can't be removed");
  }
  if (Status ok = may_change(books(), context_.role, cluster, nullptr); !ok) return ok;
  const v1::ClusterRecord gone = *cluster;
  const auto* root = books().association(AssociationKey{gone.name(), kRootAccount, "", ""});
  if (root) {
    if (Status ok = drop_below(v1::Association(*root)); !ok) return ok;
  }
  log("Remove Clusters", gone.name(), "");
  drop(gone);
  return {};
}

Status Change::remove(const v1::Wckey& wanted) {
  auto found = books().wckeys().find(wckey_name(wanted));
  if (found == books().wckeys().end()) return slurm_fail(kErrInvalidWckey);
  const v1::Wckey gone = *found->second;
  if (Status ok = may_change(books(), context_.role, &gone, nullptr); !ok) return ok;
  log("Remove WCKeys", wckey_name(gone), "");
  drop(gone);
  return {};
}

Status Change::remove(const v1::Resource& wanted) {
  auto found = books().resources().find(resource_name(wanted));
  if (found == books().resources().end()) return fail("there is no resource " + wanted.name());
  const v1::Resource gone = *found->second;
  if (Status ok = may_change(books(), context_.role, &gone, nullptr); !ok) return ok;
  log("Remove Resources", resource_name(gone), "");
  drop(gone);
  return {};
}

// Whoever keeps an association keeps a default one.
Status Change::check_defaults() {
  std::vector<std::string> in_the_way;
  for (const std::string& name : bereft_) {
    const v1::User* user = books().user(name);
    if (!user || has_association(books(), {context_.cluster, user->default_account(), name, ""})) {
      continue;
    }
    const v1::Association* left = any_association(books(), context_.cluster, name);
    if (left) {
      in_the_way.push_back(key_text(*left));
      continue;
    }
    v1::User without = *user;
    without.clear_default_account();
    books().put(std::move(without));
  }
  if (in_the_way.empty()) return {};
  Error error = slurm_fail(kErrNoRemoveDefaultAccount).value();
  error.notes = std::move(in_the_way);
  return tl::unexpected(error);
}

}  // namespace

Result<ChangedBooks> change_books(const Books& books, const ChangeContext& context,
                                  const v1::ChangeBooksRequest& request) {
  Change change(books, context);
  for (const v1::BooksOp& op : request.ops()) {
    if (Status ok = change.apply(op); !ok) return tl::unexpected(ok.error());
    if (!op.reset_usage()) continue;
    if (Status ok = change.reset_usage(); !ok) return tl::unexpected(ok.error());
  }
  return change.done();
}

}  // namespace grappe
