#include "embedded/eligible.h"

#include <algorithm>

#include "embedded/dependencies.h"
#include "embedded/reservation_use.h"

namespace grappe::embedded {

Eligibility eligible(const State& state, const Job& job, int64_t now) {
  if (job.state & kStateResvDelHold) return {Reason::kReservationDeleted, job.reason_detail, 0};
  // Who held it may have said more: "job requeued in held state".
  if (job.hold == Hold::kAdmin) return {Reason::kJobHeldAdmin, job.reason_detail, 0};
  if (job.hold == Hold::kUser) return {Reason::kJobHeldUser, job.reason_detail, 0};
  if (DependencyWait wait = dependency_wait(state, job, now); wait.waits) {
    Reason reason = wait.never ? Reason::kDependencyNeverSatisfied : Reason::kDependency;
    return {reason, "", wait.again_at};
  }
  if (job.begin_time > now) return {Reason::kBeginTime, "", job.begin_time};
  ReservationChoice reservation = choose_reservation(state.cluster, job, now);
  if (reservation.reason != Reason::kNone) return {reservation.reason, "", reservation.again_at};
  if (job.waiting && startable_tasks(state, job) == 0) {
    return {Reason::kJobArrayTaskLimit, "", 0};
  }
  return {};
}

uint32_t startable_tasks(const State& state, const Job& job) {
  if (!job.waiting) return 1;
  uint32_t count = job.waiting->count();
  if (!job.array_max_running) return count;
  uint32_t running = state.array_running(job.array_job_id);
  return running >= job.array_max_running ? 0 : std::min(count, job.array_max_running - running);
}

}  // namespace grappe::embedded
