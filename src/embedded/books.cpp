#include "embedded/books.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "books/change.h"
#include "embedded/limit_use.h"
#include "embedded/usage.h"
#include "embedded/view.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

// Of the kinds of saved settings.
constexpr std::string_view kPrefix = "books.";

void save(Core& core) {
  for (BookEntry& entry : core.state.books.take_changes()) {
    core.state.save_setting(
        {std::string(kPrefix) + entry.kind, std::move(entry.name), std::move(entry.data)});
  }
}

std::vector<std::string> unfinished_jobs(Core& core, const v1::Association& association) {
  std::vector<std::string> out;
  for (const JobPtr& job : *core.state.all()) {
    if (job->finished() || job->assoc_id != association.id()) continue;
    out.push_back(fmt::format("JobID = {:<10} C = {:<10} A = {:<10} U = {:<9}", job->id,
                              association.cluster(), association.account(), association.user()));
  }
  return out;
}

// What is private (PrivateData) is shown to operators, to coordinators of it, and to whom it is
// about.
class Sight {
 public:
  Sight(const Core& core, const Caller& caller) : books_(core.state.books), role_(role_of(caller)) {
    const auto& hidden = core.state.cluster.config.service.private_data;
    if (caller.is_operator) return;
    hides_accounts_ = hidden.accounts;
    hides_users_ = hidden.users;
    for (const auto& [id, own] : books_.associations()) {
      if (own->user() == role_.user && !own->stamp().deleted())
        his_accounts_.insert(own->account());
    }
    cluster_ = core.state.cluster.config.service.cluster_name;
  }

  bool account(const std::string& name) const {
    return !hides_accounts_ || his_accounts_.contains(name) || is_his(name);
  }
  bool user(const std::string& name) const { return !hides_users_ || name == role_.user; }
  bool association(const v1::Association& a) const {
    if (is_his(a.account())) return true;
    return account(a.account()) && (a.user().empty() || user(a.user()));
  }

 private:
  bool is_his(const std::string& account) const {
    return (hides_accounts_ || hides_users_) && coordinates(books_, role_, cluster_, account);
  }
  const Books& books_;
  Role role_;
  bool hides_accounts_ = false, hides_users_ = false;
  std::set<std::string> his_accounts_;
  std::string cluster_;
};

using Names = google::protobuf::RepeatedPtrField<std::string>;

bool asked_for(const Names& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<const v1::Association*> deleted_associations(const Books& books,
                                                         const std::string& cluster) {
  std::vector<const v1::Association*> out;
  for (const auto& [id, association] : books.associations()) {
    if (association->stamp().deleted() && association->cluster() == cluster) {
      out.push_back(association.get());
    }
  }
  return out;
}

template <class Wanted>
void add_deleted(const std::vector<const v1::Association*>& gone, uint32_t lft, Wanted wanted,
                 v1::BooksResponse& out) {
  for (const v1::Association* association : gone) {
    if (wanted(*association)) {
      v1::Association& shown = *out.add_associations();
      shown = *association;
      shown.set_lft(lft);
      shown.set_rgt(lft + 1);
    }
    lft += 2;
  }
}

void list_associations(const Books& books, const Sight& sight, const v1::BooksRequest& request,
                       v1::BooksResponse& out) {
  auto wanted = [&](const v1::Association& a) {
    return asked_for(request.only_accounts(), a.account()) &&
           asked_for(request.only_users(), a.user()) && sight.association(a);
  };
  for (const auto& [name, cluster] : books.clusters()) {
    const auto tree = books.tree(name);
    std::map<uint32_t, uint32_t> size;  // how many are below
    for (auto at = tree.rbegin(); at != tree.rend(); ++at) {
      const v1::Association* above = books.parent(**at);
      if (above) size[above->id()] += size[(*at)->id()] + 1;
    }
    // Deleted ones keep a place in the tree: here the first ones below its root.
    const auto gone = deleted_associations(books, name);
    if (!tree.empty()) size[tree.front()->id()] += static_cast<uint32_t>(gone.size());
    uint32_t next = 1;
    std::vector<uint32_t> open;  // the rgt of those that the walk is inside of
    for (const v1::Association* at : tree) {
      for (; !open.empty() && open.back() == next; ++next) open.pop_back();
      const uint32_t lft = next++, rgt = lft + 2 * size[at->id()] + 1;
      open.push_back(rgt);
      if (at == tree.front()) {
        if (request.deleted()) add_deleted(gone, next, wanted, out);
        next += 2 * static_cast<uint32_t>(gone.size());
      }
      if (!wanted(*at)) continue;
      v1::Association& shown = *out.add_associations();
      shown = books.in_force(*at);
      shown.set_lft(lft);
      shown.set_rgt(rgt);
    }
  }
}

template <class Record, class Wanted, class Add>
void list(const Books::Shelf<Record>& shelf, bool deleted, Wanted wanted, Add add) {
  for (const auto& [name, record] : shelf) {
    if (!deleted && record->stamp().deleted()) continue;
    if (wanted(*record)) *add() = *record;
  }
}

void describe_cluster(const Cluster& cluster, v1::ClusterRecord& out) {
  if (out.name() != cluster.config.service.cluster_name) return;
  out.set_control_host(cluster.host);
  out.set_control_port(6817);
  out.set_rpc_version(9728);
  std::vector<std::string> names;
  uint64_t cpus = 0, memory = 0;
  std::map<std::string, uint64_t> gres;
  for (const ClusterNode& node : cluster.nodes) {
    names.push_back(node.machine.name);
    cpus += node.machine.topology.cpus;
    memory += node.machine.memory_mb;
    for (const MachineDevice& device : node.machine.devices) ++gres["gres/" + device.name];
  }
  out.set_nodes(node_list_text(names));
  out.set_node_count(static_cast<uint32_t>(names.size()));
  out.set_tres(fmt::format("cpu={},mem={},node={},billing={}", cpus, memory, names.size(), cpus));
  for (const auto& [name, count] : gres) {
    out.set_tres(out.tres() + fmt::format(",{}={}", name, count));
  }
}

void list_shared(const Core& core, const v1::BooksRequest& request, v1::BooksResponse& out) {
  const Books& books = core.state.books;
  auto all = [](const auto&) { return true; };
  if (request.qos()) {
    list(books.qos(), request.deleted(), all, [&] { return out.add_qos(); });
    std::sort(out.mutable_qos()->begin(), out.mutable_qos()->end(),
              [](const v1::Qos& a, const v1::Qos& b) { return a.id() < b.id(); });
  }
  if (request.clusters()) {
    list(books.clusters(), request.deleted(), all, [&] { return out.add_clusters(); });
    for (v1::ClusterRecord& cluster : *out.mutable_clusters()) {
      describe_cluster(core.state.cluster, cluster);
    }
  }
  if (request.resources()) {
    list(books.resources(), request.deleted(), all, [&] { return out.add_resources(); });
  }
  if (request.tres()) {
    for (const auto& [name, tres] : books.tres()) *out.add_tres() = *tres;
    std::sort(out.mutable_tres()->begin(), out.mutable_tres()->end(),
              [](const v1::Tres& a, const v1::Tres& b) { return a.id() < b.id(); });
  }
}

}  // namespace

namespace {

// The resources that are named in slurm.conf, and what the nodes have: GPUs are counted, and can be
// limited, without a line that says so.
std::vector<std::string> tracked_tres(const Cluster& cluster) {
  std::vector<std::string> names = cluster.config.accounting.tres;
  for (const ClusterNode& node : cluster.nodes) {
    for (const MachineDevice& device : node.machine.devices) {
      const std::string name = "gres/" + device.name;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

// What was used follows an account to another parent, and is forgotten where that is asked for.
void carry_use(Core& core, const Books& before, const v1::ChangeBooksRequest& request) {
  for (const v1::BooksOp& op : request.ops()) {
    if (op.remove()) continue;
    if (op.has_qos() && op.reset_usage()) {
      if (const v1::Qos* qos = core.state.books.qos(op.qos().name())) {
        core.state.usage.clear_qos(qos->id());
      }
    }
    if (!op.has_association()) continue;
    const v1::Association* now = core.state.books.association(association_key(op.association()));
    const v1::Association* then = now ? before.association(now->id()) : nullptr;
    if (then) move_use(core, *then, *now);
    if (now && op.reset_usage()) reset_use_of(core, *now);
  }
}

}  // namespace

Role role_of(const Caller& caller) {
  Role role{book_name(caller.user), v1::ADMIN_NONE};
  if (caller.is_operator) role.level = v1::ADMIN_OPERATOR;
  if (caller.is_administrator) role.level = v1::ADMIN_ADMINISTRATOR;
  return role;
}

v1::BooksResponse list_books(const Core& core, const Caller& caller,
                             const v1::BooksRequest& request) {
  const Books& books = core.state.books;
  const Sight sight(core, caller);
  v1::BooksResponse out;
  out.set_now(core.now);
  out.set_cluster(core.state.cluster.config.service.cluster_name);
  out.set_my_level(role_of(caller).level);
  if (request.accounts()) {
    auto wanted = [&](const v1::Account& account) {
      return asked_for(request.only_accounts(), account.name()) && sight.account(account.name());
    };
    list(books.accounts(), request.deleted(), wanted, [&] { return out.add_accounts(); });
  }
  if (request.users()) {
    auto wanted = [&](const v1::User& user) {
      return asked_for(request.only_users(), user.name()) && sight.user(user.name());
    };
    list(books.users(), request.deleted(), wanted, [&] { return out.add_users(); });
  }
  if (request.wckeys()) {
    auto wanted = [&](const v1::Wckey& wckey) {
      return asked_for(request.only_users(), wckey.user()) && sight.user(wckey.user());
    };
    list(books.wckeys(), request.deleted(), wanted, [&] { return out.add_wckeys(); });
  }
  if (request.associations()) list_associations(books, sight, request, out);
  if (request.use()) {
    list_limit_use(core.state,
                   {[&](const v1::Association& a) { return sight.association(a); },
                    [&](const std::string& name) { return sight.user(name); },
                    [&](const std::string& name) { return sight.account(name); }},
                   out);
  }
  list_shared(core, request, out);
  return out;
}

void on_change_books(Core& core, const Caller& caller, const v1::ChangeBooksRequest& request,
                     Reply<v1::ChangeBooksResponse> reply) {
  ChangeContext context{role_of(caller), core.now, core.state.cluster.config.service.cluster_name,
                        [&core](const v1::Association& a) { return unfinished_jobs(core, a); }};
  auto changed = change_books(core.state.books, context, request);
  if (!changed) {
    return core.answer<v1::ChangeBooksResponse>(reply, tl::unexpected(changed.error()));
  }
  if (!request.check_only()) {
    const Books before = std::exchange(core.state.books, std::move(changed->books));
    save(core);
    core.state.refresh_limits();
    core.state.refresh_licenses();
    carry_use(core, before, request);
    core.shares.note_books();
    for (v1::Transaction& entry : changed->transactions) {
      core.state.save_transaction(std::move(entry));
    }
    core.plan_wanted = true;
  }
  core.answer<v1::ChangeBooksResponse>(reply, v1::ChangeBooksResponse{});
}

Result<v1::TransactionsResponse> transactions_of(Store& store, const Caller& caller,
                                                 const v1::TransactionsRequest& request) {
  if (!caller.is_operator) return slurm_fail(kErrAccessDenied);
  const int64_t end = request.end_time() ? request.end_time() : INT64_MAX;
  auto found = store.transactions(request.start_time(), end);
  if (!found) return tl::unexpected(found.error());
  v1::TransactionsResponse out;
  for (v1::Transaction& entry : *found) {
    const bool meant =
        asked_for(request.actors(), entry.actor()) &&
        asked_for(request.actions(), entry.action()) &&
        (request.objects().empty() ||
         std::any_of(request.objects().begin(), request.objects().end(), [&](const auto& name) {
           return entry.where().find(name) != std::string::npos ||
                  entry.info().find(name) != std::string::npos;
         }));
    if (meant) *out.add_transactions() = std::move(entry);
  }
  return out;
}

void restore_book(Core& core, const SavedSetting& setting) {
  if (!std::string_view(setting.kind).starts_with(kPrefix)) return;
  core.state.books.restore({setting.kind.substr(kPrefix.size()), setting.name, setting.data});
}

void open_books(Core& core) {
  const ClusterConfig& config = core.state.cluster.config;
  const std::string owner = core.site.personal ? core.site.owner_name : "";
  add_first_records(core.state.books, config.service.cluster_name, book_name(owner),
                    tracked_tres(core.state.cluster), core.now);
  save(core);
}

void give_place(Core& core, const Caller& caller) {
  const ClusterConfig& config = core.state.cluster.config;
  if (!config.accounting.place_for_all) return;
  const std::string user = book_name(caller.user);
  if (!add_place(core.state.books, config.service.cluster_name, user, core.now)) return;
  save(core);
  core.state.renew_limits();
  core.shares.note_books();
}

void note_use(Core& core, const Job& job) {
  Books& books = core.state.books;
  bool changed = false;
  const v1::Association* association = books.association(job.assoc_id);
  if (association && !association->stamp().used()) {
    v1::Association used = *association;
    used.mutable_stamp()->set_used(true);
    books.put(std::move(used));
    changed = true;
  }
  const v1::Account* account = books.account(job.account);
  if (association && account && !account->stamp().used()) {
    v1::Account used = *account;
    used.mutable_stamp()->set_used(true);
    books.put(std::move(used));
    changed = true;
  }
  const v1::Qos* qos = books.qos(job.qos);
  if (qos && !qos->stamp().used()) {
    v1::Qos used = *qos;
    used.mutable_stamp()->set_used(true);
    books.put(std::move(used));
    changed = true;
  }
  if (changed) save(core);
}

}  // namespace grappe::embedded
