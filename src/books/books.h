// The books: accounts, users, QoS and the associations that tie them together.
//
// A value: copying is cheap, because records are shared and never changed, only replaced. So a
// change is tried on a copy, and thrown away when a part of it can't be.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grappe/v1/books.pb.h"

namespace grappe {

inline constexpr char kRootAccount[] = "root";
inline constexpr char kNormalQos[] = "normal";
inline constexpr uint32_t kSharesOfParent = 0x7fffffff;

struct AssociationKey {
  std::string cluster, account, user, partition;
  auto operator<=>(const AssociationKey&) const = default;
};
AssociationKey association_key(const v1::Association& association);

// A record in the form in which it is kept: empty data removes it.
struct BookEntry {
  std::string kind, name, data;
};

class Books {
 public:
  template <class Record>
  using Shelf = std::map<std::string, std::shared_ptr<const Record>, std::less<>>;

  // Records by name, deleted ones included.
  const Shelf<v1::Account>& accounts() const { return accounts_; }
  const Shelf<v1::User>& users() const { return users_; }
  const Shelf<v1::Qos>& qos() const { return qos_; }
  const Shelf<v1::ClusterRecord>& clusters() const { return clusters_; }
  const Shelf<v1::Tres>& tres() const { return tres_; }  // "cpu", "gres/gpu"
  const Shelf<v1::Wckey>& wckeys() const { return wckeys_; }
  const Shelf<v1::Resource>& resources() const { return resources_; }
  const std::map<uint32_t, std::shared_ptr<const v1::Association>>& associations() const {
    return associations_;
  }

  // Those that are there and not deleted; null otherwise.
  const v1::Account* account(std::string_view name) const;
  const v1::User* user(std::string_view name) const;
  const v1::Qos* qos(std::string_view name) const;
  const v1::ClusterRecord* cluster(std::string_view name) const;
  const v1::Association* association(const AssociationKey& key) const;
  // Deleted ones too: jobs of the past speak of them.
  const v1::Association* association(uint32_t id) const;
  const v1::Association* ever(const AssociationKey& key) const;

  // A user's, or an account's parent; null for the root of a cluster.
  const v1::Association* parent(const v1::Association& child) const;
  // The associations of a cluster as its tree has them, without deleted ones. Slurm puts what is
  // new in front of its siblings.
  std::vector<const v1::Association*> tree(const std::string& cluster) const;
  // Its account is this one or below it.
  bool is_under(const v1::Association& association, const std::string& account) const;
  // With everything that follows from its parents; lft and rgt are left to tree order.
  v1::Association in_force(const v1::Association& association) const;
  std::vector<std::string> qos_in_force(const v1::Association& association) const;

  // What kinds of records there are, for reading them back. Unknown kinds are false.
  bool restore(const BookEntry& entry);

  // Replaces or adds; with what changed since the last take_changes().
  void put(v1::Account record);
  void put(v1::User record);
  void put(v1::Association record);
  void put(v1::Qos record);
  void put(v1::ClusterRecord record);
  void put(v1::Tres record);
  void put(v1::Wckey record);
  void put(v1::Resource record);
  // For good, as if it had never been.
  void erase(const v1::Account& record);
  void erase(const v1::User& record);
  void erase(const v1::Association& record);
  void erase(const v1::Qos& record);
  void erase(const v1::ClusterRecord& record);
  void erase(const v1::Wckey& record);
  void erase(const v1::Resource& record);
  std::vector<BookEntry> take_changes();

  uint32_t next_association_id() const;

 private:
  template <class Record>
  void write(Shelf<Record>& shelf, const char* kind, std::string name, Record&& record);
  template <class Record>
  void wipe(Shelf<Record>& shelf, const char* kind, const std::string& name);
  void index(const v1::Association& record);
  void unindex(uint32_t id);
  void walk(const v1::Association& at, std::vector<const v1::Association*>& out) const;

  Shelf<v1::Account> accounts_;
  Shelf<v1::User> users_;
  Shelf<v1::Qos> qos_;
  Shelf<v1::ClusterRecord> clusters_;
  Shelf<v1::Tres> tres_;
  Shelf<v1::Wckey> wckeys_;
  Shelf<v1::Resource> resources_;
  std::map<uint32_t, std::shared_ptr<const v1::Association>> associations_;
  std::map<AssociationKey, uint32_t> by_key_;
  // Of those that are not deleted.
  std::map<std::pair<std::string, std::string>, std::vector<uint32_t>>
      children_;  // cluster, account
  std::vector<BookEntry> changes_;
};

std::string tres_name(const v1::Tres& tres);
std::string wckey_name(const v1::Wckey& wckey);           // unique: cluster, user and name
std::string resource_name(const v1::Resource& resource);  // "matlab@flexlm"

// The account, cluster or user that a name in a request means: Slurm keeps them in lower case.
std::string book_name(std::string_view typed);

}  // namespace grappe
