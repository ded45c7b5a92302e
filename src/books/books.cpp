#include "books/books.h"

#include <algorithm>
#include <cctype>

namespace grappe {
namespace {

constexpr char kAccount[] = "account", kUser[] = "user", kAssociation[] = "association",
               kQos[] = "qos", kCluster[] = "cluster", kTres[] = "tres", kWckey[] = "wckey",
               kResource[] = "resource";

template <class Record>
const Record* present(const Books::Shelf<Record>& shelf, std::string_view name) {
  auto found = shelf.find(name);
  if (found == shelf.end() || found->second->stamp().deleted()) return nullptr;
  return found->second.get();
}

template <class Map>
void inherit_tres(const Map& from, Map* to) {
  for (const auto& [name, amount] : from) to->insert({name, amount});
}

// What is not limited by the association itself is by its parent. Group limits stay where they are:
// they count for all below anyway.
void inherit_limits(const v1::Limits& from, v1::Limits* to) {
  if (!to->has_max_jobs() && from.has_max_jobs()) to->set_max_jobs(from.max_jobs());
  if (!to->has_max_jobs_accrue() && from.has_max_jobs_accrue()) {
    to->set_max_jobs_accrue(from.max_jobs_accrue());
  }
  if (!to->has_max_submit_jobs() && from.has_max_submit_jobs()) {
    to->set_max_submit_jobs(from.max_submit_jobs());
  }
  if (!to->has_max_wall() && from.has_max_wall()) to->set_max_wall(from.max_wall());
  if (!to->has_min_prio_threshold() && from.has_min_prio_threshold()) {
    to->set_min_prio_threshold(from.min_prio_threshold());
  }
  inherit_tres(from.max_tres(), to->mutable_max_tres());
  inherit_tres(from.max_tres_per_node(), to->mutable_max_tres_per_node());
  inherit_tres(from.max_tres_mins(), to->mutable_max_tres_mins());
  inherit_tres(from.max_tres_run_mins(), to->mutable_max_tres_run_mins());
}

bool has_sign(std::string_view qos) {
  return !qos.empty() && (qos.front() == '+' || qos.front() == '-');
}

using Names = google::protobuf::RepeatedPtrField<std::string>;

// A child's list upon that of its parent.
std::vector<std::string> merge_qos(std::vector<std::string> parents, const Names& own) {
  const bool absolute = std::any_of(own.begin(), own.end(), [](auto& q) { return !has_sign(q); });
  if (absolute) parents.clear();
  for (const std::string& entry : own) {
    const std::string name = has_sign(entry) ? entry.substr(1) : entry;
    std::erase(parents, name);
    if (entry.front() != '-') parents.push_back(name);
  }
  return parents;
}

// The same with the signs kept.
std::vector<std::string> merge_raw_qos(std::vector<std::string> parents, const Names& own) {
  const bool absolute = std::any_of(own.begin(), own.end(), [](auto& q) { return !has_sign(q); });
  if (absolute) parents.clear();
  for (const std::string& entry : own) {
    const std::string name = has_sign(entry) ? entry.substr(1) : entry;
    std::erase_if(parents, [&](const std::string& p) {
      return p.ends_with(name) &&
             (p.size() == name.size() || (has_sign(p) && p.size() == name.size() + 1));
    });
    parents.push_back(entry);
  }
  return parents;
}

}  // namespace

AssociationKey association_key(const v1::Association& a) {
  return {a.cluster(), a.account(), a.user(), a.partition()};
}

std::string tres_name(const v1::Tres& tres) {
  return tres.name().empty() ? tres.type() : tres.type() + "/" + tres.name();
}
std::string wckey_name(const v1::Wckey& wckey) {
  return wckey.cluster() + "|" + wckey.user() + "|" + wckey.name();
}
std::string resource_name(const v1::Resource& resource) {
  return resource.name() + "@" + resource.server();
}

std::string book_name(std::string_view typed) {
  std::string out(typed);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

const v1::Account* Books::account(std::string_view name) const {
  return present(accounts_, name);
}
const v1::User* Books::user(std::string_view name) const {
  return present(users_, name);
}
const v1::Qos* Books::qos(std::string_view name) const {
  return present(qos_, name);
}
const v1::ClusterRecord* Books::cluster(std::string_view name) const {
  return present(clusters_, name);
}

const v1::Association* Books::association(const AssociationKey& key) const {
  const v1::Association* found = ever(key);
  return found && !found->stamp().deleted() ? found : nullptr;
}

const v1::Association* Books::ever(const AssociationKey& key) const {
  auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : association(found->second);
}

const v1::Association* Books::association(uint32_t id) const {
  auto found = associations_.find(id);
  return found == associations_.end() ? nullptr : found->second.get();
}

const v1::Association* Books::parent(const v1::Association& child) const {
  const std::string& above = child.user().empty() ? child.parent() : child.account();
  if (above.empty()) return nullptr;
  return association(AssociationKey{child.cluster(), above, "", ""});
}

void Books::walk(const v1::Association& at, std::vector<const v1::Association*>& out) const {
  out.push_back(&at);
  if (!at.user().empty()) return;
  auto below = children_.find({at.cluster(), at.account()});
  if (below == children_.end()) return;
  for (auto id = below->second.rbegin(); id != below->second.rend(); ++id) {
    walk(*associations_.at(*id), out);
  }
}

std::vector<const v1::Association*> Books::tree(const std::string& cluster) const {
  std::vector<const v1::Association*> out;
  if (const auto* root = association(AssociationKey{cluster, kRootAccount, "", ""})) {
    walk(*root, out);
  }
  return out;
}

bool Books::is_under(const v1::Association& association, const std::string& account) const {
  for (const v1::Association* at = &association; at; at = parent(*at)) {
    if (at->account() == account) return true;
  }
  return false;
}

std::vector<std::string> Books::qos_in_force(const v1::Association& association) const {
  const v1::Association* above = parent(association);
  return merge_qos(above ? qos_in_force(*above) : std::vector<std::string>{}, association.qos());
}

v1::Association Books::in_force(const v1::Association& association) const {
  v1::Association out = association;
  *out.mutable_in_force() = association.limits();
  out.set_default_qos_in_force(association.default_qos());
  if (association.has_priority()) out.set_priority_in_force(association.priority());
  std::vector<const v1::Association*> chain;
  for (const v1::Association* at = parent(association); at; at = parent(*at)) {
    chain.push_back(at);
    inherit_limits(at->limits(), out.mutable_in_force());
    if (out.default_qos_in_force().empty()) out.set_default_qos_in_force(at->default_qos());
    if (!out.has_priority_in_force() && at->has_priority()) {
      out.set_priority_in_force(at->priority());
    }
  }
  std::vector<std::string> qos, raw;
  for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
    qos = merge_qos(std::move(qos), (*at)->qos());
    raw = merge_raw_qos(std::move(raw), (*at)->qos());
  }
  for (std::string& name : merge_qos(std::move(qos), association.qos())) {
    out.add_qos_in_force(std::move(name));
  }
  for (std::string& name : merge_raw_qos(std::move(raw), association.qos())) {
    out.add_qos_raw_in_force(std::move(name));
  }
  if (!chain.empty()) out.set_parent_id(chain.front()->id());
  const v1::User* owner = user(association.user());
  out.set_is_default(owner && owner->default_account() == association.account());
  return out;
}

void Books::unindex(uint32_t id) {
  const v1::Association* old = association(id);
  if (!old) return;
  by_key_.erase(association_key(*old));
  if (old->stamp().deleted()) return;
  const std::string& above = old->user().empty() ? old->parent() : old->account();
  auto siblings = children_.find({old->cluster(), above});
  if (siblings != children_.end()) std::erase(siblings->second, id);
}

void Books::index(const v1::Association& record) {
  by_key_[association_key(record)] = record.id();
  if (record.stamp().deleted()) return;
  const std::string& above = record.user().empty() ? record.parent() : record.account();
  if (above.empty()) return;
  // By id: a record that is changed keeps its place among its siblings.
  std::vector<uint32_t>& ids = children_[{record.cluster(), above}];
  ids.insert(std::upper_bound(ids.begin(), ids.end(), record.id()), record.id());
}

template <class Record>
void Books::write(Shelf<Record>& shelf, const char* kind, std::string name, Record&& record) {
  changes_.push_back({kind, name, record.SerializeAsString()});
  shelf[std::move(name)] = std::make_shared<const Record>(std::move(record));
}

template <class Record>
void Books::wipe(Shelf<Record>& shelf, const char* kind, const std::string& name) {
  shelf.erase(name);
  changes_.push_back({kind, name, ""});
}

void Books::put(v1::Account r) {
  write(accounts_, kAccount, r.name(), std::move(r));
}
void Books::put(v1::User r) {
  write(users_, kUser, r.name(), std::move(r));
}
void Books::put(v1::Qos r) {
  write(qos_, kQos, r.name(), std::move(r));
}
void Books::put(v1::ClusterRecord r) {
  write(clusters_, kCluster, r.name(), std::move(r));
}
void Books::put(v1::Tres r) {
  write(tres_, kTres, tres_name(r), std::move(r));
}
void Books::put(v1::Wckey r) {
  write(wckeys_, kWckey, wckey_name(r), std::move(r));
}
void Books::put(v1::Resource r) {
  write(resources_, kResource, resource_name(r), std::move(r));
}
void Books::put(v1::Association r) {
  unindex(r.id());
  index(r);
  changes_.push_back({kAssociation, std::to_string(r.id()), r.SerializeAsString()});
  auto& place = associations_[r.id()];
  place = std::make_shared<const v1::Association>(std::move(r));
}

void Books::erase(const v1::Account& r) {
  wipe(accounts_, kAccount, std::string(r.name()));
}
void Books::erase(const v1::User& r) {
  wipe(users_, kUser, std::string(r.name()));
}
void Books::erase(const v1::Qos& r) {
  wipe(qos_, kQos, std::string(r.name()));
}
void Books::erase(const v1::ClusterRecord& r) {
  wipe(clusters_, kCluster, std::string(r.name()));
}
void Books::erase(const v1::Wckey& r) {
  wipe(wckeys_, kWckey, wckey_name(r));
}
void Books::erase(const v1::Resource& r) {
  wipe(resources_, kResource, resource_name(r));
}
void Books::erase(const v1::Association& r) {
  const uint32_t id = r.id();
  unindex(id);
  associations_.erase(id);
  changes_.push_back({kAssociation, std::to_string(id), ""});
}

std::vector<BookEntry> Books::take_changes() {
  std::vector<BookEntry> out;
  out.swap(changes_);
  return out;
}

uint32_t Books::next_association_id() const {
  return associations_.empty() ? 1 : associations_.rbegin()->first + 1;
}

bool Books::restore(const BookEntry& entry) {
  auto read = [&](auto record) {
    if (!record.ParseFromString(entry.data)) return false;
    put(std::move(record));
    changes_.clear();
    return true;
  };
  if (entry.kind == kAccount) return read(v1::Account{});
  if (entry.kind == kUser) return read(v1::User{});
  if (entry.kind == kAssociation) return read(v1::Association{});
  if (entry.kind == kQos) return read(v1::Qos{});
  if (entry.kind == kCluster) return read(v1::ClusterRecord{});
  if (entry.kind == kTres) return read(v1::Tres{});
  if (entry.kind == kWckey) return read(v1::Wckey{});
  if (entry.kind == kResource) return read(v1::Resource{});
  return false;
}

}  // namespace grappe
