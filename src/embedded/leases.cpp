#include "embedded/leases.h"

#include <algorithm>
#include <vector>

#include "base/log.h"
#include "embedded/finish.h"

namespace grappe::embedded {
namespace {

constexpr int64_t kPeriod = 2;
constexpr int64_t kNever = INT64_MAX / 2000;

bool client_lives(const Core& core, const Job& job) {
  return core.site.process_start(job.spec->client_pid()) == job.spec->client_start();
}

// InactiveLimit is how long a client may be away.
bool is_over(const Core& core, const Job& job, int64_t& gone_since) {
  if (client_lives(core, job)) {
    gone_since = 0;
    return false;
  }
  if (gone_since == 0) gone_since = core.now;
  return core.now >= gone_since + core.state.cluster.config.jobs.inactive_limit_s;
}

}  // namespace

void note_client(const Core& core, const Caller& caller, v1::SubmitRequest& request) {
  v1::JobSpec& spec = *request.mutable_spec();
  spec.clear_client_pid();
  spec.clear_client_start();
  if (!request.ends_with_client() || !core.site.process_start || caller.pid <= 0) return;
  const auto pid = static_cast<uint32_t>(caller.pid);
  const uint64_t start = core.site.process_start(pid);
  if (start == 0) return;
  spec.set_client_pid(pid);
  spec.set_client_start(start);
}

void take_lease(Core& core, const Job& job) {
  if (job.spec->client_pid() != 0) core.leases[job.id] = 0;
}

void recover_leases(Core& core) {
  if (!core.site.process_start) return;
  for (const JobPtr& job : *core.state.all()) {
    if (!job->finished()) take_lease(core, *job);
  }
}

int64_t check_leases(Core& core) {
  if (core.leases.empty()) return kNever;
  if (core.now < core.leases_due) return core.leases_due;
  core.leases_due = core.now + kPeriod;
  std::erase_if(core.leases, [&](const auto& lease) {
    const Job* job = core.state.find(lease.first);
    return !job || job->finished();
  });
  std::vector<uint32_t> over;
  for (auto& [id, gone_since] : core.leases) {
    if (is_over(core, *core.state.find(id), gone_since)) over.push_back(id);
  }
  for (uint32_t id : over) {
    const JobPtr job = core.state.get(id);
    log_info("job {}: its client (process {}) is gone", id, job->spec->client_pid());
    core.leases.erase(id);
    cancel_job(core, id, job->uid);
  }
  return core.leases_due;
}

}  // namespace grappe::embedded
