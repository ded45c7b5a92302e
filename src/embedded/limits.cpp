#include "embedded/limits.h"

#include <algorithm>

#include "books/qos_flags.h"
#include "embedded/tres.h"

namespace grappe::embedded {
namespace {

using L = v1::Limits;
using To = sched::LimitSet;

struct NumberRow {
  bool (L::*is_set)() const;
  uint32_t (L::*value)() const;
  uint64_t To::*to;
};
constexpr NumberRow kNumbers[] = {
    {&L::has_grp_jobs, &L::grp_jobs, &To::grp_jobs},
    {&L::has_grp_submit_jobs, &L::grp_submit_jobs, &To::grp_submit},
    {&L::has_grp_wall, &L::grp_wall, &To::grp_wall},
    {&L::has_grp_jobs_accrue, &L::grp_jobs_accrue, &To::grp_accrue},
    {&L::has_max_jobs, &L::max_jobs, &To::max_jobs},
    {&L::has_max_jobs_per_account, &L::max_jobs_per_account, &To::max_jobs_per_account},
    {&L::has_max_submit_jobs, &L::max_submit_jobs, &To::max_submit},
    {&L::has_max_submit_jobs_per_account, &L::max_submit_jobs_per_account,
     &To::max_submit_per_account},
    {&L::has_max_jobs_accrue, &L::max_jobs_accrue, &To::max_accrue},
    {&L::has_max_jobs_accrue_per_account, &L::max_jobs_accrue_per_account,
     &To::max_accrue_per_account},
    {&L::has_max_wall, &L::max_wall, &To::max_wall},
};

struct AmountsRow {
  const google::protobuf::Map<std::string, uint64_t>& (L::*value)() const;
  sched::TresAmounts To::*to;
};
constexpr AmountsRow kAmounts[] = {
    {&L::grp_tres, &To::grp_tres},
    {&L::grp_tres_mins, &To::grp_tres_mins},
    {&L::grp_tres_run_mins, &To::grp_tres_run_mins},
    {&L::max_tres, &To::max_tres},
    {&L::max_tres_per_node, &To::max_tres_per_node},
    {&L::max_tres_mins, &To::max_tres_mins},
    {&L::max_tres_per_user, &To::max_tres_per_user},
    {&L::max_tres_per_account, &To::max_tres_per_account},
    {&L::min_tres, &To::min_tres},
};

const std::string& partition_qos(const Cluster& cluster, const std::string& partition) {
  static const std::string kNoQos;
  const ClusterPartition* found = cluster.partition(partition);
  return found ? found->config.qos : kNoQos;
}

}  // namespace

void Limits::reset(const Books& books, const Cluster& cluster) {
  // Who has counted once is shown from then on.
  std::map<CounterKey, uint32_t> known = std::move(counters_);
  *this = {};
  counters_ = std::move(known);
  submitted_.assign(counters_.size(), 0);
  metered_.assign(counters_.size(), false);
  const AccountingEnforce& enforce = cluster.config.accounting.enforce;
  enforced_ = enforce.limits;
  safe_ = enforce.safe;
  chains_ = std::make_shared<std::vector<sched::LimitChain>>();
  if (!enforced_) return;
  std::map<uint32_t, std::string> by_id;
  for (const auto& [name, tres] : books.tres()) by_id[tres->id()] = name;
  for (const auto& [id, name] : by_id) {
    tres_index_[name] = static_cast<uint16_t>(tres_.size());
    tres_.push_back(name);
  }
  node_ = index("node");
}

uint32_t Limits::counter(CounterKey key) {
  auto [found, added] = counters_.emplace(std::move(key), static_cast<uint32_t>(submitted_.size()));
  if (added) {
    submitted_.push_back(0);
    metered_.push_back(false);
  }
  return found->second;
}

sched::TresAmounts Limits::amounts(const google::protobuf::Map<std::string, uint64_t>& from) const {
  if (from.empty()) return {};
  sched::TresAmounts out(tres_.size(), sched::kNoLimit);
  for (const auto& [name, amount] : from) {
    if (uint16_t i = index(name); i != UINT16_MAX) out[i] = amount;
  }
  return out;
}

sched::LimitSet Limits::limit_set(const v1::Limits& from) const {
  sched::LimitSet out;
  for (const NumberRow& row : kNumbers) {
    if ((from.*row.is_set)()) out.*row.to = (from.*row.value)();
  }
  for (const AmountsRow& row : kAmounts) out.*row.to = amounts((from.*row.value)());
  return out;
}

sched::QosLevel Limits::qos_level(const v1::Qos& qos, const v1::Association& association) {
  sched::QosLevel out;
  out.limits = limit_set(qos.limits());
  out.group = counter({CounterKey::kQos, 0, qos.name(), ""});
  out.user = counter({CounterKey::kUserOfQos, 0, qos.name(), association.user()});
  out.account = counter({CounterKey::kAccountOfQos, 0, qos.name(), association.account()});
  return out;
}

sched::LimitLevels Limits::levels_of(const Books& books, const ChainKey& key) {
  sched::LimitLevels out;
  out.lifted = key.lifted;
  const v1::Association* own = books.association(key.association);
  const v1::Qos* of_job = books.qos(key.qos);
  const v1::Qos* of_partition = books.qos(key.partition_qos);
  for (const v1::Association* at = own; at; at = books.parent(*at)) {
    const v1::Limits limits = at == own ? books.in_force(*at).in_force() : at->limits();
    out.associations.push_back(
        {limit_set(limits), counter({CounterKey::kAssociation, at->id(), "", ""})});
  }
  if (of_job) {
    sched::QosLevel& level = out.qos.emplace_back(qos_level(*of_job, *own));
    if (has_flag(*of_job, kQosEnforceUsageThreshold)) {
      level.limits.usage_threshold = of_job->usage_threshold();
    }
    if (of_job->has_limit_factor()) out.limit_factor = of_job->limit_factor();
  }
  out.denies = !of_job && !of_partition;
  for (const v1::Qos* qos : {of_job, of_partition}) {
    out.denies = out.denies || (qos && has_flag(*qos, kQosDenyOnLimit));
  }
  if (of_partition && of_partition != of_job) {
    const bool job_first = of_job && has_flag(*of_job, kQosOverPartition);
    sched::QosLevel level = qos_level(*of_partition, *own);
    // How many grow older is said by the job's own QoS alone.
    level.limits.grp_accrue = level.limits.max_accrue = level.limits.max_accrue_per_account =
        sched::kNoLimit;
    out.qos.insert(job_first ? out.qos.end() : out.qos.begin(), std::move(level));
  }
  return out;
}

uint32_t Limits::chain_of(const Books& books, const ChainKey& key) {
  auto [found, added] = chain_index_.emplace(key, static_cast<uint32_t>(chains_->size()));
  if (!added) return found->second;
  // A plan under way keeps what it has.
  if (chains_.use_count() > 1) chains_ = std::make_shared<std::vector<sched::LimitChain>>(*chains_);
  chains_->push_back(settle(books, key));
  return found->second;
}

sched::LimitChain Limits::settle(const Books& books, const ChainKey& key) {
  if (!books.association(key.association)) return sched::nobodys_limits();
  sched::LimitChain out = sched::settle_limits(levels_of(books, key), tres_);
  const v1::Qos* qos = books.qos(key.qos);
  out.no_reserve = qos && has_flag(*qos, kQosNoReserve);
  out.own_time = key.lifted.time || (qos && has_flag(*qos, kQosPartitionTimeLimit));
  out.own_max_nodes = qos && has_flag(*qos, kQosPartitionMaxNodes);
  out.own_min_nodes = qos && has_flag(*qos, kQosPartitionMinNodes);
  if (qos) out.min_priority = qos->limits().min_prio_threshold();
  if (qos && qos->has_usage_factor()) {
    out.run_factor = qos->usage_factor();
    if (safe_ && has_flag(*qos, kQosUsageFactorSafe)) out.minutes_factor = out.run_factor;
  }
  limit_age_ = limit_age_ || !out.accrue_rules.empty();
  for (const sched::Rule& rule : out.rules) {
    using sched::Measure;
    const bool used = rule.measure == Measure::kTresMinutes || rule.measure == Measure::kGroupWall;
    if (used) metered_[rule.counter] = true;
    fair_share_ = fair_share_ || rule.measure == Measure::kFairShare;
    by_clock_ = by_clock_ || used || rule.measure == Measure::kRunMinutes ||
                rule.measure == Measure::kMinutesOfJob;
  }
  return out;
}

bool Limits::refresh(const Books& books) {
  auto before = std::move(chains_);
  chains_ = std::make_shared<std::vector<sched::LimitChain>>(before->size());
  metered_.assign(metered_.size(), false);
  limit_age_ = by_clock_ = fair_share_ = false;
  for (const auto& [key, index] : chain_index_) {
    sched::LimitChain& chain = (*chains_)[index] = settle(books, key);
    const sched::LimitChain& was = (*before)[index];
    if (chain.counters != was.counters) return false;
    if (chain.own_max_nodes != was.own_max_nodes || chain.own_min_nodes != was.own_min_nodes) {
      return false;
    }
  }
  return true;
}

LimitPlace Limits::place(const Books& books, const Cluster& cluster, const Job& job) {
  LimitPlace out;
  for (const std::string& partition : job.partitions) {
    const uint32_t index = chain_of(
        books, {job.assoc_id, job.qos, book_name(partition_qos(cluster, partition)), job.lifted});
    out.chains.push_back(index);
    const std::vector<uint32_t>& more = chain(index).counters;
    out.counters.insert(out.counters.end(), more.begin(), more.end());
  }
  std::sort(out.counters.begin(), out.counters.end());
  out.counters.erase(std::unique(out.counters.begin(), out.counters.end()), out.counters.end());
  out.count = job.waiting ? job.waiting->count() : 1;
  const TresCounts counts = tres_limited(job);
  auto amounts = std::make_shared<sched::TresAmounts>(tres_.size());
  for (const auto& [name, amount] : counts) {
    if (uint16_t i = index(name); i != UINT16_MAX) (*amounts)[i] = amount;
  }
  out.tres = amounts_.share(format_tres_counts(counts), std::move(amounts));
  return out;
}

void Limits::come(const LimitPlace& place) {
  for (uint32_t counter : place.counters) submitted_[counter] += place.count;
}

void Limits::leave(const LimitPlace& place) {
  for (uint32_t counter : place.counters) submitted_[counter] -= place.count;
}

Reason Limits::submit_reason(const LimitPlace& place, const Job& job) const {
  if (place.chains.empty()) return Reason::kNone;
  const sched::LimitedJob size{place.tres.get(), job.settled.time_limit, nullptr};
  return sched::submit_reason(chain(place.chains[0]), size, submitted_, place.count, node_);
}

uint32_t Limits::longest(const LimitPlace& place) const {
  uint64_t minutes = kInfinite;
  if (place.chains.empty()) return kInfinite;
  for (const sched::Rule& rule : chain(place.chains[0]).rules) {
    const bool of_time =
        rule.measure == sched::Measure::kWall || rule.measure == sched::Measure::kGroupWall;
    if (of_time) minutes = std::min(minutes, rule.limit);
  }
  return static_cast<uint32_t>(minutes);
}

uint16_t Limits::index(std::string_view tres) const {
  auto found = tres_index_.find(tres);
  return found == tres_index_.end() ? UINT16_MAX : found->second;
}

sched::LimitTable Limits::table(const Cluster& cluster) const {
  sched::LimitTable out;
  out.chains = chains_;
  out.in_use = sched::InUse(submitted_.size(), tres_.size(), node_);
  out.safe = safe_;
  out.cpu = index("cpu");
  out.memory = index("mem");
  for (const auto& [name, type] : cluster.gres_kinds) {
    std::vector<uint16_t>& names = out.gres.emplace_back();
    if (uint16_t i = index("gres/" + name); i != UINT16_MAX) names.push_back(i);
    if (type.empty()) continue;
    if (uint16_t i = index("gres/" + name + ":" + type); i != UINT16_MAX) names.push_back(i);
  }
  return out;
}

}  // namespace grappe::embedded
