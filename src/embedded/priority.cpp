#include "embedded/priority.h"

#include <algorithm>
#include <map>

#include "embedded/tres.h"
#include "embedded/usage.h"
#include "store/usage.h"

namespace grappe::embedded {
namespace {

// The tree is not made anew for each of many changes of the books.
constexpr int64_t kPauseAfterChange = 2;

bool is_multifactor(const Core& core) {
  return core.state.cluster.config.priority.type == "priority/multifactor";
}

void update_shares(Core& core) {
  const ClusterConfig& config = core.state.cluster.config;
  core.shares.update(core.state.books, config.service.cluster_name, core.state.usage,
                     config.priority);
}

// First come, first served, as priority/basic counts: down from the top.
uint32_t basic_priority(const Core& core, const Job& job) {
  constexpr uint32_t kTop = 4294901760;  // Slurm's first: 0xffff0000
  const int64_t nice = job.spec->has_nice() ? job.spec->nice() : 0;
  return static_cast<uint32_t>(
      std::clamp<int64_t>(int64_t{kTop} - job.id - nice + boost_of(core.boosts, job.user, core.now),
                          1, UINT32_MAX - 1));
}

// What is the same for all jobs that are weighed together.
class Scene {
 public:
  explicit Scene(const Core& core)
      : state_(core.state),
        shares_(core.shares),
        boosts_(core.boosts),
        config_(state_.cluster.config.priority) {
    for (const ClusterPartition& partition : state_.cluster.partitions) {
      scale_.partition = std::max(scale_.partition, partition.config.priority_job_factor);
    }
    for (const auto& [name, qos] : state_.books.qos()) {
      if (!qos->stamp().deleted()) scale_.qos = std::max(scale_.qos, qos->priority());
    }
    scale_.assoc = shares_.highest_priority();
    scale_.nodes = static_cast<uint32_t>(state_.cluster.nodes.size());
    for (const ClusterNode& node : state_.cluster.nodes) scale_.cpus += node.machine.topology.cpus;
  }

  const PriorityConfig& config() const { return config_; }

  sched::WeightedFactors weigh(const Job& job, const ClusterPartition& partition,
                               int64_t now) const {
    return sched::weigh(config_, scale_, facts(job, partition, now));
  }

  std::vector<const ClusterPartition*> named_partitions(const Job& job) const {
    std::vector<const ClusterPartition*> out;
    for (const std::string& name : job.partitions) {
      if (const ClusterPartition* partition = state_.cluster.partition(name)) {
        out.push_back(partition);
      }
    }
    return out;
  }
  // That of the highest tier first.
  std::vector<const ClusterPartition*> partitions_by_tier(const Job& job) const {
    std::vector<const ClusterPartition*> out = named_partitions(job);
    std::stable_sort(out.begin(), out.end(), [](const auto* a, const auto* b) {
      return a->config.priority_tier > b->config.priority_tier;
    });
    return out;
  }

 private:
  sched::PriorityFacts facts(const Job& job, const ClusterPartition& partition, int64_t now) const {
    sched::PriorityFacts facts;
    facts.now = now;
    facts.submit_time = job.submit_time;
    facts.accrue_time = job.accrue_time;
    facts.fair_share = shares_.fair_share(job.assoc_id);
    if (const ShareTable::Row* row = shares_.find(job.assoc_id)) {
      facts.assoc_priority = row->priority;
    }
    if (const v1::Qos* qos = state_.books.qos(job.qos)) facts.qos_priority = qos->priority();
    facts.partition_factor = partition.config.priority_job_factor;
    facts.nodes = job.settled.min_nodes;
    facts.cpus = job.settled.cpus;
    facts.time_limit_min = job.settled.time_limit;
    facts.site = job.site_factor + boost_of(boosts_, job.user, now);
    facts.nice = job.spec->nice();
    if (!config_.weight_tres.empty()) facts.tres = tres_parts(job, partition);
    return facts;
  }

  std::vector<sched::TresPart> tres_parts(const Job& job, const ClusterPartition& partition) const {
    const TresCounts own = job.allocation.empty() ? tres_asked(job) : tres_counts(job);
    auto [all, fresh] = partition_tres_.try_emplace(partition.config.name);
    if (fresh) all->second = tres_of(state_.cluster, partition);
    auto amount = [](const TresCounts& counts, const std::string& name) {
      const auto found = counts.find(name);
      return found == counts.end() ? 0 : found->second;
    };
    std::vector<sched::TresPart> out;
    for (const TresWeight& weight : config_.weight_tres) {
      out.push_back({amount(own, weight.tres), amount(all->second, weight.tres)});
    }
    return out;
  }

  const State& state_;
  const ShareTable& shares_;
  const Boosts& boosts_;
  const PriorityConfig& config_;
  sched::PriorityScale scale_;
  mutable std::map<std::string, TresCounts> partition_tres_;
};

struct Weighed {
  uint32_t priority = 1;
  std::vector<uint32_t> by_partition;  // in the order of the job's; empty: all the same
};

// Its priority is that in the first partition that it named.
Weighed weigh(const Scene& scene, const Job& job, int64_t now) {
  std::vector<uint32_t> priorities;
  for (const ClusterPartition* partition : scene.named_partitions(job)) {
    priorities.push_back(sched::priority_of(scene.weigh(job, *partition, now)));
  }
  if (priorities.empty()) return {};
  const uint32_t first = priorities.front();
  if (priorities.size() == 1) return {first, {}};
  return {first, std::move(priorities)};
}

void keep(const Scene& scene, Weighed weighed, Job& job, int64_t now) {
  const bool only_up = scene.config().flags.incr_only;
  job.priority = only_up ? std::max(job.priority, weighed.priority) : weighed.priority;
  job.partition_priorities = std::move(weighed.by_partition);
  job.priority_time = now;
}

void weigh_again(Core& core, const Scene& scene, const Job& job) {
  if (job.direct_priority || job.priority == 0) return;
  Weighed weighed = weigh(scene, job, core.now);
  if (weighed.priority == job.priority && weighed.by_partition == job.partition_priorities &&
      job.priority_time == core.now) {
    return;
  }
  keep(scene, std::move(weighed), core.state.edit_unsaved(job.id), core.now);
}

template <class Names, class Name>
bool is_asked_for(const Names& names, const Name& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

void fill_factors(const sched::WeightedFactors& from, v1::PriorityInfo& out) {
  out.set_site(from.site);
  out.set_age(from.age);
  out.set_assoc(from.assoc);
  out.set_fair_share(from.fair_share);
  out.set_job_size(from.job_size);
  out.set_part(from.partition);
  out.set_qos_priority(from.qos);
  for (double tres : from.tres) out.add_tres(tres);
  out.set_nice(static_cast<int64_t>(from.nice));
}

void fill_weights(const PriorityConfig& config, v1::PrioritiesResponse& out) {
  v1::PriorityInfo& weights = *out.mutable_weights();
  weights.set_site(1);
  weights.set_age(config.weight_age);
  weights.set_assoc(config.weight_assoc);
  weights.set_fair_share(config.weight_fair_share);
  weights.set_job_size(config.weight_job_size);
  weights.set_part(config.weight_partition);
  weights.set_qos_priority(config.weight_qos);
  out.set_tres_weights(config.weight_tres_text);
  for (const TresWeight& weight : config.weight_tres) {
    out.add_tres(weight.tres);
    weights.add_tres(weight.weight);
  }
}

// One that is held or may not run yet has no place in the queue.
bool has_place(const Core& core, const Job& job) {
  const PriorityFlags& flags = core.state.cluster.config.priority.flags;
  if (job.priority == 0 || job.finished()) return false;
  if (!job.pending()) return flags.calculate_running;
  return flags.accrue_always || (job.eligible_time && job.eligible_time <= core.now);
}

void list_job(const Scene& scene, const Job& job, const v1::PrioritiesRequest& request,
              v1::PrioritiesResponse& out) {
  for (const ClusterPartition* partition : scene.partitions_by_tier(job)) {
    if (!is_asked_for(request.partitions(), partition->config.name)) continue;
    v1::PriorityInfo& info = *out.add_jobs();
    info.set_job_id(job.id);
    info.set_partition(partition->config.name);
    info.set_uid(job.uid);
    info.set_user(job.user);
    info.set_account(job.account);
    info.set_qos(job.qos);
    info.set_direct(job.direct_priority);
    info.set_priority(job.priority);
    if (job.direct_priority) continue;
    const sched::WeightedFactors factors = scene.weigh(job, *partition, job.priority_time);
    fill_factors(factors, info);
    info.set_priority(sched::priority_of(factors));
  }
}

}  // namespace

void set_priority(Core& core, Job& job) {
  const v1::JobSpec& spec = *job.spec;
  job.partition_priorities.clear();
  job.direct_priority = spec.has_priority() && spec.priority() > 0;
  if (job.hold != Hold::kNone) {
    job.priority = 0;
  } else if (job.direct_priority) {
    job.priority = spec.priority();
  } else if (!is_multifactor(core)) {
    job.priority = basic_priority(core, job);
  } else {
    if (core.shares.is_stale() && !core.shares.find(job.assoc_id)) update_shares(core);
    const Scene scene(core);
    job.priority = 0;
    keep(scene, weigh(scene, job, core.now), job, core.now);
  }
}

void recalculate_priorities(Core& core) {
  update_shares(core);
  core.shares_due = core.now + kPauseAfterChange;
  if (!is_multifactor(core)) return;
  const Scene scene(core);
  core.state.for_each_pending(
      [&](const State::Entry& entry) { weigh_again(core, scene, *entry.job); });
  if (scene.config().flags.calculate_running) {
    for (uint32_t id : core.state.active()) weigh_again(core, scene, *core.state.find(id));
  }
  core.plan_wanted = true;
}

void weigh_user(Core& core, const std::string& user) {
  if (is_multifactor(core)) return recalculate_priorities(core);
  core.state.for_each_pending([&](const State::Entry& entry) {
    const Job& job = *entry.job;
    if (job.user != user || job.direct_priority || job.priority == 0) return;
    core.state.edit(job.id).priority = basic_priority(core, job);
  });
  core.plan_wanted = true;
}

int64_t tick_priorities(Core& core) {
  const bool charged = charge_if_due(core);
  const bool changed = core.shares.is_stale() && core.now >= core.shares_due;
  if (charged || changed) recalculate_priorities(core);
  return core.shares.is_stale() ? core.shares_due : next_charge(core);
}

Result<v1::PrioritiesResponse> list_priorities(Core& core, const Caller& caller,
                                               const v1::PrioritiesRequest& request) {
  const ClusterConfig& config = core.state.cluster.config;
  v1::PrioritiesResponse out;
  out.set_multifactor(is_multifactor(core));
  out.set_priority_type(config.priority.type);
  out.set_cluster(config.service.cluster_name);
  if (!out.multifactor()) return out;
  fill_weights(config.priority, out);
  const bool only_own = config.service.private_data.jobs && !caller.is_operator;
  const Scene scene(core);
  auto list = [&](const Job& job) {
    if (!has_place(core, job) || (only_own && job.uid != caller.uid)) return;
    const bool meant = is_asked_for(request.job_ids(), job.id) ||
                       (job.array_job_id && is_asked_for(request.job_ids(), job.array_job_id));
    if (meant && is_asked_for(request.users(), job.user)) list_job(scene, job, request, out);
  };
  core.state.for_each_pending([&](const State::Entry& entry) { list(*entry.job); });
  if (config.priority.flags.calculate_running) {
    for (uint32_t id : core.state.active()) list(*core.state.find(id));
  }
  return out;
}

}  // namespace grappe::embedded
