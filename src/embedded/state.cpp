#include "embedded/state.h"

#include <algorithm>
#include <atomic>

#include "embedded/shape.h"

namespace grappe::embedded {
namespace {

// The record for writing: a copy while somebody else (the cached list of all jobs, a commit, a
// reader) holds this one.
template <class Record>
void make_own(std::shared_ptr<Record>& record) {
  if (record.use_count() > 1) {
    record = std::make_shared<Record>(*record);
    return;
  }
  // What another thread read of it before it let go was before our writing.
#ifdef __SANITIZE_THREAD__
  const auto counted = record;  // it knows no fences, but the counter
#else
  std::atomic_thread_fence(std::memory_order_acquire);
#endif
}

size_t token_hash(const std::string& token) {
  return std::hash<std::string>{}(token);
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
  if (!entry.job->token.empty()) tokens_.emplace(token_hash(entry.job->token), id);
  if (entry.job->array_job_id) arrays_[entry.job->array_job_id].insert(id);
  index(entry);
  return *entry.job;
}

Job& State::edit_unsaved(uint32_t id) {
  Entry& entry = *by_id_.at(id);
  make_own(entry.job);
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
  auto [token, last] = tokens_.equal_range(token_hash(job.token));
  while (token != last) token = token->second == id ? tokens_.erase(token) : std::next(token);
  if (auto array = arrays_.find(job.array_job_id); array != arrays_.end()) {
    array->second.erase(id);
    if (array->second.empty()) arrays_.erase(array);
  }
  dirty_jobs_.erase(id);
  by_id_.erase(id);
  jobs_.erase(found);
  all_.reset();
}

void State::archive(uint32_t id) {
  changes_.jobs.push_back(jobs_.at(id).job);
  drop_steps(id);
  forget(id);
}

void State::drop_steps(uint32_t job_id) {
  auto& steps = jobs_.at(job_id).steps;
  for (const auto& [step_id, step] : steps) {
    if (dirty_steps_.erase({job_id, step_id})) changes_.steps.push_back(step);
  }
  steps.clear();
}

void State::save_past(Job job) {
  changes_.jobs.push_back(std::make_shared<const Job>(std::move(job)));
}

void State::undo(uint32_t id) {
  const Job* job = find(id);
  if (!job) return;
  if (job->holds_resources()) release(*job);
  forget(id);
}

uint32_t State::job_of_token(uid_t uid, const std::string& token) const {
  auto [known, last] = tokens_.equal_range(token_hash(token));
  for (; known != last; ++known) {
    const Job& job = *find(known->second);
    if (job.uid == uid && job.token == token) return job.id;
  }
  return 0;
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
  make_own(slot);
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
  Entry& entry = *by_id_.at(job_id);
  keep_shape(entry, std::move(shape));
  free_from_partition(entry);
}

void State::keep_shape(Entry& entry, sched::Shape shape) {
  const std::string key = shape_key(shape);
  entry.shape = shapes_.share(key, std::make_shared<const sched::Shape>(std::move(shape)));
}

void State::share_shape(uint32_t job_id, std::shared_ptr<const sched::Shape> shape) {
  by_id_.at(job_id)->shape = std::move(shape);
}

void State::save_content(std::string key, std::string data) {
  // Writing one again does no harm: what is known may be forgotten before it grows without end.
  if (known_contents_.size() >= kMostKnownContents) known_contents_.clear();
  if (!known_contents_.insert(key).second) return;
  changes_.contents.push_back({std::move(key), std::move(data)});
}

void State::save_setting(SavedSetting setting) {
  changes_.settings.push_back(std::move(setting));
}

void State::save_transaction(v1::Transaction entry) {
  changes_.transactions.push_back(std::move(entry));
}

Changes State::take_changes() {
  Changes changes = std::move(changes_);
  changes_ = {};
  for (sched::UsageBook::Row& row : usage.take_changes()) {
    changes.settings.push_back({std::move(row.kind), std::move(row.name), std::move(row.data)});
  }
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
  renew_limits();
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
    const bool over = job && job->finished() && !(job->state & kStateCompleting);
    if (job && !over && job->restarts == step.restart) add_step(std::move(step));
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
