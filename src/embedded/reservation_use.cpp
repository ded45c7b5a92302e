#include "embedded/reservation_use.h"

#include <grp.h>

#include <algorithm>

#include "base/duration.h"
#include "base/text.h"
#include "embedded/reservation_times.h"
#include "model/reservation_flags.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

bool in_group(const Beneficiary& who, const std::string& name) {
  group entry{}, *found = nullptr;
  std::string buffer(65536, '\0');
  if (getgrnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found) != 0 || !found) {
    return false;
  }
  if (found->gr_gid == who.gid) return true;
  for (char** member = found->gr_mem; *member; ++member) {
    if (who.user == *member) return true;
  }
  return false;
}

bool listed(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

Beneficiary beneficiary(const Job& job) {
  return {job.user, job.uid, job.gid, job.account};
}

template <class Check>
uint32_t first_that(const Cluster& cluster, Check check) {
  uint32_t index = 0;
  for (const auto& [name, reservation] : cluster.reservations) {
    if (check(reservation)) return index;
    ++index;
  }
  return kNoReservation;
}

uint32_t index_of(const Cluster& cluster, const ClusterReservation& reservation) {
  return first_that(cluster, [&](const auto& other) { return &other == &reservation; });
}

}  // namespace

bool may_use(const ClusterReservation& r, const Beneficiary& who) {
  if (!r.users.empty()) {
    bool in = listed(r.users, who.user) || listed(r.users, std::to_string(who.uid));
    if (in == r.users_denied) return false;
  }
  if (!r.groups.empty()) {
    bool in = std::any_of(r.groups.begin(), r.groups.end(),
                          [&](const std::string& name) { return in_group(who, name); });
    if (!in) return false;
  }
  if (!r.accounts.empty()) {
    if (listed(r.accounts, to_lower(who.account)) == r.accounts_denied) return false;
  }
  return true;
}

Status check_reservation_access(const Cluster& cluster, const std::string& names,
                                const Beneficiary& who) {
  for (std::string_view name : split_words(names, ",")) {
    auto found = cluster.reservations.find(name);
    if (found == cluster.reservations.end()) return slurm_fail(kErrReservationInvalid);
    if (!may_use(found->second, who)) return slurm_fail(kErrReservationAccess);
  }
  return {};
}

Status check_reservation_fit(const Cluster& cluster, const Job& job, const sched::Shape& shape,
                             int64_t now) {
  ReservationChoice choice = choose_reservation(cluster, job, now);
  if (choice.index == kNoReservation) return {};
  const ClusterReservation& r = reservation_at(cluster, choice.index);
  if (r.has(kResvFlex | kResvAnyNodes) || !is_now(r, now)) return {};
  sched::Bitmap inside;
  for (uint32_t node : r.nodes) inside.set(node);
  if (!inside.contains(shape.required_nodes)) {
    return slurm_fail(kErrNodeConfig, "Problem using reservation");
  }
  // The largest of its partitions counts.
  uint32_t nodes = 0, cpus = 0;
  for (const std::string& name : job.partitions) {
    const ClusterPartition* partition = cluster.partition(name);
    uint32_t here = 0, here_cpus = 0;
    for (uint32_t node : partition ? partition->nodes : std::vector<uint32_t>{}) {
      if (!inside.test(node)) continue;
      ++here;
      here_cpus += cluster.nodes[node].machine.topology.cpus;
    }
    nodes = std::max(nodes, here);
    cpus = std::max(cpus, here_cpus);
  }
  bool fits = job.settled.min_nodes <= nodes && job.settled.cpus <= cpus;
  return fits ? Status{} : slurm_fail(kErrNodeConfig);
}

ReservationChoice choose_reservation(const Cluster& cluster, const Job& job, int64_t now) {
  ReservationChoice choice;
  if (job.spec->reservation().empty()) return choice;
  bool exists = false;
  for (std::string_view name : split_words(job.spec->reservation(), ",")) {
    auto found = cluster.reservations.find(name);
    if (found == cluster.reservations.end()) continue;
    exists = true;
    const ClusterReservation& r = found->second;
    if (!may_use(r, beneficiary(job)) || r.end <= now) continue;
    if (is_now(r, now) || r.has(kResvFlex)) return {index_of(cluster, r), Reason::kNone, 0};
    // The start of a floating one never comes.
    bool sooner = choice.again_at == 0 || r.start < choice.again_at;
    if (sooner && !r.has(kResvTimeFloat)) choice.again_at = r.start;
  }
  choice.reason = exists ? Reason::kReservation : Reason::kReservationDeleted;
  return choice;
}

uint32_t reservation_of_running(const Cluster& cluster, const Job& job) {
  for (std::string_view name : split_words(job.spec->reservation(), ",")) {
    auto found = cluster.reservations.find(name);
    if (found == cluster.reservations.end()) continue;
    const ClusterReservation& r = found->second;
    bool started_in = r.start <= job.start_time || r.has(kResvFlex);
    bool inside = r.has(kResvFlex | kResvAnyNodes) ||
                  std::all_of(job.allocation.begin(), job.allocation.end(), [&](const auto& share) {
                    return std::find(r.nodes.begin(), r.nodes.end(), share.node) != r.nodes.end();
                  });
    if (started_in && inside) return index_of(cluster, r);
  }
  return kNoReservation;
}

uint32_t magnet_for(const Cluster& cluster, const Job& job, int64_t now) {
  if (!job.spec->reservation().empty()) return kNoReservation;
  return first_that(cluster, [&](const ClusterReservation& r) {
    return r.has(kResvMagnetic) && is_now(r, now) && may_use(r, beneficiary(job));
  });
}

const ClusterReservation& reservation_at(const Cluster& cluster, uint32_t index) {
  return std::next(cluster.reservations.begin(), index)->second;
}

bool names_reservation(const Job& job, const std::string& name) {
  auto names = split_words(job.spec->reservation(), ",");
  return std::find(names.begin(), names.end(), name) != names.end();
}

int64_t reservation_limit(const Cluster& cluster, const ClusterReservation& r) {
  uint32_t over = cluster.config.scheduling.resv_over_run_min;
  if (r.has(kResvFlex) || over == kInfinite) return INT64_MAX / 2000;
  return r.end + int64_t{over} * 60;
}

}  // namespace grappe::embedded
