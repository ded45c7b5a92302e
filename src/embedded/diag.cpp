#include "embedded/diag.h"

#include <chrono>

namespace grappe::embedded {

v1::DiagResponse diagnose(Core& core, const Committer::Stats& commits, bool reset) {
  const Counters& counters = core.counters;
  v1::DiagResponse out;
  out.set_now(core.now);
  out.set_since(counters.since);
  out.set_server_threads(1);
  out.set_jobs_submitted(counters.submitted);
  out.set_jobs_started(counters.started);
  out.set_jobs_completed(counters.completed);
  out.set_jobs_canceled(counters.canceled);
  out.set_jobs_failed(counters.failed);
  out.set_states_time(core.now);
  out.set_jobs_pending(core.state.pending_count());
  out.set_jobs_running(core.state.active().size());
  *out.mutable_main() = counters.main;
  *out.mutable_backfill() = counters.backfill;
  out.set_backfilled_since_start(counters.backfilled);
  out.set_backfilled_since_reset(counters.backfilled_since_reset);
  out.set_store_commits(commits.commits);
  out.set_store_commit_us(commits.micros);
  auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) (void)std::chrono::system_clock::now();
  auto micros = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - begin);
  out.set_gettimeofday_1000_us(static_cast<uint64_t>(micros.count()));
  if (reset) {
    int64_t now = core.now;
    core.counters = Counters{};
    core.counters.since = now;
  }
  return out;
}

}  // namespace grappe::embedded
