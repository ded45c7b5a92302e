// The state as the scheduler sees it.
#pragma once

#include <optional>
#include <vector>

#include "embedded/state.h"
#include "sched/snapshot.h"

namespace grappe::embedded {

// Those that wait for nothing but the machine: not held, every condition fulfilled.
std::vector<uint32_t> ready_jobs(const State& state, int64_t now);
// With these jobs waiting; `tag` is the job's id.
sched::Snapshot snapshot_of(const State& state, const std::vector<uint32_t>& ready, int64_t now);

// The same without jobs: for asking whether a shape could ever run.
sched::Snapshot machine_snapshot(const Cluster& cluster, int64_t now);

// Jobs that MAGNETIC reservations draw, and those that name one; nothing when none is drawn.
std::optional<sched::Snapshot> magnetic_snapshot(const State& state, int64_t now);

sched::PendingJob pending_job(const State& state, const Job& job, int64_t now);

}  // namespace grappe::embedded
