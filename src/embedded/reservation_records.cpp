#include "embedded/reservation_records.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/hostlist.h"
#include "base/text.h"
#include "embedded/reservation_nodes.h"
#include "embedded/reservation_times.h"
#include "embedded/reservation_use.h"
#include "grappe/store/v1/reservation.pb.h"
#include "model/reservation_flags.h"

namespace grappe::embedded {
namespace {

std::string with_sign(const std::vector<std::string>& names, bool denied) {
  std::string out;
  for (const std::string& name : names) {
    out += fmt::format("{}{}{}", out.empty() ? "" : ",", denied ? "-" : "", name);
  }
  return out;
}

uint32_t reserved_cores(const Cluster& cluster, const ClusterReservation& r, size_t i) {
  return i < r.cores.size() ? r.cores[i] : cores_of(cluster.nodes[r.nodes[i]]);
}

void fill(const Cluster& cluster, const ClusterReservation& r, int64_t now,
          v1::ReservationInfo& out) {
  out.set_name(r.name);
  out.set_start_time(r.start);
  out.set_end_time(r.end);
  out.set_nodes(fold_hostlist(r.node_names));
  out.set_node_count(static_cast<uint32_t>(r.nodes.size()));
  uint32_t cores = 0;
  for (size_t i = 0; i < r.nodes.size(); ++i) cores += reserved_cores(cluster, r, i);
  out.set_core_count(cores);
  const uint32_t cpus = reserved_cpus(cluster, r);
  if (cpus) out.set_tres(fmt::format("cpu={}", cpus));
  out.set_features(r.features);
  out.set_partition(r.partition);
  for (std::string& flag : reservation_flag_names(r.flags, r.purge_s)) {
    out.add_flags(std::move(flag));
  }
  out.set_users(with_sign(r.users, r.users_denied));
  out.set_groups(join(r.groups, ","));
  out.set_accounts(with_sign(r.accounts, r.accounts_denied));
  out.set_licenses(r.licenses);
  out.set_state(is_now(r, now) ? "ACTIVE" : "INACTIVE");
  out.set_max_start_delay(r.max_start_delay_s);
  out.set_comment(r.comment);
  out.set_purge_completed_s(r.purge_s);
}

// In one of his accounts, or in none.
bool may_use_somehow(const Books& books, const ClusterReservation& r, const Caller& who) {
  Beneficiary he{who.user, who.uid, who.gid, ""};
  if (may_use(r, he)) return true;
  for (const auto& [id, own] : books.associations()) {
    if (own->stamp().deleted() || own->user() != book_name(who.user)) continue;
    he.account = own->account();
    if (may_use(r, he)) return true;
  }
  return false;
}

}  // namespace

uint32_t reserved_cpus(const Cluster& cluster, const ClusterReservation& r) {
  uint32_t cpus = 0;
  for (size_t i = 0; i < r.nodes.size(); ++i) {
    const NodeTopology& topology = cluster.nodes[r.nodes[i]].machine.topology;
    cpus += reserved_cores(cluster, r, i) * std::max(topology.threads_per_core, 1u);
  }
  return cpus;
}

v1::ReservationsResponse list_reservations(Core& core, const v1::ReservationsRequest& request,
                                           const Caller* viewer) {
  v1::ReservationsResponse response;
  response.set_now(core.now);
  std::vector<const ClusterReservation*> list;
  for (auto& [name, reservation] : core.state.cluster.reservations) {
    float_to(reservation, core.now);
    if (viewer && !may_use_somehow(core.state.books, reservation, *viewer)) continue;
    if (request.name().empty() || request.name() == name) list.push_back(&reservation);
  }
  std::sort(list.begin(), list.end(), [](const auto* a, const auto* b) { return a->id < b->id; });
  for (const ClusterReservation* reservation : list) {
    fill(core.state.cluster, *reservation, core.now, *response.add_reservations());
  }
  return response;
}

void save_reservation(Core& core, const ClusterReservation& r) {
  store::v1::Reservation saved;
  saved.set_id(r.id);
  saved.set_name(r.name);
  saved.set_start(r.start);
  saved.set_end(r.end);
  saved.set_duration_s(r.duration_s);
  saved.set_float_s(r.float_s);
  saved.set_flags(r.flags);
  saved.set_purge_s(r.purge_s);
  saved.mutable_nodes()->Assign(r.node_names.begin(), r.node_names.end());
  saved.mutable_cores()->Assign(r.cores.begin(), r.cores.end());
  saved.set_features(r.features);
  saved.set_partition(r.partition);
  saved.set_licenses(r.licenses);
  saved.set_comment(r.comment);
  saved.mutable_users()->Assign(r.users.begin(), r.users.end());
  saved.mutable_groups()->Assign(r.groups.begin(), r.groups.end());
  saved.mutable_accounts()->Assign(r.accounts.begin(), r.accounts.end());
  saved.set_users_denied(r.users_denied);
  saved.set_accounts_denied(r.accounts_denied);
  saved.set_max_start_delay_s(r.max_start_delay_s);
  core.state.save_setting({"reservation", r.name, saved.SerializeAsString()});
}

void erase_reservation(Core& core, const std::string& name) {
  std::string gone = name;  // `name` may live in what is erased
  core.state.save_setting({"reservation", gone, ""});
  core.state.cluster.reservations.erase(gone);
  core.plan_wanted = true;
}

void restore_reservation(Core& core, const SavedSetting& setting) {
  store::v1::Reservation saved;
  if (!saved.ParseFromString(setting.data)) return;
  Cluster& cluster = core.state.cluster;
  ClusterReservation& r = cluster.reservations[saved.name()];
  r.id = saved.id();
  r.name = saved.name();
  r.start = saved.start();
  r.end = saved.end();
  r.duration_s = saved.duration_s();
  r.float_s = saved.float_s();
  r.flags = saved.flags();
  r.purge_s = saved.purge_s();
  r.node_names.assign(saved.nodes().begin(), saved.nodes().end());
  r.cores.assign(saved.cores().begin(), saved.cores().end());
  r.features = saved.features();
  r.partition = saved.partition();
  r.licenses = saved.licenses();
  r.comment = saved.comment();
  r.users.assign(saved.users().begin(), saved.users().end());
  r.groups.assign(saved.groups().begin(), saved.groups().end());
  r.accounts.assign(saved.accounts().begin(), saved.accounts().end());
  r.users_denied = saved.users_denied();
  r.accounts_denied = saved.accounts_denied();
  r.max_start_delay_s = saved.max_start_delay_s();
  cluster.last_reservation = std::max(cluster.last_reservation, r.id);
}

}  // namespace grappe::embedded
