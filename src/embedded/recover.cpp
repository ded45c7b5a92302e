#include "embedded/recover.h"

#include <unordered_map>

#include "base/log.h"
#include "embedded/books.h"
#include "embedded/leases.h"
#include "embedded/nodes.h"
#include "embedded/noted.h"
#include "embedded/partition_changes.h"
#include "embedded/priority.h"
#include "embedded/reservation_records.h"
#include "embedded/shape.h"
#include "embedded/usage.h"

namespace grappe::embedded {
namespace {

struct Restorer {
  std::string_view kind;
  void (*restore)(Core& core, const SavedSetting& setting);
};

void restore_answer(Core& core, const SavedSetting& setting) {
  core.answers.restore(setting);
}

// In this order: reservations are made of nodes and partitions.
constexpr Restorer kRestorers[] = {
    {"partition", restore_partition},     {"node", restore_node},
    {"reservation", restore_reservation}, {kAnswerSetting, restore_answer},
    {kBoostSetting, restore_boost},
};

void restore_settings(Core& core, const std::vector<SavedSetting>& settings) {
  for (const Restorer& restorer : kRestorers) {
    for (const SavedSetting& setting : settings) {
      if (setting.kind == restorer.kind) restorer.restore(core, setting);
    }
  }
  for (const SavedSetting& setting : settings) {
    restore_book(core, setting);
    restore_usage(core, setting);
  }
  derive(core.state.cluster);
}

// What each job asks, as the scheduler sees it; one that is over may still be requeued. Equal
// requests stand next to each other mostly.
void restore_shapes(State& state) {
  std::unordered_map<const v1::JobSpec*, JobPtr> seen;
  for (const JobPtr& job : *state.all()) {
    JobPtr& like = seen[job->spec.get()];
    if (like && like->settled == job->settled) {
      state.share_shape(job->id, state.shape(like->id));
      continue;
    }
    like = job;
    // A node or a feature that is gone from the configuration: the job waits, and says so.
    auto shape = shape_of(state.cluster, *job);
    if (!shape && !job->finished()) log_warn("job {}: {}", job->id, shape.error().message);
    state.set_shape(job->id, shape ? std::move(*shape) : sched::Shape{.min_nodes = UINT32_MAX});
  }
}

void warn_of_unknown_qos(const State& state) {
  for (const ClusterPartition& partition : state.cluster.partitions) {
    const std::string& qos = partition.config.qos;
    if (qos.empty() || state.books.qos(book_name(qos))) continue;
    log_warn("partition {}: there is no QoS {}: it limits nothing until sacctmgr has added it",
             partition.config.name, qos);
  }
}

}  // namespace

Status recover(Core& core) {
  State& state = core.state;
  int64_t keep_since = core.now - state.cluster.config.limits.min_job_age_s;
  auto recovered = core.store.load(keep_since);
  if (!recovered) return tl::unexpected(recovered.error());
  std::vector<SavedSetting> settings = recovered->settings;
  restore_noted(core, *recovered);
  state.recover(std::move(*recovered));
  restore_settings(core, settings);
  open_books(core);
  state.refresh_licenses();
  restore_shapes(state);
  state.renew_limits();
  open_usage(core);
  recalculate_priorities(core);
  warn_of_unknown_qos(state);
  log_info("{} jobs recovered: {} pending, {} running", state.job_count(), state.pending_count(),
           state.active().size());
  recover_leases(core);
  note_cluster(core);
  core.plan_wanted = true;
  return {};
}

}  // namespace grappe::embedded
