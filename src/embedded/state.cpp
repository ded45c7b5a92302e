#include "embedded/state.h"

#include <algorithm>
#include <atomic>

#include "base/hostlist.h"
#include "base/text.h"
#include "embedded/shape.h"

namespace grappe::embedded {
namespace {

using Groups = std::unordered_map<uint32_t, std::set<uint32_t>>;

void drop(Groups& groups, uint32_t group, uint32_t member) {
  const auto found = groups.find(group);
  if (found == groups.end()) return;
  found->second.erase(member);
  if (found->second.empty()) groups.erase(found);
}

const std::set<uint32_t>& members(const Groups& groups, uint32_t group) {
  static const std::set<uint32_t> kNobody;
  const auto found = groups.find(group);
  return found == groups.end() ? kNobody : found->second;
}

bool has_delay(const DependencyList& list) {
  return std::any_of(list.items.begin(), list.items.end(),
                     [](const Dependency& item) { return item.delay_minutes > 0; });
}

}  // namespace

State::Entry* State::entry(uint32_t id) const {
  auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

const Job* State::find(uint32_t id) const {
  const Entry* known = entry(id);
  return known ? known->job.get() : nullptr;
}

JobPtr State::get(uint32_t id) const {
  const Entry* known = entry(id);
  return known ? known->job : nullptr;
}

// A long queue is mostly the same request many times.
std::shared_ptr<const v1::JobSpec> State::shared(std::shared_ptr<const v1::JobSpec> spec) {
  const std::string key = content_key(spec->SerializeAsString());
  return specs_.share(key, std::move(spec));
}

Job& State::add(Job job) {
  if (job.spec) job.spec = shared(std::move(job.spec));
  return keep(std::move(job));
}

Job& State::keep(Job job) {
  uint32_t id = job.id;
  Entry& entry = jobs_[id];
  by_id_[id] = &entry;
  entry.job = std::make_shared<Job>(std::move(job));
  dirty_jobs_.insert(id);
  all_.reset();
  if (!entry.job->token.empty()) tokens_[{entry.job->uid, entry.job->token}] = id;
  if (entry.job->array_job_id) arrays_[entry.job->array_job_id].insert(id);
  index(entry);
  return *entry.job;
}

Job& State::edit_unsaved(uint32_t id) {
  Entry& entry = *by_id_.at(id);
  // The cached list of all jobs may hold it too: a copy keeps what readers see unchanged.
  if (entry.job.use_count() > 1) {
    entry.job = std::make_shared<Job>(*entry.job);
  } else {
    // What another thread read of it before it let go was before our writing.
    std::atomic_thread_fence(std::memory_order_acquire);
  }
  all_.reset();
  return *entry.job;
}

Job& State::edit(uint32_t id) {
  dirty_jobs_.insert(id);
  return edit_unsaved(id);
}

void State::forget(uint32_t id) {
  auto found = jobs_.find(id);
  if (found == jobs_.end()) return;
  const Job& job = *found->second.job;
  unindex(found->second);
  tokens_.erase({job.uid, job.token});
  if (job.array_job_id) {
    drop(arrays_, job.array_job_id, id);
  }
  dirty_jobs_.erase(id);
  by_id_.erase(id);
  jobs_.erase(found);
  all_.reset();
}

void State::archive(uint32_t id) {
  const Entry& entry = jobs_.at(id);
  changes_.jobs.push_back(entry.job);
  for (const auto& [step_id, step] : entry.steps) {
    if (dirty_steps_.erase({id, step_id})) changes_.steps.push_back(step);
  }
  forget(id);
}

void State::undo(uint32_t id) {
  const Job* job = find(id);
  if (!job) return;
  if (job->holds_resources()) release(*job);
  forget(id);
}

std::vector<uint32_t> State::dependents(uint32_t id) const {
  const std::set<uint32_t>& waiting = members(dependents_, id);
  return {waiting.begin(), waiting.end()};
}

const std::set<uint32_t>& State::namesakes(const Job& job) const {
  if (!names_) {
    names_.emplace();
    for (const auto& [id, entry] : jobs_) index_name(*entry.job);
  }
  return (*names_)[{job.uid, job.spec->name()}];
}

void State::index_name(const Job& job) const {
  if (!job.finished() || job.holds_resources()) {
    (*names_)[{job.uid, job.spec->name()}].insert(job.id);
  }
}

const std::set<uint32_t>& State::array_members(uint32_t array_job_id) const {
  return members(arrays_, array_job_id);
}

uint32_t State::array_running(uint32_t array_job_id) const {
  auto found = array_running_.find(array_job_id);
  return found == array_running_.end() ? 0 : found->second;
}

uint32_t State::job_of_token(uid_t uid, const std::string& token) const {
  auto found = tokens_.find({uid, token});
  return found == tokens_.end() ? 0 : found->second;
}

std::shared_ptr<const std::vector<JobPtr>> State::all() {
  if (!all_) {
    auto list = std::make_shared<std::vector<JobPtr>>();
    list->reserve(jobs_.size());
    for (const auto& [id, entry] : jobs_) list->push_back(entry.job);
    all_ = std::move(list);
  }
  return all_;
}

uint32_t State::next_job_id() {
  const LimitsConfig& limits = cluster.config.limits;
  uint32_t id = std::max(last_job_id_ + 1, limits.first_job_id);
  while (id > limits.max_job_id || jobs_.contains(id)) {
    id = id >= limits.max_job_id ? limits.first_job_id : id + 1;
  }
  last_job_id_ = id;
  changes_.meta["last_job_id"] = std::to_string(id);
  return id;
}

StepPtr State::find_step(uint32_t job_id, uint32_t step_id) const {
  auto job = jobs_.find(job_id);
  if (job == jobs_.end()) return nullptr;
  auto step = job->second.steps.find(step_id);
  return step == job->second.steps.end() ? nullptr : step->second;
}

Step& State::add_step(Step step) {
  auto& slot = jobs_.at(step.job_id).steps[step.step_id];
  dirty_steps_.insert({step.job_id, step.step_id});
  slot = std::make_shared<Step>(std::move(step));
  return *slot;
}

Step& State::edit_step(uint32_t job_id, uint32_t step_id) {
  auto& slot = jobs_.at(job_id).steps.at(step_id);
  if (slot.use_count() > 1) slot = std::make_shared<Step>(*slot);
  dirty_steps_.insert({job_id, step_id});
  return *slot;
}

std::vector<StepPtr> State::steps_of(uint32_t job_id) const {
  std::vector<StepPtr> steps;
  auto job = jobs_.find(job_id);
  if (job == jobs_.end()) return steps;
  for (const auto& [id, step] : job->second.steps) steps.push_back(step);
  return steps;
}

bool State::has_running_steps(uint32_t job_id) const {
  auto job = jobs_.find(job_id);
  if (job == jobs_.end()) return false;
  for (const auto& [id, step] : job->second.steps) {
    if (!is_finished(base_state(step->state))) return true;
  }
  return false;
}

std::shared_ptr<const sched::Shape> State::shape(uint32_t job_id) const {
  const Entry* known = entry(job_id);
  return known ? known->shape : nullptr;
}

void State::set_shape(uint32_t job_id, sched::Shape shape) {
  const std::string key = shape_key(shape);
  by_id_.at(job_id)->shape =
      shapes_.share(key, std::make_shared<const sched::Shape>(std::move(shape)));
}

void State::share_shape(uint32_t job_id, std::shared_ptr<const sched::Shape> shape) {
  by_id_.at(job_id)->shape = std::move(shape);
}

void State::save_content(std::string key, std::string data) {
  if (!known_contents_.emplace(key, true).second) return;
  changes_.contents.push_back({std::move(key), std::move(data)});
}

void State::save_setting(SavedSetting setting) {
  changes_.settings.push_back(std::move(setting));
}

Changes State::take_changes() {
  Changes changes = std::move(changes_);
  changes_ = {};
  for (uint32_t id : dirty_jobs_) {
    changes.jobs.push_back(jobs_.at(id).job);
    reindex(id);
  }
  for (const auto& [job_id, step_id] : dirty_steps_) {
    if (StepPtr step = find_step(job_id, step_id)) changes.steps.push_back(std::move(step));
  }
  dirty_jobs_.clear();
  dirty_steps_.clear();
  return changes;
}

void State::reindex(uint32_t id) {
  Entry* known = entry(id);
  if (!known) return;
  unindex(*known);
  index(*known);
}

void State::index(Entry& entry) {
  const Job& job = *entry.job;
  if (names_) index_name(job);
  if (job.holds_resources()) {
    active_.insert(job.id);
    if (job.array_job_id) ++array_running_[job.array_job_id];
  } else if (job.pending()) {
    pending_.emplace(job.id, &entry);
    bool by_clock = job.begin_time || job.spec->deadline() || has_delay(job.dependency) ||
                    !job.spec->reservation().empty();
    if (by_clock) timed_.insert(job.id);
    for (const Dependency& item : job.dependency.items) {
      if (item.job_id == 0) continue;
      dependents_[item.job_id].insert(job.id);
      entry.indexed_for.push_back(item.job_id);
    }
  } else if (job.finished()) {
    entry.indexed_end = job.end_time;
    finished_.insert({job.end_time, job.id});
  }
}

void State::unindex(Entry& entry) {
  const uint32_t id = entry.job->id, array = entry.job->array_job_id;
  pending_.erase(id);
  timed_.erase(id);
  finished_.erase({entry.indexed_end, id});
  if (active_.erase(id) && array && --array_running_[array] == 0) array_running_.erase(array);
  for (uint32_t target : entry.indexed_for) drop(dependents_, target, id);
  entry.indexed_for.clear();
  if (!names_) return;
  const auto same = names_->find({entry.job->uid, entry.job->spec->name()});
  if (same != names_->end() && same->second.erase(id)) {
    if (same->second.empty()) names_->erase(same);
  } else if (!entry.job->finished()) {
    names_.reset();  // it had another name: all are looked at anew when somebody asks
  }
}

std::vector<uint32_t> State::finished_before(int64_t time) const {
  std::vector<uint32_t> ids;
  for (const auto& [end, id] : finished_) {
    if (end >= time) break;
    ids.push_back(id);
  }
  return ids;
}

void State::count_licenses(const Job& job, bool taken) {
  for (std::string_view item : split_words(job.spec->licenses(), ",;")) {
    auto found = cluster.licenses.find(item.substr(0, item.find(':')));
    if (found == cluster.licenses.end()) continue;
    size_t colon = item.find(':');
    uint64_t count = 1;
    if (colon != std::string_view::npos) {
      count = parse_uint(item.substr(colon + 1), UINT32_MAX).value_or(0);
    }
    uint32_t& used = found->second.used;
    uint32_t change = static_cast<uint32_t>(count);
    used = taken ? used + change : used - std::min(used, change);
  }
}

void State::occupy_cpus(const Job& job) {
  for (const NodeAllocation& share : job.allocation) {
    ClusterNode& node = cluster.nodes.at(share.node);
    for (uint32_t cpu : share.cpus) {
      if (node.cpu_jobs.size() <= cpu) node.cpu_jobs.resize(cpu + 1);
      ++node.cpu_jobs[cpu];
      node.used_cpus.set(cpu);
    }
    if (job.settled.whole_nodes) node.exclusive = true;
  }
}

void State::release_cpus(const Job& job) {
  for (const NodeAllocation& share : job.allocation) {
    ClusterNode& node = cluster.nodes.at(share.node);
    for (uint32_t cpu : share.cpus) {
      if (--node.cpu_jobs.at(cpu) == 0) node.used_cpus.clear(cpu);
    }
    if (job.settled.whole_nodes) node.exclusive = false;
  }
}

void State::occupy(const Job& job) {
  count_licenses(job, true);
  if (job.base() != JobState::kSuspended) occupy_cpus(job);
  const ClusterPartition* partition = cluster.partition(job.partitions.front());
  bool alone_as_a_user = job.spec->sharing() == v1::JobSpec::EXCLUSIVE_USER ||
                         (partition && partition->config.exclusive_user);
  for (const NodeAllocation& share : job.allocation) {
    ClusterNode& node = cluster.nodes.at(share.node);
    node.used_memory_mb += share.memory_mb;
    for (const GresAllocation& gres : share.gres) {
      for (uint32_t index : gres.indexes) set_device(node, gres.name, index, true);
    }
    ++node.jobs;
    if (alone_as_a_user) node.owner = job.uid;
  }
}

void State::release(const Job& job) {
  count_licenses(job, false);
  if (job.base() != JobState::kSuspended) release_cpus(job);
  for (const NodeAllocation& share : job.allocation) {
    ClusterNode& node = cluster.nodes.at(share.node);
    node.used_memory_mb -= std::min(node.used_memory_mb, share.memory_mb);
    for (const GresAllocation& gres : share.gres) {
      for (uint32_t index : gres.indexes) set_device(node, gres.name, index, false);
    }
    if (node.jobs > 0) --node.jobs;
    if (node.jobs == 0) node.owner = UINT32_MAX;
  }
}

Status State::reconfigure(Cluster next) {
  for (uint32_t id : active_) {
    for (const NodeAllocation& share : find(id)->allocation) {
      const ClusterNode* node = next.node(share.name);
      if (!node || node->machine.topology.cpus < cluster.node(share.name)->machine.topology.cpus) {
        return fail("node " + share.name + " is in use by job " + std::to_string(id) +
                    " and is missing or smaller in the new configuration");
      }
    }
  }
  for (ClusterNode& node : next.nodes) {
    const ClusterNode* old = cluster.node(node.machine.name);
    if (!old) continue;
    node.flags = old->flags;
    node.down = old->down;
    node.reason = old->reason;
    node.reason_uid = old->reason_uid;
    node.reason_user = old->reason_user;
    node.reason_time = old->reason_time;
    node.comment = old->comment;
    node.extra = old->extra;
  }
  next.reservations = std::move(cluster.reservations);
  next.last_reservation = cluster.last_reservation;
  derive(next);
  next.host = cluster.host;
  next.boot_id = cluster.boot_id;
  cluster = std::move(next);
  for (uint32_t id : active_) {
    Job& job = edit(id);
    for (NodeAllocation& share : job.allocation) share.node = cluster.node_index.at(share.name);
    occupy(job);
  }
  for (uint32_t id : pending()) {
    if (auto shape = shape_of(cluster, *find(id))) set_shape(id, std::move(*shape));
  }
  return {};
}

void State::recover(Recovered recovered) {
  auto last = recovered.meta.find("last_job_id");
  if (last != recovered.meta.end()) {
    last_job_id_ = static_cast<uint32_t>(std::stoul(last->second));
  }
  // Rows come ordered by restart: the last run of a requeued job is the one that lives on.
  std::unordered_map<const v1::JobSpec*, std::shared_ptr<const v1::JobSpec>> specs;
  for (Job& job : recovered.jobs) {
    if (find(job.id)) forget(job.id);
    std::shared_ptr<const v1::JobSpec>& spec = specs[job.spec.get()];
    if (!spec) spec = shared(job.spec);
    job.spec = spec;
    keep(std::move(job));
  }
  for (Step& step : recovered.steps) {
    const Job* job = find(step.job_id);
    if (job && job->restarts == step.restart) add_step(std::move(step));
  }
  for (auto& [id, entry] : jobs_) {
    if (!entry.job->holds_resources()) continue;
    // The order of nodes in the configuration may have changed.
    for (NodeAllocation& share : entry.job->allocation) {
      auto found = cluster.node_index.find(share.name);
      if (found != cluster.node_index.end()) share.node = found->second;
    }
    occupy(*entry.job);
  }
  dirty_jobs_.clear();
  dirty_steps_.clear();
}

}  // namespace grappe::embedded
