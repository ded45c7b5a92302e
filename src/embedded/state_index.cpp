// Jobs by what is asked of them.
#include <algorithm>

#include "embedded/state.h"

namespace grappe::embedded {

std::vector<uint32_t> State::pending() const {
  std::vector<uint32_t> ids;
  ids.reserve(pending_.size());
  for (const auto& [id, entry] : pending_) ids.push_back(id);
  return ids;
}
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

void State::reindex(uint32_t id) {
  Entry* known = entry(id);
  if (!known) return;
  unindex(*known);
  index(*known);
}

void State::index(Entry& entry) {
  const Job& job = *entry.job;
  if (names_) index_name(job);
  count(entry);
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
  uncount(entry);
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

}  // namespace grappe::embedded
