#include "embedded/dependencies.h"

#include <algorithm>

#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

enum class Outcome { kWaits, kFulfilled, kFailed };

// The records that a condition is about: one job, one task, or all of an array. Until `visit` says
// false: of a large array the first record, that of the tasks which wait, mostly decides. Returns
// whether there was one.
template <class Visit>
bool visit_targets(const State& state, const Dependency& item, Visit visit) {
  const std::set<uint32_t>& members = state.array_members(item.job_id);
  if (members.empty()) {
    const Job* job = state.find(item.job_id);
    if (job) visit(*job);
    return job != nullptr;
  }
  bool one_task = item.task_id != kNoValue && item.task_id != kInfinite;
  bool any = false;
  for (uint32_t id : members) {
    const Job& job = *state.find(id);
    bool here =
        job.waiting ? job.waiting->contains(item.task_id) : job.array_task_id == item.task_id;
    if (one_task && !here) continue;
    any = true;
    if (!visit(job)) break;
  }
  return any;
}

bool ended_well(const Job& job) {
  return job.base() == JobState::kCompleted;
}

// after: started (or cancelled) and, with "+minutes", that long ago.
Outcome after_start(const State& state, const Dependency& item, int64_t now, int64_t* again_at) {
  int64_t latest = 0;
  bool all_started = true;
  visit_targets(state, item, [&](const Job& job) {
    latest = std::max(latest, job.start_time);
    return all_started = !job.pending();
  });
  if (!all_started) return Outcome::kWaits;
  int64_t due = latest + int64_t{item.delay_minutes} * 60;
  if (now >= due) return Outcome::kFulfilled;
  *again_at = *again_at ? std::min(*again_at, due) : due;
  return Outcome::kWaits;
}

Outcome after_end(const State& state, const Dependency& item) {
  bool all_ended = true, all_well = true;
  const bool known = visit_targets(state, item, [&](const Job& job) {
    all_well = all_well && ended_well(job);
    return all_ended = job.finished() && !(job.state & kStateCompleting);
  });
  // Slurm takes a job that it does not know (any more) for one that ended as wished.
  if (!known) return Outcome::kFulfilled;
  if (!all_ended) return Outcome::kWaits;
  if (item.kind == DependencyKind::kAfterOk || item.kind == DependencyKind::kAfterCorr) {
    return all_well ? Outcome::kFulfilled : Outcome::kFailed;
  }
  if (item.kind == DependencyKind::kAfterNotOk) {
    return all_well ? Outcome::kFailed : Outcome::kFulfilled;
  }
  return Outcome::kFulfilled;
}

bool first_of_its_name(const State& state, const Job& job) {
  const std::set<uint32_t>& names = state.namesakes(job);
  return std::none_of(names.begin(), names.end(), [&](uint32_t id) {
    return id < job.id && (!job.array_job_id || state.find(id)->array_job_id != job.array_job_id);
  });
}

Outcome look(const State& state, const Job& job, const Dependency& item, int64_t now,
             int64_t* again_at) {
  if (item.state == DependencyState::kFailed) return Outcome::kFailed;
  if (item.kind == DependencyKind::kSingleton) {
    return first_of_its_name(state, job) ? Outcome::kFulfilled : Outcome::kWaits;
  }
  if (item.kind == DependencyKind::kAfter) return after_start(state, item, now, again_at);
  // Task by task: the record waits only until one counterpart has ended well (next_task).
  if (item.kind == DependencyKind::kAfterCorr && job.waiting) {
    return next_task(state, job) || !visit_targets(state, item, [](const Job&) { return false; })
               ? Outcome::kFulfilled
               : Outcome::kWaits;
  }
  return after_end(state, item);
}

bool waits_for(const State& state, uint32_t from, uint32_t to, int depth) {
  if (from == to) return true;
  const Job* job = state.find(from);
  if (!job || depth == 0) return false;
  return std::any_of(job->dependency.items.begin(), job->dependency.items.end(),
                     [&](const Dependency& item) {
                       return item.job_id && waits_for(state, item.job_id, to, depth - 1);
                     });
}

}  // namespace

Status set_dependency(Core& core, Job& job, const std::string& text) {
  if (text.empty()) {
    job.dependency = {};
    return {};
  }
  auto parsed = parse_dependencies(text);
  if (!parsed) return slurm_fail(kErrDependency);
  for (Dependency& item : parsed->items) {
    // An array is all of its tasks, and shown so.
    const bool whole = item.job_id && item.task_id == kNoValue;
    if (whole && !core.state.array_members(item.job_id).empty()) item.task_id = kInfinite;
    if (item.kind == DependencyKind::kExpand || item.kind == DependencyKind::kAfterBurstBuffer) {
      return slurm_fail(kErrNotSupported);
    }
    int depth = static_cast<int>(core.state.cluster.config.scheduling.max_depend_depth);
    if (job.id && item.job_id && waits_for(core.state, item.job_id, job.id, depth)) {
      return slurm_fail(kErrCircularDependency);
    }
  }
  job.dependency = std::move(*parsed);
  return {};
}

DependencyWait dependency_wait(const State& state, const Job& job, int64_t now) {
  DependencyWait out;
  const DependencyList& list = job.dependency;
  if (list.items.empty()) return out;
  size_t failed = 0, fulfilled = 0;
  for (const Dependency& item : list.items) {
    switch (look(state, job, item, now, &out.again_at)) {
      case Outcome::kFailed:
        ++failed;
        break;
      case Outcome::kFulfilled:
        ++fulfilled;
        break;
      case Outcome::kWaits:
        break;
    }
  }
  bool done = list.any ? fulfilled > 0 : fulfilled == list.items.size();
  out.waits = !done;
  out.never = !done && (list.any ? failed == list.items.size() : failed > 0);
  return out;
}

void resolve(Core& core, uint32_t job_id) {
  const Job* job = core.state.find(job_id);
  if (!job || job->dependency.items.empty()) return;
  DependencyList left{{}, job->dependency.any};
  int64_t again_at = 0;
  for (Dependency item : job->dependency.items) {
    Outcome outcome = look(core.state, *job, item, core.now, &again_at);
    // A condition that holds only now (singleton, task by task) is asked again at each start.
    bool lasting = item.kind != DependencyKind::kSingleton &&
                   !(item.kind == DependencyKind::kAfterCorr && job->waiting);
    if (outcome == Outcome::kFulfilled && lasting) {
      if (left.any) {
        left.items.clear();
        break;
      }
      continue;
    }
    if (outcome == Outcome::kFailed) item.state = DependencyState::kFailed;
    left.items.push_back(item);
  }
  if (left == job->dependency) return;
  core.state.edit(job_id).dependency = std::move(left);
  core.plan_wanted = true;
}

void resolve_dependents(Core& core, uint32_t job_id) {
  const Job* changed = core.state.find(job_id);
  const uint32_t array = changed ? changed->array_job_id : 0;
  for (uint32_t id : core.state.dependents(job_id)) resolve(core, id);
  if (!array || array == job_id) return;
  for (uint32_t id : core.state.dependents(array)) resolve(core, id);
}

std::optional<uint32_t> next_task(const State& state, const Job& record) {
  auto corr =
      std::find_if(record.dependency.items.begin(), record.dependency.items.end(),
                   [](const Dependency& item) { return item.kind == DependencyKind::kAfterCorr; });
  if (corr == record.dependency.items.end()) return record.waiting->first();
  for (uint32_t id : state.array_members(corr->job_id)) {
    const Job* other = state.find(id);
    if (other->array_task_id && ended_well(*other) &&
        record.waiting->contains(*other->array_task_id)) {
      return other->array_task_id;
    }
  }
  return std::nullopt;
}

}  // namespace grappe::embedded
