#include "embedded/reservation_clock.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/log.h"
#include "base/text.h"
#include "embedded/finish.h"
#include "embedded/reservation_nodes.h"
#include "embedded/reservation_records.h"
#include "embedded/reservation_times.h"
#include "embedded/reservation_use.h"
#include "embedded/shape.h"
#include "model/node_state.h"
#include "model/reservation_flags.h"

namespace grappe::embedded {
namespace {

std::vector<uint32_t> running_in(const Core& core, const ClusterReservation& r) {
  std::vector<uint32_t> ids;
  for (uint32_t id : core.state.active()) {
    const Job& job = *core.state.find(id);
    if (job.finished() || !names_reservation(job, r.name)) continue;
    uint32_t index = reservation_of_running(core.state.cluster, job);
    if (index != kNoReservation && &reservation_at(core.state.cluster, index) == &r) {
      ids.push_back(id);
    }
  }
  return ids;
}

std::vector<uint32_t> pending_for(const Core& core, const std::string& name) {
  std::vector<uint32_t> ids;
  for (uint32_t id : core.state.pending()) {
    if (names_reservation(*core.state.find(id), name)) ids.push_back(id);
  }
  return ids;
}

// A pending job loses a reservation that is gone. When it named no other, it is held, unless the
// reservation said not to: it would go where its owner did not want it.
void take_reservation_from(Core& core, uint32_t id, const ClusterReservation& r) {
  Job& job = core.state.edit(id);
  std::vector<std::string> left;
  for (std::string_view name : split_words(job.spec->reservation(), ",")) {
    if (name != r.name) left.emplace_back(name);
  }
  auto spec = std::make_shared<v1::JobSpec>(*job.spec);
  spec->set_reservation(join(left, ","));
  job.spec = std::move(spec);
  if (left.empty() && !r.has(kResvNoHoldAfter)) {
    job.hold = Hold::kUser;
    job.priority = 0;
    job.state |= kStateResvDelHold;
    job.reason = Reason::kReservationDeleted;
    job.reason_detail = fmt::format("Reservation {} was deleted", r.name);
  }
  core.state.reindex(id);
}

void remove(Core& core, const ClusterReservation& r) {
  for (uint32_t id : pending_for(core, r.name)) take_reservation_from(core, id, r);
  log_info("reservation {} is over", r.name);
  erase_reservation(core, r.name);
}

// Its time is over: jobs in it end (ResvOverRun later), then it comes again or is gone.
void tick_ended(Core& core, ClusterReservation& r, int64_t& next) {
  std::vector<uint32_t> jobs = running_in(core, r);
  int64_t limit = reservation_limit(core.state.cluster, r);
  if (core.now >= limit) {
    for (uint32_t id : jobs) {
      log_info("job {} ends with its reservation {}", id, r.name);
      end_job(core, id, JobState::kTimeout, Reason::kTimeLimit, 0);
    }
    jobs.clear();
  }
  if (!jobs.empty() && !r.has(kResvFlex)) {
    next = std::min(next, limit);
    return;
  }
  core.plan_wanted = true;
  if (!r.has(kResvRepeats)) return remove(core, r);
  while (r.end <= core.now) {
    Window window = next_window(window_of(r), r.flags);
    r.start = window.start;
    r.end = window.end;
  }
  r.active = false;
  save_reservation(core, r);
  next = std::min(next, r.start);
}

// PURGE_COMP: an active one that nobody uses for some time is not worth its nodes. True: it went.
bool purge_if_idle(Core& core, ClusterReservation& r, int64_t& next) {
  if (!r.has(kResvPurgeComp)) return false;
  if (!running_in(core, r).empty() || !pending_for(core, r.name).empty()) {
    r.idle_since = 0;
    return false;
  }
  if (!r.idle_since) r.idle_since = core.now;
  if (core.now < r.idle_since + r.purge_s) {
    next = std::min(next, r.idle_since + r.purge_s);
    return false;
  }
  remove(core, r);
  return true;
}

void tick(Core& core, ClusterReservation& r, int64_t& next) {
  float_to(r, core.now);
  if (r.end <= core.now) return tick_ended(core, r, next);
  bool active = is_now(r, core.now);
  if (active != r.active) {
    r.active = active;
    core.plan_wanted = true;
  }
  next = std::min(next, active ? r.end : r.start);
  if (replace_nodes(core.state, r)) {
    save_reservation(core, r);
    core.plan_wanted = true;
  }
  if (active) purge_if_idle(core, r, next);
}

// RESERVED and MAINT of nodes, and the licences that are kept.
void mark(Cluster& cluster) {
  for (ClusterNode& node : cluster.nodes) node.flags &= ~(kNodeReserved | kNodeMaint);
  for (auto& [name, license] : cluster.licenses) license.reserved = 0;
  for (const auto& [name, r] : cluster.reservations) {
    if (!r.active) continue;
    uint32_t flags = kNodeReserved | (r.has(kResvMaint) ? kNodeMaint : 0);
    for (uint32_t node : r.nodes) cluster.nodes[node].flags |= flags;
    auto needs = license_needs(cluster, r.licenses);
    if (!needs) continue;
    for (const sched::LicenseNeed& need : *needs) {
      std::next(cluster.licenses.begin(), need.license)->second.reserved += need.count;
    }
  }
}

}  // namespace

int64_t tick_reservations(Core& core) {
  constexpr int64_t kFarAway = INT64_MAX / 2000;
  int64_t next = kFarAway;
  std::vector<std::string> names;
  for (const auto& [name, r] : core.state.cluster.reservations) names.push_back(name);
  for (const std::string& name : names) tick(core, core.state.cluster.reservations.at(name), next);
  mark(core.state.cluster);
  return next;
}

}  // namespace grappe::embedded
