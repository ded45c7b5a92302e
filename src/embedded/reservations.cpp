#include "embedded/reservations.h"

#include <fmt/core.h>
#include <grp.h>
#include <pwd.h>

#include <algorithm>

#include "base/duration.h"
#include "base/hostlist.h"
#include "base/log.h"
#include "base/text.h"
#include "embedded/reservation_nodes.h"
#include "embedded/reservation_records.h"
#include "embedded/reservation_request.h"
#include "embedded/reservation_times.h"
#include "embedded/reservation_use.h"
#include "embedded/shape.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

using Request = v1::ChangeReservationRequest;

constexpr int64_t kLatest = 600;            // a new one may have started this long ago
constexpr int64_t kYear = 365 * 24 * 3600;  // what Slurm makes of an endless one

bool user_exists(const std::string& name) {
  return parse_uint(name, UINT32_MAX) || getpwnam(name.c_str());
}
bool group_exists(const std::string& name) {
  return getgrnam(name.c_str());
}
bool any_name(const std::string&) {
  return true;
}

struct NameRules {
  int error;
  bool (*exists)(const std::string& name);
  bool may_deny;
};

// "a,b" replaces, "+a" adds, "-a" takes away or, where nobody is named yet, denies.
Status change_names(const NameChange& change, const NameRules& rules, bool is_new,
                    std::vector<std::string>& list, bool& denied) {
  std::vector<std::string> names;
  char sign = change.operation;
  bool first = true;
  for (std::string_view item : split_words(change.text, ",")) {
    char own = change.operation;
    if (item.front() == '+' || item.front() == '-') {
      own = item.front();
      item.remove_prefix(1);
    }
    // Allowed and denied names don't mix.
    if (!first && own != sign) return slurm_fail(rules.error);
    sign = own;
    first = false;
    names.emplace_back(item);
    if (!rules.exists(names.back())) return slurm_fail(rules.error);
  }
  if (sign == 0) {
    list = names;
    denied = false;
    return {};
  }
  if ((is_new && sign == '+') || (sign == '-' && list.empty() && !rules.may_deny)) {
    return slurm_fail(rules.error);
  }
  if (list.empty()) denied = sign == '-';
  bool adds = denied == (sign == '-');
  for (std::string& name : names) {
    std::erase(list, name);
    if (adds) list.push_back(std::move(name));
  }
  if (list.empty()) denied = false;
  return {};
}

Status set_people(const ReservationChange& change, bool is_new, ClusterReservation& r) {
  bool never = false;
  Status done{};
  if (change.users) {
    done = change_names(*change.users, {kErrUserId, user_exists, true}, is_new, r.users,
                        r.users_denied);
  }
  if (done && change.groups) {
    done =
        change_names(*change.groups, {kErrGroupId, group_exists, false}, is_new, r.groups, never);
  }
  if (done && change.accounts) {
    NameChange lower{change.accounts->operation, to_lower(change.accounts->text)};
    done = change_names(lower, {kErrInvalidAccount, any_name, true}, is_new, r.accounts,
                        r.accounts_denied);
  }
  if (!done) return done;
  if (!r.users.empty() && !r.groups.empty()) return slurm_fail(kErrReservationUsersAndGroups);
  if (r.users.empty() && r.groups.empty() && r.accounts.empty()) {
    return slurm_fail(kErrReservationEmpty);
  }
  return {};
}

Status set_times(const ReservationChange& change, bool is_new, int64_t now, ClusterReservation& r) {
  if (change.start) {
    if (!is_new && r.start <= now) return slurm_fail(kErrReservationStarted);
    if (*change.start < now - kLatest) return slurm_fail(kErrInvalidTime);
    r.start = *change.start;
    r.float_s = r.start - now;
    if (r.duration_s) r.end = r.start + r.duration_s;
  } else if (is_new) {
    return slurm_fail(kErrInvalidTime);
  }
  if (change.end) {
    r.end = *change.end;
    r.duration_s = 0;
  }
  if (change.duration_s) {
    int64_t length = *change.duration_s == kInfinite ? kYear : *change.duration_s;
    if (change.duration_operation == '+') length = r.end - r.start + length;
    if (change.duration_operation == '-') length = r.end - r.start - length;
    if (is_new && change.end && r.end != r.start + length) return slurm_fail(kErrInvalidTime);
    r.duration_s = length;
    r.end = r.start + length;
  }
  if (r.end <= r.start || (is_new && r.end <= now)) return slurm_fail(kErrInvalidTime);
  return {};
}

Status set_flags(const ReservationChange& change, bool is_new, ClusterReservation& r) {
  constexpr uint32_t kNotLater = kResvTimeFloat;
  if (!is_new && (change.flags.add & kNotLater) && !r.has(kNotLater)) {
    return slurm_fail(kErrNotSupported);
  }
  r.flags = (r.flags | change.flags.add) & ~change.flags.remove;
  if (change.flags.add & kResvPurgeComp) r.purge_s = change.flags.purge_s;
  if (r.has(kResvTimeFloat) && r.has(kResvRepeats)) return slurm_fail(kErrNotSupported);
  return {};
}

Status set_texts(const Cluster& cluster, const ReservationChange& change, bool is_new,
                 ClusterReservation& r) {
  if (change.partition) {
    if (!change.partition->empty() && !cluster.partition(*change.partition)) {
      return slurm_fail(kErrInvalidPartition);
    }
    r.partition = *change.partition;
  }
  if (change.features) {
    if (!is_new && r.has(kResvSpecNodes)) return slurm_fail(kErrNotSupported);
    r.features = *change.features;
  }
  if (change.licenses) {
    auto needs = license_needs(cluster, *change.licenses);
    if (!needs) return tl::unexpected(needs.error());
    r.licenses = *change.licenses;
  }
  if (change.comment) r.comment = *change.comment;
  if (change.max_start_delay_s) r.max_start_delay_s = *change.max_start_delay_s;
  return {};
}

void put_nodes(const Cluster& cluster, std::vector<uint32_t> nodes, ClusterReservation& r) {
  r.nodes = std::move(nodes);
  r.node_names.clear();
  r.cores.clear();
  for (uint32_t node : r.nodes) r.node_names.push_back(cluster.nodes[node].machine.name);
  r.flags |= kResvSpecNodes;
}

// Nodes=ALL, or a partition and nothing else: with a partition, all of that.
void put_all_nodes(const Cluster& cluster, ClusterReservation& r) {
  const ClusterPartition* partition = cluster.partition(r.partition);
  r.flags &= ~(kResvAllNodes | kResvPartNodes);
  r.flags |= partition ? kResvPartNodes : kResvAllNodes;
  std::vector<uint32_t> nodes;
  for (uint32_t i = 0; i < cluster.nodes.size(); ++i) nodes.push_back(i);
  put_nodes(cluster, partition ? partition->nodes : nodes, r);
}

Status put_named_nodes(const Cluster& cluster, const ReservationChange& change,
                       ClusterReservation& r) {
  if (r.has(kResvReplace | kResvReplaceDown)) return slurm_fail(kErrInvalidNodeName);
  auto names = expand_hostlist(*change.nodes);
  if (!names) return slurm_fail(kErrInvalidNodeName);
  std::vector<std::pair<uint32_t, uint32_t>> nodes;
  if (!change.cores.empty() && change.cores.size() != names->size()) {
    return slurm_fail(kErrReservationCoreCount);
  }
  for (size_t i = 0; i < names->size(); ++i) {
    auto found = cluster.node_index.find((*names)[i]);
    if (found == cluster.node_index.end()) return slurm_fail(kErrInvalidNodeName);
    nodes.push_back({found->second, change.cores.empty() ? 0 : change.cores[i]});
  }
  std::sort(nodes.begin(), nodes.end());
  std::vector<uint32_t> indexes;
  for (auto [node, cores] : nodes) indexes.push_back(node);
  put_nodes(cluster, std::move(indexes), r);
  r.flags &= ~(kResvAllNodes | kResvPartNodes);
  if (change.cores.empty()) return {};
  for (auto [node, cores] : nodes) r.cores.push_back(cores);
  const ClusterPartition* standard = cluster.default_partition();
  if (r.partition.empty() && standard) r.partition = standard->config.name;
  return {};
}

Status set_new_nodes(const State& state, const ReservationChange& change, ClusterReservation& r) {
  bool sized = change.node_count || !change.cores.empty();
  bool named = change.nodes && !change.nodes->empty();
  if (named && !iequals(*change.nodes, "ALL")) {
    if (Status done = put_named_nodes(state.cluster, change, r); !done) return done;
  } else if (named || (!sized && !r.partition.empty())) {
    put_all_nodes(state.cluster, r);
  } else if (sized) {
    const bool of_nothing = r.has(kResvAnyNodes) && r.licenses.empty();
    if (of_nothing || r.has(kResvPartNodes)) return slurm_fail(kErrReservationInvalid);
    return find_nodes(state, r, change.node_count.value_or(0), change.cores);
  } else {
    bool for_licenses = r.has(kResvAnyNodes) && !r.licenses.empty();
    return for_licenses ? Status{} : slurm_fail(kErrInvalidNodeName);
  }
  return check_nodes_free(state, r, true);
}

// Other nodes, or as many others as are asked for; else those that it has must still be free.
// `follows_partition`: PART_NODES was asked for, which needs a partition and all its nodes.
Status update_nodes(const State& state, const ReservationChange& change, bool follows_partition,
                    ClusterReservation& r) {
  if (!change.cores.empty()) return slurm_fail(kErrReservationCoresUpdate);
  const bool all = change.nodes && iequals(*change.nodes, "ALL");
  if (follows_partition && r.partition.empty()) return slurm_fail(kErrInvalidPartition);
  if (follows_partition && !all) return slurm_fail(kErrInvalidNodeName);
  if (all) {
    put_all_nodes(state.cluster, r);
  } else if (change.nodes && !change.nodes->empty()) {
    if (Status done = put_named_nodes(state.cluster, change, r); !done) return done;
  }
  bool others = change.nodes && change.nodes->empty();
  bool resized = change.node_count && *change.node_count != r.nodes.size();
  if (!others && !resized && !(change.features && !r.has(kResvSpecNodes))) {
    return check_nodes_free(state, r, change.nodes || change.start);
  }
  if (!r.cores.empty()) return slurm_fail(kErrReservationCoresUpdate);
  r.flags &= ~(kResvSpecNodes | kResvAllNodes | kResvPartNodes);
  uint32_t count = change.node_count.value_or(static_cast<uint32_t>(r.nodes.size()));
  return find_nodes(state, r, count, {});
}

std::string automatic_name(const ClusterReservation& r) {
  const auto& list = !r.users.empty() ? r.users : !r.accounts.empty() ? r.accounts : r.groups;
  return fmt::format("{}_{}", list.front(), r.id);
}

Result<std::string> create(Core& core, const Request& request) {
  auto change = read_reservation(request, core.now);
  if (!change) return tl::unexpected(change.error());
  Cluster& cluster = core.state.cluster;
  ClusterReservation r;
  r.id = cluster.last_reservation + 1;
  r.name = request.name();
  Status done = set_times(*change, true, core.now, r);
  if (done) done = set_flags(*change, true, r);
  if (done) done = set_texts(cluster, *change, true, r);
  if (done) done = set_people(*change, true, r);
  if (!done) return tl::unexpected(done.error());
  if (r.name.empty()) r.name = automatic_name(r);
  if (r.name.find(',') != std::string::npos) return slurm_fail(kErrReservationInvalid);
  if (cluster.reservations.contains(r.name)) return slurm_fail(kErrReservationNameDup);
  if (done = set_new_nodes(core.state, *change, r); !done) return tl::unexpected(done.error());
  cluster.last_reservation = r.id;
  std::string name = r.name;
  save_reservation(core, r);
  cluster.reservations[name] = std::move(r);
  return name;
}

Status update(Core& core, const Request& request, ClusterReservation& current) {
  auto change = read_reservation(request, core.now);
  if (!change) return tl::unexpected(change.error());
  ClusterReservation r = current;
  Status done = set_flags(*change, false, r);
  const bool follows_partition = r.has(kResvPartNodes) && !current.has(kResvPartNodes);
  if (done) done = set_texts(core.state.cluster, *change, false, r);
  if (done) done = set_people(*change, false, r);
  if (done) done = set_times(*change, false, core.now, r);
  if (done) done = update_nodes(core.state, *change, follows_partition, r);
  if (!done) return done;
  save_reservation(core, r);
  current = std::move(r);
  return {};
}

bool in_use(const State& state, const std::string& name) {
  auto uses = [&](uint32_t id) { return names_reservation(*state.find(id), name); };
  const std::vector<uint32_t> pending = state.pending();
  return std::any_of(pending.begin(), pending.end(), uses) ||
         std::any_of(state.active().begin(), state.active().end(), uses);
}

Status skip(Core& core, ClusterReservation& r) {
  if (!r.has(kResvRepeats)) return slurm_fail(kErrReservationNoSkip);
  Window next = next_window(window_of(r), r.flags);
  r.start = next.start;
  r.end = next.end;
  save_reservation(core, r);
  return {};
}

// SlurmctldParameters=user_resv_delete: whoever may use it may also end it.
bool may_delete(const Core& core, const Caller& caller, const ClusterReservation& r) {
  return caller.is_operator || (core.state.cluster.config.service.user_resv_delete &&
                                may_use(r, {caller.user, caller.uid, caller.gid, ""}));
}

Status change_existing(Core& core, const Caller& caller, const Request& request) {
  auto found = core.state.cluster.reservations.find(request.name());
  bool exists = found != core.state.cluster.reservations.end();
  bool allowed = caller.is_operator || (exists && request.action() == Request::DELETE &&
                                        may_delete(core, caller, found->second));
  if (!allowed) return slurm_fail(kErrUserId);
  if (!exists) return slurm_fail(kErrReservationInvalid);
  if (request.action() == Request::SKIP) return skip(core, found->second);
  if (request.action() == Request::UPDATE) return update(core, request, found->second);
  if (in_use(core.state, request.name())) return slurm_fail(kErrReservationBusy);
  erase_reservation(core, request.name());
  return {};
}

}  // namespace

Result<v1::ChangeReservationResponse> change_reservation(Core& core, const Caller& caller,
                                                         const Request& request) {
  v1::ChangeReservationResponse response;
  response.set_name(request.name());
  if (request.action() == Request::CREATE) {
    if (!caller.is_operator) return slurm_fail(kErrUserId);
    auto name = create(core, request);
    if (!name) return tl::unexpected(name.error());
    response.set_name(*name);
  } else if (Status done = change_existing(core, caller, request); !done) {
    return tl::unexpected(done.error());
  }
  log_info("reservation {} changed by {}", response.name(), caller.user);
  core.plan_wanted = true;
  return response;
}

}  // namespace grappe::embedded
