#include "embedded/usage.h"

#include <algorithm>
#include <set>

#include "base/local_time.h"
#include "store/usage.h"

namespace grappe::embedded {
namespace {

bool has_flag(const v1::Qos& qos, std::string_view flag) {
  return std::find(qos.flags().begin(), qos.flags().end(), flag) != qos.flags().end();
}

// Those whose use is never forgotten.
std::set<uint32_t> lasting_qos(const Books& books) {
  std::set<uint32_t> out;
  for (const auto& [name, qos] : books.qos()) {
    if (has_flag(*qos, "NoDecay")) out.insert(qos->id());
  }
  return out;
}

// The job's own, and its partition's.
std::set<uint32_t> qos_of(const State& state, const Job& job) {
  std::set<uint32_t> out;
  const ClusterPartition* partition = state.cluster.partition(job.partitions.front());
  const v1::Qos* own = state.books.qos(job.qos);
  const v1::Qos* common = partition ? state.books.qos(partition->config.qos) : nullptr;
  if (own) out.insert(own->id());
  if (common) out.insert(common->id());
  return out;
}

void charge(Core& core, const Job& job, int64_t from, int64_t until) {
  State& state = core.state;
  if (!job.assoc_id || until <= from || job.allocation.empty()) return;
  const v1::Qos* qos = state.books.qos(job.qos);
  sched::Charge charge;
  charge.seconds = until - from;
  charge.tres = tres_counts(job.allocation);
  charge.billing = job.billing ? *job.billing : static_cast<double>(charge.tres["cpu"]);
  charge.usage_factor = qos && qos->has_usage_factor() ? qos->usage_factor() : 1;
  charge.half_life_s = state.cluster.config.priority.decay_half_life_s;
  const sched::Use use = sched::use_of(charge);
  for (uint32_t id : payers(state.books, job.assoc_id)) state.usage.charge_association(id, use);
  for (uint32_t id : qos_of(state, job)) state.usage.charge_qos(id, use);
}

// By the clock on the wall; INT64_MAX: never.
int64_t next_reset(UsageReset period, int64_t last) {
  switch (period) {
    case UsageReset::kDaily:
      return next_day(last);
    case UsageReset::kWeekly:
      return next_week(last);
    case UsageReset::kMonthly:
      return next_month(last);
    case UsageReset::kQuarterly:
      return next_quarter(last);
    case UsageReset::kYearly:
      return next_year(last);
    default:
      return INT64_MAX;
  }
}

int64_t reset_due(const Core& core) {
  return next_reset(core.state.cluster.config.priority.usage_reset, core.state.usage.last_reset());
}

bool is_charged(const Job& job) {
  return (job.running() || job.base() == JobState::kSuspended) && job.start_time;
}

}  // namespace

std::vector<uint32_t> payers(const Books& books, uint32_t assoc_id) {
  std::vector<uint32_t> out;
  for (const v1::Association* at = books.association(assoc_id); at; at = books.parent(*at)) {
    out.push_back(at->id());
  }
  return out;
}

void charge_so_far(Core& core, const Job& job) {
  if (!is_charged(job)) return;
  charge(core, job, core.state.usage.charged_until(job.id, job.start_time), core.now);
  core.state.usage.note_charged(job.id, core.now);
}

void charge_at_end(Core& core, const Job& job) {
  charge(core, job, core.state.usage.charged_until(job.id, job.start_time), job.end_time);
  core.state.usage.forget_job(job.id);
}

int64_t next_charge(const Core& core) {
  const uint32_t period = core.state.cluster.config.priority.calc_period_s;
  return core.state.usage.last_run() + std::max(period, 1u);
}

bool charge_if_due(Core& core) {
  sched::UsageBook& usage = core.state.usage;
  if (core.now < next_charge(core)) return false;
  std::vector<std::pair<const Job*, int64_t>> since;
  for (uint32_t id : core.state.active()) {
    const Job* job = core.state.find(id);
    if (is_charged(*job)) since.emplace_back(job, usage.charged_until(id, job->start_time));
  }
  const std::set<uint32_t> lasting = lasting_qos(core.state.books);
  if (core.now >= reset_due(core)) usage.clear(core.now, lasting);
  usage.advance(core.now, core.state.cluster.config.priority.decay_half_life_s, lasting);
  for (const auto& [job, from] : since) charge(core, *job, from, core.now);
  return true;
}

void reset_use_of(Core& core, const v1::Association& association) {
  const Books& books = core.state.books;
  sched::UsageBook& usage = core.state.usage;
  const sched::Use gone = usage.of_association(association.id());
  for (uint32_t id : payers(books, association.id())) usage.take_from_association(id, gone);
  usage.clear_association(association.id());
  if (!association.user().empty()) return;
  for (const v1::Association* at : books.tree(association.cluster())) {
    const std::vector<uint32_t> above = payers(books, at->id());
    if (std::find(above.begin(), above.end(), association.id()) != above.end()) {
      usage.clear_association(at->id());
    }
  }
}

void move_use(Core& core, const v1::Association& before, const v1::Association& after) {
  if (!after.user().empty() || before.parent() == after.parent()) return;
  const Books& books = core.state.books;
  const sched::Use moved = core.state.usage.of_association(after.id());
  auto above = [&](const v1::Association& at) {
    const v1::Association* parent = books.parent(at);
    return parent ? payers(books, parent->id()) : std::vector<uint32_t>();
  };
  for (uint32_t id : above(before)) core.state.usage.take_from_association(id, moved);
  for (uint32_t id : above(after)) core.state.usage.charge_association(id, moved);
}

void restore_usage(Core& core, const SavedSetting& setting) {
  core.state.usage.restore(setting.kind, setting.name, setting.data);
}

void open_usage(Core& core) {
  sched::UsageBook& usage = core.state.usage;
  usage.restored();
  if (usage.last_run() == 0) {
    usage.advance(core.now, core.state.cluster.config.priority.decay_half_life_s, {});
    usage.clear(core.now, {});
  }
  reconfigure_usage(core);
}

void reconfigure_usage(Core& core) {
  if (core.state.cluster.config.priority.usage_reset != UsageReset::kNow) return;
  core.state.usage.clear(core.now, lasting_qos(core.state.books));
}

}  // namespace grappe::embedded
