#include "cli/sacctmgr/load_plan.h"

#include <fmt/core.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "cli/sacctmgr/accounts_where.h"
#include "cli/sacctmgr/association_settings.h"
#include "cli/sacctmgr/associations.h"
#include "cli/sacctmgr/clusters.h"
#include "cli/sacctmgr/load_tables.h"

namespace grappe::sacctmgr {
namespace {

// Bytes that are the same for the same record: those of a map have no order of their own.
std::string bytes_of(const google::protobuf::MessageLite& record) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  record.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

// The root of the tree, and root in it: they are of every cluster.
bool stays(const v1::Association& record) {
  return record.account() == "root" && (record.user().empty() || record.user() == "root");
}

struct LineSettings {
  AssociationSettings association;
  std::string description, organization, classification, partition;
  std::string default_account, default_wckey;
  std::optional<v1::AdminLevel> admin_level;
  Names coordinates, wckeys;
};

constexpr Key<LineSettings> kLineKeys[] = {
    {"AdminLevel", 2,
     [](LineSettings& s, const Word& w) { s.admin_level = parse_admin_level(w.value); }},
    {"Classification", 2, [](LineSettings& s, const Word& w) { s.classification = w.value; }},
    {"Coordinator", 2, [](LineSettings& s, const Word& w) { add_names(s.coordinates, w.value); }},
    {"DefaultAccount", 8,
     [](LineSettings& s, const Word& w) { s.default_account = to_lower(w.value); }},
    {"DefaultWCKey", 8,
     [](LineSettings& s, const Word& w) { s.default_wckey = to_lower(w.value); }},
    {"Description", 3, [](LineSettings& s, const Word& w) { s.description = w.value; }},
    {"Organization", 1, [](LineSettings& s, const Word& w) { s.organization = w.value; }},
    {"Partition", 1, [](LineSettings& s, const Word& w) { s.partition = to_lower(w.value); }},
    {"WCKeys", 2, [](LineSettings& s, const Word& w) { add_names(s.wckeys, w.value); }},
};

// Reads a file from top to bottom; records of the books stand behind those of the file.
class Loader {
 public:
  Loader(Session& session, const v1::BooksResponse& books, std::string cluster, bool clean)
      : session_(session), books_(books), cluster_(std::move(cluster)), clean_(clean) {}

  Status read(const FileLine& line);
  void add_to(Change& change) const;
  std::string text() const;
  bool has_cluster() const { return seen_cluster_; }

 private:
  Result<LineSettings> settings_of(const FileLine& line);
  void read_cluster(const FileLine& line, const LineSettings& settings);
  Status read_parent(const FileLine& line);
  void read_account(const FileLine& line, const LineSettings& settings);
  void read_user(const FileLine& line, const LineSettings& settings);
  v1::Association association_of(const std::string& account, const std::string& user,
                                 const std::string& partition) const;
  void put_association(v1::Association record, const LineSettings& settings);
  void remove_all(Change& change) const;
  v1::Account& account_named(const std::string& name);
  bool coordinates(const std::string& account, const std::string& user) const;

  Session& session_;
  const v1::BooksResponse& books_;
  std::string cluster_;
  bool clean_;
  bool seen_cluster_ = false;
  std::string parent_ = "root";
  Names parents_{"root"};
  std::optional<v1::ClusterRecord> new_cluster_, changed_cluster_;
  std::map<std::string, v1::Account> accounts_;
  std::vector<std::string> account_order_;
  std::map<std::string, v1::User> users_;
  std::vector<std::string> user_order_;
  std::vector<v1::Association> associations_, changed_;
  std::vector<size_t> unset_;  // those of which the file says no shares
  Names new_accounts_, new_users_;
  Names admin_told_;  // users of whom the file says a level
  bool parent_told_ = false;
  std::vector<v1::Wckey> wckeys_;
  std::string text_;
};

Result<LineSettings> Loader::settings_of(const FileLine& line) {
  LineSettings settings;
  for (const Word& word : line.options) {
    if (set_by_key<LineSettings>(kLineKeys, settings, word)) continue;
    if (!set_association(session_, settings.association, word, books_)) {
      return fail(fmt::format(
          " Unknown option: {}\n Problem with line({})\n Problem with requests: Unspecified error",
          word.text, line.number));
    }
  }
  return settings;
}

v1::Association Loader::association_of(const std::string& account, const std::string& user,
                                       const std::string& partition) const {
  const v1::Association* old = find_association(books_, cluster_, account, user, partition);
  if (old && (!clean_ || stays(*old))) return *old;
  v1::Association record;
  record.set_cluster(cluster_);
  record.set_account(account);
  record.set_user(user);
  record.set_partition(partition);
  return record;
}

void Loader::put_association(v1::Association record, const LineSettings& settings) {
  const v1::Association before = record;
  record.set_parent(record.user().empty() ? parent_ : record.account());
  if (record.account() == "root" && record.user().empty()) record.clear_parent();
  apply(settings.association, record);
  if (!before.has_shares() && record.shares() == 1) record.clear_shares();  // what it was
  if (record.stamp().version() && bytes_of(before) == bytes_of(record)) return;
  if (record.stamp().version()) {
    text_ += changes_text(before, record);
    changed_.push_back(std::move(record));
  } else {
    const auto same = [&](const v1::Association& other) {
      return other.account() == record.account() && other.user() == record.user() &&
             other.partition() == record.partition();
    };
    // What the file says of one first counts.
    if (std::any_of(associations_.begin(), associations_.end(), same)) return;
    if (!record.has_shares() && !settings.association.shares)
      unset_.push_back(associations_.size());
    associations_.push_back(std::move(record));
  }
}

void Loader::read_cluster(const FileLine& line, const LineSettings& settings) {
  seen_cluster_ = true;
  if (cluster_.empty()) cluster_ = line.name;
  session_.say(fmt::format("For cluster {}\n", cluster_));
  const auto known = std::find_if(books_.clusters().begin(), books_.clusters().end(),
                                  [&](const v1::ClusterRecord& c) { return c.name() == cluster_; });
  const std::string wanted = to_lower(settings.classification);
  const bool is_new = known == books_.clusters().end();
  v1::ClusterRecord record;
  if (!is_new) record = *known;
  record.set_name(cluster_);
  if (is_new || !wanted.empty()) record.set_classification(wanted);
  if (is_new || clean_) {
    if (!wanted.empty()) session_.say(fmt::format("Classification: {}\n", class_name(wanted)));
  } else {
    text_ += changes_text(*known, record);
  }
  if (is_new) {
    new_cluster_ = std::move(record);
  } else if (record.classification() != known->classification()) {
    changed_cluster_ = std::move(record);
  }
  put_association(association_of("root", "", ""), settings);
}

Status Loader::read_parent(const FileLine& line) {
  const bool known =
      contains(parents_, line.name) || (!clean_ && find_association(books_, cluster_, line.name));
  if (!known) {
    return fail(
        fmt::format(" line({}) You need to add this parent ({}) as a child before you can add "
                    "children to it.",
                    line.number, line.name));
  }
  parent_ = line.name;
  parent_told_ = true;
  return {};
}

// As the file or the books have it; from now on it is among those that are put.
v1::Account& Loader::account_named(const std::string& name) {
  auto found = accounts_.find(name);
  if (found != accounts_.end()) return found->second;
  v1::Account account;
  account.set_name(name);
  for (const v1::Account& old : books_.accounts()) {
    if (old.name() == name && !old.stamp().deleted()) account = old;
  }
  account_order_.push_back(name);
  return accounts_[name] = account;
}

void Loader::read_account(const FileLine& line, const LineSettings& settings) {
  parents_.push_back(line.name);
  v1::Account account;
  account.set_name(line.name);
  account.set_description(line.name);
  account.set_organization(parent_ == "root" ? line.name : parent_);
  for (const v1::Account& old : books_.accounts()) {
    if (old.name() == line.name && !old.stamp().deleted()) account = old;
  }
  const v1::Account before = account;
  if (!settings.description.empty()) account.set_description(settings.description);
  if (!settings.organization.empty()) account.set_organization(settings.organization);
  const bool is_new = !account.stamp().version();
  if (is_new && !contains(new_accounts_, line.name)) new_accounts_.push_back(line.name);
  if (!is_new) text_ += changes_text(before, account);
  if ((is_new || bytes_of(before) != bytes_of(account)) && !accounts_.count(line.name)) {
    account_order_.push_back(line.name);
    accounts_[line.name] = account;
  }
  put_association(association_of(line.name, "", ""), settings);
}

bool Loader::coordinates(const std::string& account, const std::string& user) const {
  auto found = accounts_.find(account);
  if (found == accounts_.end()) return contains(coordinated_accounts(books_, user), account);
  const auto& names = found->second.coordinators();
  return std::find(names.begin(), names.end(), user) != names.end();
}

void Loader::read_user(const FileLine& line, const LineSettings& settings) {
  v1::User user;
  user.set_name(line.name);
  user.set_default_account(parent_);
  for (const v1::User& old : books_.users()) {
    if (old.name() == line.name && !old.stamp().deleted()) user = old;
  }
  const v1::User before = user;
  if (!settings.default_account.empty()) user.set_default_account(settings.default_account);
  if (!settings.default_wckey.empty()) user.set_default_wckey(settings.default_wckey);
  if (settings.admin_level) user.set_admin_level(*settings.admin_level);
  const bool is_new = !user.stamp().version();
  const bool first = !users_.count(line.name);
  if (is_new && first) new_users_.push_back(line.name);
  if (!is_new && first) text_ += changes_text(before, user);
  if (settings.admin_level) admin_told_.push_back(line.name);
  if (first && (is_new || bytes_of(before) != bytes_of(user))) {
    user_order_.push_back(line.name);
    users_[line.name] = user;
  }
  for (const std::string& name : settings.coordinates) {
    if (coordinates(name, line.name)) continue;
    account_named(name).add_coordinators(line.name);
  }
  for (const std::string& key : settings.wckeys) {
    const bool known =
        std::any_of(books_.wckeys().begin(), books_.wckeys().end(), [&](const v1::Wckey& old) {
          return old.name() == key && old.cluster() == cluster_ && old.user() == line.name &&
                 !old.stamp().deleted();
        });
    if (known) continue;
    v1::Wckey wckey;
    wckey.set_name(key);
    wckey.set_cluster(cluster_);
    wckey.set_user(line.name);
    wckeys_.push_back(wckey);
  }
  put_association(association_of(parent_, line.name, settings.partition), settings);
}

Status Loader::read(const FileLine& line) {
  if (line.title == "cluster") {
    if (seen_cluster_) return fail(" You can only add one cluster at a time.");
    auto settings = settings_of(line);
    if (!settings) return tl::unexpected<Error>(settings.error());
    read_cluster(line, *settings);
    return {};
  }
  if (!seen_cluster_) {
    return fail(" You need to specify a cluster name first with 'Cluster - $NAME' in your file");
  }
  if (line.title == "parent") return read_parent(line);
  if (!parent_told_) {
    session_.say(
        " No parent given creating off root, If incorrect specify 'Parent - name' before any "
        "children in your file\n");
    parent_told_ = true;
  }
  auto settings = settings_of(line);
  if (!settings) return tl::unexpected<Error>(settings.error());
  if (line.title == "account") {
    read_account(line, *settings);
  } else {
    read_user(line, *settings);
  }
  return {};
}

std::string Loader::text() const {
  const LoadTables tables{session_, books_, admin_told_};
  std::vector<v1::Account> accounts;
  for (const std::string& name : new_accounts_) accounts.push_back(accounts_.at(name));
  std::vector<v1::User> users;
  for (const std::string& name : new_users_) users.push_back(users_.at(name));
  std::vector<v1::Association> of_accounts, of_users;
  for (size_t i = 0; i < associations_.size(); ++i) {
    v1::Association shown = associations_[i];
    if (std::find(unset_.begin(), unset_.end(), i) != unset_.end()) shown.set_shares(kNoShares);
    (shown.user().empty() ? of_accounts : of_users).push_back(std::move(shown));
  }
  std::map<std::string, Names> coordinated;
  for (const auto& [name, account] : accounts_) {
    for (const std::string& user : account.coordinators()) coordinated[user].push_back(name);
  }
  return text_ + tables.accounts(accounts) + tables.associations(of_accounts, false) +
         tables.users(users, coordinated) + tables.associations(of_users, true);
}

// Users before the accounts that they are in, these from the leaves to the root.
void Loader::remove_all(Change& change) const {
  std::vector<const v1::Association*> records;
  for (const v1::Association& record : books_.associations()) {
    if (record.cluster() == cluster_ && !stays(record)) records.push_back(&record);
  }
  std::sort(records.begin(), records.end(),
            [](const v1::Association* a, const v1::Association* b) { return a->lft() > b->lft(); });
  for (const v1::Association* record : records) change.remove(*record);
}

// A coordinator must be there before he is named: so an account comes without those who are new,
// and once more with them at the end.
void Loader::add_to(Change& change) const {
  if (clean_) remove_all(change);
  if (new_cluster_) change.put(*new_cluster_);
  if (changed_cluster_) change.put(*changed_cluster_);
  std::vector<v1::Account> again;
  for (const std::string& name : account_order_) {
    v1::Account account = accounts_.at(name);
    v1::Account first = account;
    first.clear_coordinators();
    for (const std::string& user : account.coordinators()) {
      if (!contains(new_users_, user)) first.add_coordinators(user);
    }
    change.put(first);
    if (first.coordinators_size() == account.coordinators_size()) continue;
    account.mutable_stamp()->set_version(account.stamp().version() + 1);
    again.push_back(std::move(account));
  }
  // Who is there already may get an account as his default that he is only now put in.
  for (const std::string& name : new_users_) change.put(users_.at(name));
  for (v1::Association record : associations_) {
    if (new_cluster_ && stays(record)) {  // it comes with the cluster, and is changed
      record.mutable_stamp()->set_version(1);
      if (record.user().empty() && record.qos().empty()) record.add_qos("normal");
    }
    change.put(record);
  }
  for (const v1::Association& record : changed_) change.put(record);
  for (const std::string& name : user_order_) {
    if (!contains(new_users_, name)) change.put(users_.at(name));
  }
  for (const v1::Wckey& wckey : wckeys_) change.put(wckey);
  for (const v1::Account& account : again) change.put(account);
}

}  // namespace

Result<std::string> plan_load(Session& session, const std::vector<FileLine>& lines,
                              const std::string& cluster, bool clean,
                              const v1::BooksResponse& books, Change& change) {
  Loader loader(session, books, cluster, clean);
  for (const FileLine& line : lines) {
    Status read = loader.read(line);
    if (!read) return tl::unexpected<Error>(read.error());
  }
  if (!loader.has_cluster()) {
    return fail(" You need to specify a cluster name first with 'Cluster - $NAME' in your file");
  }
  loader.add_to(change);
  return loader.text();
}

}  // namespace grappe::sacctmgr
