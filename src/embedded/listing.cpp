#include "embedded/listing.h"

#include <algorithm>
#include <unordered_set>

#include "base/text.h"
#include "embedded/arrays.h"
#include "embedded/view.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

template <class List, class Value>
bool wanted(const List& list, const Value& value) {
  return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
}

bool state_wanted(const Job& job, const v1::ListJobsRequest& request) {
  if (request.all_states()) return true;
  if (request.states().empty()) {
    return !job.finished() || (job.state & kStateCompleting) != 0;
  }
  return std::any_of(request.states().begin(), request.states().end(),
                     [&](uint32_t wanted) { return shows_as(job.state, wanted); });
}

bool matches(const Job& job, const v1::ListJobsRequest& request) {
  auto partition_wanted = [&] {
    return request.partitions().empty() ||
           std::any_of(job.partitions.begin(), job.partitions.end(),
                       [&](const std::string& p) { return wanted(request.partitions(), p); });
  };
  auto node_wanted = [&] {
    return request.nodes().empty() ||
           std::any_of(job.allocation.begin(), job.allocation.end(),
                       [&](const auto& share) { return wanted(request.nodes(), share.name); });
  };
  return state_wanted(job, request) && wanted(request.uids(), job.uid) &&
         wanted(request.accounts(), job.account) && wanted(request.qos(), job.qos) &&
         wanted(request.names(), job.spec->name()) &&
         wanted(request.reservations(), job.spec->reservation()) && partition_wanted() &&
         node_wanted();
}

bool hidden(const Cluster& cluster, const Job& job) {
  return std::all_of(job.partitions.begin(), job.partitions.end(), [&](const std::string& name) {
    const ClusterPartition* partition = cluster.partition(name);
    return partition && partition->config.hidden;
  });
}

// A task that was cancelled before it ran: Slurm takes it out of the array and knows it no more.
bool forgotten(const Job& job) {
  return job.array_job_id != 0 && job.id != job.array_job_id && job.allocation.empty() &&
         job.restarts == 0 && base_state(job.state) == JobState::kCancelled;
}

// One waiting task of an array as if it had a record of its own.
JobPtr single_task(const Job& record, uint32_t task) {
  Job alone = record;
  alone.waiting.reset();
  alone.array_task_id = task;
  return std::make_shared<const Job>(std::move(alone));
}

// Where Slurm's list has the job. A task that leaves the record of its array stays at the record's
// place, and what is left of the record goes to the end of the list: so a task is where the one
// before it was made, and the rest where the last one was.
uint32_t place(const State& state, const Job& job) {
  if (job.array_job_id == 0) return job.id;
  const std::set<uint32_t>& members = state.array_members(job.array_job_id);
  auto before = job.id == job.array_job_id ? members.end() : members.find(job.id);
  while (before != members.begin()) {
    const Job* earlier = state.find(*--before);
    if (earlier->id == job.array_job_id) break;
    if (!forgotten(*earlier)) return earlier->id;
  }
  return job.array_job_id;
}

void sort_by_place(const State& state, std::vector<JobPtr>& jobs) {
  std::vector<std::pair<uint32_t, JobPtr>> placed;
  placed.reserve(jobs.size());
  for (JobPtr& job : jobs) placed.emplace_back(place(state, *job), std::move(job));
  std::stable_sort(placed.begin(), placed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < jobs.size(); ++i) jobs[i] = std::move(placed[i].second);
}

// An array that is asked for by its id: its own record, then the tasks, the last one first.
void sort_array(std::vector<JobPtr>& jobs) {
  std::sort(jobs.begin(), jobs.end(), [](const JobPtr& a, const JobPtr& b) {
    const bool a_leads = a->id == a->array_job_id;
    const bool b_leads = b->id == b->array_job_id;
    return a_leads != b_leads ? a_leads : a->id > b->id;
  });
}

// Slurm finds one job by its number, and several by going through its list.
void sort_as_found(const State& state, int asked_for, std::vector<JobPtr>& jobs) {
  const bool arrays = std::any_of(jobs.begin(), jobs.end(),
                                  [](const JobPtr& job) { return job->array_job_id != 0; });
  if (asked_for == 1) return sort_array(jobs);
  if (arrays || asked_for) sort_by_place(state, jobs);
}

}  // namespace

Result<JobListing> list_of(Core& core, const Caller& caller, v1::ListJobsRequest request) {
  JobListing listing;
  listing.rest.set_now(core.now);
  std::vector<JobPtr> jobs;
  const Cluster& cluster = core.state.cluster;
  bool only_own = cluster.config.service.private_data.jobs && !caller.is_operator;
  auto add = [&](const JobPtr& job) {
    if (forgotten(*job) || !matches(*job, request) || (only_own && job->uid != caller.uid)) return;
    if (!request.all_partitions() && !caller.is_operator && hidden(cluster, *job)) return;
    jobs.push_back(job);
  };
  if (request.job_ids().empty()) {
    for (const JobPtr& job : *core.state.all()) add(job);
  } else {
    std::unordered_set<uint32_t> seen;
    size_t unknown = 0;
    for (const std::string& text : request.job_ids()) {
      auto selected = select_jobs(core.state, text);
      bool known = false;
      for (const JobSelection& selection : selected.value_or(std::vector<JobSelection>{})) {
        JobPtr job = core.state.get(selection.job_id);
        known = known || !forgotten(*job);
        if (!seen.insert(selection.job_id).second) continue;
        bool alone = request.single_tasks() && selection.tasks.size() == 1;
        add(alone ? single_task(*job, selection.tasks.front()) : job);
      }
      if (!known) ++unknown;
    }
    if (unknown == static_cast<size_t>(request.job_ids_size()) && unknown == 1) {
      return slurm_fail(kErrInvalidJobId);
    }
  }
  sort_as_found(core.state, request.job_ids_size(), jobs);
  if (request.steps()) {
    for (const JobPtr& job : jobs) {
      for (const StepPtr& step : core.state.steps_of(job->id)) {
        if (step->end_time) continue;
        v1::StepInfo& info = *listing.rest.add_steps();
        fill_step(*job, *step, &info);
        info.set_socket(core.executor.socket_path(key_of(*step)));
      }
    }
  }
  listing.jobs = jobs.size();
  listing.fill = [jobs = std::move(jobs), context = view_context(cluster), view = request.view(),
                  forecasts = request.forecasts() ? core.forecasts.current : nullptr](
                     size_t index, v1::JobInfo& out) {
    fill_job(context, *jobs[index], view, &out);
    if (!forecasts || !jobs[index]->pending() || out.start_time()) return;
    auto found = forecasts->jobs.find(jobs[index]->id);
    if (found != forecasts->jobs.end()) out.set_start_time(found->second.median);
  };
  return listing;
}

}  // namespace grappe::embedded
