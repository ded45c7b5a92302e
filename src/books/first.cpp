// What the books of a cluster begin with.
#include <algorithm>

#include "books/change.h"

namespace grappe {
namespace {

v1::Stamp first_stamp(int64_t now) {
  v1::Stamp stamp;
  stamp.set_created(now);
  stamp.set_modified(now);
  stamp.set_version(1);
  return stamp;
}

// The numbers are Slurm's; what a site adds itself is counted from 1001.
constexpr const char* kBuiltInTres[] = {"cpu",     "mem",     "energy", "node",
                                        "billing", "fs/disk", "vmem",   "pages"};
constexpr uint32_t kFirstOwnTres = 1001;

bool add_tres(Books& books, const std::string& name, uint32_t id) {
  if (books.tres().contains(name)) return false;
  v1::Tres tres;
  tres.set_id(id);
  const size_t slash = name.find('/');
  tres.set_type(name.substr(0, slash));
  if (slash != std::string::npos) tres.set_name(name.substr(slash + 1));
  books.put(std::move(tres));
  return true;
}

bool add_all_tres(Books& books, const std::vector<std::string>& names) {
  bool added = false;
  uint32_t id = 0;
  for (const char* name : kBuiltInTres) added |= add_tres(books, name, ++id);
  uint32_t next = kFirstOwnTres;
  for (const auto& [name, tres] : books.tres()) next = std::max(next, tres->id() + 1);
  for (const std::string& name : names) {
    if (!add_tres(books, name, next)) continue;
    ++next;
    added = true;
  }
  return added;
}

void add_association(Books& books, const AssociationKey& key, int64_t now) {
  if (books.association(key)) return;
  v1::Association association;
  association.set_id(books.next_association_id());
  association.set_cluster(key.cluster);
  association.set_account(key.account);
  association.set_parent(key.user.empty() ? kRootAccount : key.account);
  association.set_user(key.user);
  *association.mutable_stamp() = first_stamp(now);
  books.put(std::move(association));
}

void add_user(Books& books, const AssociationKey& key, v1::AdminLevel level, int64_t now) {
  if (!books.user(key.user)) {
    v1::User user;
    user.set_name(key.user);
    user.set_default_account(key.account);
    user.set_admin_level(level);
    *user.mutable_stamp() = first_stamp(now);
    books.put(std::move(user));
  }
  add_association(books, key, now);
}

void add_account(Books& books, const std::string& name, const char* description, int64_t now) {
  if (books.account(name)) return;
  v1::Account account;
  account.set_name(name);
  account.set_description(description);
  account.set_organization(name);
  *account.mutable_stamp() = first_stamp(now);
  books.put(std::move(account));
}

void add_root_account(Books& books, const std::string& cluster, int64_t now) {
  add_account(books, kRootAccount, "default root account", now);
  v1::Association top;
  top.set_id(books.next_association_id());
  top.set_cluster(cluster);
  top.set_account(kRootAccount);
  top.add_qos(kNormalQos);
  *top.mutable_stamp() = first_stamp(now);
  books.put(std::move(top));
}

void add_normal_qos(Books& books, int64_t now) {
  v1::Qos normal;
  normal.set_id(1);
  normal.set_name(kNormalQos);
  normal.set_description("Normal QOS default");
  *normal.mutable_stamp() = first_stamp(now);
  books.put(std::move(normal));
}

}  // namespace

bool add_first_records(Books& books, const std::string& cluster, const std::string& owner,
                       const std::vector<std::string>& tres, int64_t now) {
  bool added = add_all_tres(books, tres);
  if (books.qos().empty()) {
    add_normal_qos(books, now);
    added = true;
  }
  if (!books.cluster(cluster)) {
    v1::ClusterRecord record;
    record.set_name(cluster);
    *record.mutable_stamp() = first_stamp(now);
    books.put(std::move(record));
    added = true;
  }
  if (books.association(AssociationKey{cluster, kRootAccount, "", ""})) return added;
  add_root_account(books, cluster, now);
  for (const std::string& name : {std::string(kRootAccount), owner}) {
    if (name.empty()) continue;
    add_user(books, {cluster, kRootAccount, name, ""}, v1::ADMIN_ADMINISTRATOR, now);
  }
  return true;
}

bool add_place(Books& books, const std::string& cluster, const std::string& user, int64_t now) {
  if (user.empty() || books.user(user)) return false;
  add_account(books, kCommonAccount, "everybody without another account", now);
  add_association(books, {cluster, kCommonAccount, "", ""}, now);
  add_user(books, {cluster, kCommonAccount, user, ""}, v1::ADMIN_NONE, now);
  return true;
}

}  // namespace grappe
