// The state as the scheduler sees it.
#pragma once

#include <optional>
#include <vector>

#include "embedded/state.h"
#include "sched/snapshot.h"

namespace grappe::embedded {

// Those that wait for nothing but the machine: not held, every condition fulfilled.
using ReadyJobs = std::vector<const State::Entry*>;
ReadyJobs ready_jobs(const State& state, int64_t now);
// With these jobs waiting; `tag` is the job's place in `ready`.
sched::Snapshot snapshot_of(const State& state, const ReadyJobs& ready, int64_t now);

// What the job may be cut down to; 0: it may not. Who says a deadline and no limit, where the
// partition has none either, runs until the deadline.
uint32_t least_minutes(const Cluster& cluster, const Job& job);

// One job that waits, as it stands there.
sched::PendingJob pending_view(const State& state, const State::Entry& entry, uint64_t tag,
                               int64_t now);

// The same without jobs: for asking whether a shape could ever run.
sched::Snapshot machine_snapshot(const Cluster& cluster, int64_t now);

// Jobs that MAGNETIC reservations draw, and those that name one; nothing when none is drawn. `tag`
// is the job's id.
std::optional<sched::Snapshot> magnetic_snapshot(const State& state, int64_t now);

}  // namespace grappe::embedded
