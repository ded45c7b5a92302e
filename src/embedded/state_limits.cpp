// Who counts against which limits.
#include "embedded/state.h"

namespace grappe::embedded {
namespace {

// How long it may still run. Use has been charged until `charged`: what came after is still ahead.
uint64_t seconds_left(const Job& job, int64_t charged) {
  if (job.settled.time_limit == kInfinite) return uint64_t{kInfinite} * 60;
  const int64_t end = job.start_time + job.suspended_s + int64_t{job.settled.time_limit} * 60;
  const int64_t from = std::max(job.start_time, charged);
  return end > from ? static_cast<uint64_t>(end - from) : 0;
}

sched::Bitmap nodes_held(const Job& job) {
  sched::Bitmap nodes;
  for (const NodeAllocation& share : job.allocation) nodes.set(share.node);
  return nodes;
}

void add_use(const sched::Use& use, const Limits& limits, uint32_t counter, sched::InUse& out) {
  std::vector<double> seconds;
  for (const std::string& name : limits.tres()) {
    auto found = use.tres.find(name);
    seconds.push_back(found == use.tres.end() ? 0 : found->second);
  }
  out.set_used(counter, seconds, use.wall);
}

}  // namespace

void State::count(Entry& entry) {
  const Job& job = *entry.job;
  if (!limits_.enforced() || (!job.pending() && !job.holds_resources())) return;
  entry.limits = place_for(job);
  limits_.come(*entry.limits);
  free_from_partition(entry);
}

// What its QoS frees it from is part of its shape.
void State::free_from_partition(Entry& entry) {
  if (!entry.shape || !entry.limits || entry.limits->chains.empty()) return;
  const sched::LimitChain& chain = limits_.chain(entry.limits->chains[0]);
  const bool is_so = entry.shape->own_max_nodes == chain.own_max_nodes &&
                     entry.shape->own_min_nodes == chain.own_min_nodes;
  if (is_so) return;
  sched::Shape shape = *entry.shape;
  shape.own_max_nodes = chain.own_max_nodes;
  shape.own_min_nodes = chain.own_min_nodes;
  keep_shape(entry, std::move(shape));
}

void State::uncount(Entry& entry) {
  if (!entry.limits) return;
  limits_.leave(*entry.limits);
  entry.limits.reset();
}

std::unique_ptr<LimitPlace> State::place_for(const Job& job) {
  if (!limits_.enforced()) return nullptr;
  return std::make_unique<LimitPlace>(limits_.place(books, cluster, job));
}

const LimitPlace* State::place(uint32_t job_id) const {
  const Entry* known = entry(job_id);
  return known ? known->limits.get() : nullptr;
}

uint32_t State::longest_time(const Job& job) {
  return limits_.enforced() ? limits_.longest(limits_.place(books, cluster, job)) : kInfinite;
}

Reason State::submit_reason(const Job& job) {
  if (!limits_.enforced()) return Reason::kNone;
  const Entry* known = entry(job.id);
  const LimitPlace* now = known ? known->limits.get() : nullptr;
  // It is not one more than itself.
  if (now) limits_.leave(*now);
  const Reason reason = limits_.submit_reason(limits_.place(books, cluster, job), job);
  if (now) limits_.come(*now);
  return reason;
}

void State::renew_limits() {
  limits_.reset(books, cluster);
  for (auto& [id, entry] : jobs_) {
    entry.limits.reset();
    count(entry);
  }
}

void State::refresh_limits() {
  if (limits_.enforced() && !limits_.refresh(books)) renew_limits();
}

std::shared_ptr<const sched::LimitTable> State::limit_table() const {
  if (!limits_.enforced()) return nullptr;
  auto table = std::make_shared<sched::LimitTable>(limits_.table(cluster));
  for (uint32_t id : active_) {
    const Entry* known = entry(id);
    if (!known->limits) continue;
    const sched::Bitmap nodes = nodes_held(*known->job);
    table->in_use.add_running(limits_.chain(known->limits->chains[0]),
                              {known->limits->tres.get(), 0, &nodes},
                              seconds_left(*known->job, usage.last_run()));
  }
  for (const auto& [key, counter] : limits_.counters()) {
    if (fair_shares && limits_.watch_fair_share() && key.kind == CounterKey::kAssociation) {
      table->in_use.set_fair_share(counter, fair_shares->fair_share(key.association));
    }
    if (!limits_.is_metered(counter)) continue;
    if (key.kind == CounterKey::kAssociation) {
      add_use(usage.of_association(key.association), limits_, counter, table->in_use);
    } else if (const v1::Qos* qos = books.qos(key.qos); qos && key.kind == CounterKey::kQos) {
      add_use(usage.of_qos(qos->id()), limits_, counter, table->in_use);
    }
  }
  return table;
}

}  // namespace grappe::embedded
