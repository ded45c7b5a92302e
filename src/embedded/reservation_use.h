// Who may use a reservation, and which one a job uses.
#pragma once

#include <string>

#include "embedded/cluster.h"
#include "engine/engine.h"
#include "model/job.h"

namespace grappe::embedded {

inline constexpr uint32_t kNoReservation = UINT32_MAX;

// Who a job runs for, as far as reservations ask.
struct Beneficiary {
  std::string user;
  uid_t uid = 0;
  gid_t gid = 0;
  std::string account;
};

bool may_use(const ClusterReservation& reservation, const Beneficiary& who);

// Every reservation that `names` (a list with commas) has must exist and be open to him.
Status check_reservation_access(const Cluster& cluster, const std::string& names,
                                const Beneficiary& who);

// A job for a reservation that is active now must fit on its nodes.
Status check_reservation_fit(const Cluster& cluster, const Job& job, const sched::Shape& shape,
                             int64_t now);

// The reservation that a pending job which names some may start in now: an index in the order of
// Cluster::reservations. Else why it waits, and when to ask again.
struct ReservationChoice {
  uint32_t index = kNoReservation;
  Reason reason = Reason::kNone;
  int64_t again_at = 0;
};
ReservationChoice choose_reservation(const Cluster& cluster, const Job& job, int64_t now);

// The one that a running job is in.
uint32_t reservation_of_running(const Cluster& cluster, const Job& job);

// The active MAGNETIC one that draws a pending job which names none.
uint32_t magnet_for(const Cluster& cluster, const Job& job, int64_t now);

const ClusterReservation& reservation_at(const Cluster& cluster, uint32_t index);

// Does the job name it?
bool names_reservation(const Job& job, const std::string& name);

// When a job in it must have ended at the latest.
int64_t reservation_limit(const Cluster& cluster, const ClusterReservation& reservation);

}  // namespace grappe::embedded
