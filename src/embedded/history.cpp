#include "embedded/history.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "base/text.h"
#include "embedded/sampling.h"
#include "embedded/tres.h"
#include "store/usage.h"

namespace grappe::embedded {
namespace {

constexpr size_t kMostJobs = 100'000;  // in one answer

template <class List, class Value>
bool holds(const List& list, const Value& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

template <class List, class Value>
bool asked_for(const List& list, const Value& value) {
  return list.empty() || holds(list, value);
}

bool within(bool given, const v1::Range& range, uint32_t value) {
  return !given || (value >= range.least() && value <= range.most());
}

bool chosen_by_id(const Job& job, const v1::HistoryRequest& request) {
  if (request.jobs().empty()) return true;
  return std::any_of(request.jobs().begin(), request.jobs().end(), [&](const v1::JobWish& wish) {
    if (!wish.has_array_task_id()) {
      return wish.job_id() == job.id || wish.job_id() == job.array_job_id;
    }
    return wish.job_id() == job.array_job_id && job.array_task_id == wish.array_task_id();
  });
}

bool has_constraints(const Job& job, const v1::HistoryRequest& request) {
  const auto words = split_words(job.spec->constraint(), "&|,[]()*");
  return std::all_of(request.constraints().begin(), request.constraints().end(),
                     [&](const std::string& word) { return holds(words, word); });
}

bool on_a_node(const Job& job, const v1::HistoryRequest& request) {
  return request.nodes().empty() ||
         std::any_of(job.allocation.begin(), job.allocation.end(),
                     [&](const auto& share) { return holds(request.nodes(), share.name); });
}

bool in_a_partition(const Job& job, const v1::HistoryRequest& request) {
  return request.partitions().empty() ||
         std::any_of(job.partitions.begin(), job.partitions.end(),
                     [&](const auto& name) { return holds(request.partitions(), name); });
}

uint32_t count_cpus(const std::vector<NodeAllocation>& allocation) {
  size_t cpus = 0;
  for (const NodeAllocation& share : allocation) cpus += share.cpus.size();
  return static_cast<uint32_t>(cpus);
}

bool has_size(const Job& job, const v1::HistoryRequest& request) {
  const auto nodes = static_cast<uint32_t>(job.allocation.size());
  return within(request.has_num_nodes(), request.num_nodes(), nodes) &&
         within(request.has_num_cpus(), request.num_cpus(), count_cpus(job.allocation)) &&
         within(request.has_time_limit(), request.time_limit(), job.settled.time_limit);
}

bool was_scheduled_by(const Job& job, const v1::HistoryRequest& request) {
  const std::string_view scheduler = job.backfilled ? "Backfill" : "Main";
  return request.schedulers().empty() || (job.start_time && holds(request.schedulers(), scheduler));
}

bool matches(const Job& job, const v1::HistoryRequest& request) {
  return chosen_by_id(job, request) && asked_for(request.uids(), job.uid) &&
         asked_for(request.gids(), job.gid) && asked_for(request.accounts(), job.account) &&
         asked_for(request.qos(), job.qos) && asked_for(request.names(), job.spec->name()) &&
         asked_for(request.wckeys(), job.wckey) && asked_for(request.assoc_ids(), job.assoc_id) &&
         asked_for(request.reasons(), reason_name(job.pending() ? job.reason : Reason::kNone)) &&
         in_a_partition(job, request) && on_a_node(job, request) && has_constraints(job, request) &&
         has_size(job, request) && was_scheduled_by(job, request) && in_window(job, request);
}

// What a job was from one moment to another is asked of the window without its end: in the second
// of its start a job is no longer pending. (One that started at once was, in that second.)
bool was_pending(const Job& job, int64_t start, int64_t end) {
  if (!job.eligible_time || job.eligible_time >= end) return false;
  if (job.pending()) return true;
  return job.start_time && (job.eligible_time >= start || job.start_time > start);
}

bool was_running(const Job& job, int64_t start, int64_t end) {
  if (!job.start_time || job.allocation.empty() || job.start_time >= end) return false;
  return !job.finished() || job.end_time > start;
}

bool was_in(const Job& job, uint32_t state, int64_t start, int64_t end) {
  if (state > kStateBaseMask) return (job.state & state) != 0;
  switch (static_cast<JobState>(state)) {
    case JobState::kPending:
      return was_pending(job, start, end);
    case JobState::kRunning:
      return was_running(job, start, end);
    case JobState::kSuspended:
      return job.base() == JobState::kSuspended;
    default:
      return job.base() == static_cast<JobState>(state) && !(job.state & kStateRequeued) &&
             job.end_time >= start && job.end_time <= end;
  }
}

// The script first, then what it started.
bool comes_before(const Step& a, const Step& b) {
  auto rank = [](const Step& step) {
    return step.step_id >= exec::kInteractiveStep ? int64_t{step.step_id} - UINT32_MAX
                                                  : int64_t{step.step_id};
  };
  return rank(a) < rank(b);
}

void fill(const Job& job, const Step& step, v1::StepRecord* out) {
  fill_step(job, step, out->mutable_info());
  out->set_user_us(step.user_us);
  out->set_system_us(step.system_us);
  out->set_max_rss(step.max_rss);
  out->set_tres(tres_text(step.allocation));
  out->set_num_cpus(count_cpus(step.allocation));
  if (step.use) {
    *out->mutable_use() = *step.use;
    add_nodes_of_tasks(step, out->mutable_use());
  }
}

void fill(const ViewContext& context, const JobHistory& from, bool brief, v1::JobRecord* out) {
  const Job& job = from.job;
  v1::JobInfo& info = *out->mutable_info();
  if (brief) {
    fill_past_job_briefly(job, &info);
  } else {
    fill_past_job(context, job, &info);
    out->set_submit_line(job.spec->submit_line());
    out->set_container(job.spec->container());
  }
  // What is expected has not happened.
  info.set_start_time(job.start_time);
  info.set_end_time(job.finished() ? job.end_time : 0);
  if (job.finished() && !job.start_time) info.set_start_time(job.end_time);
  out->set_db_index((uint64_t{job.restarts} << 32) | job.id);
  out->set_cancelled_by(job.ended_by);
  out->set_suspended_s(job.suspended_s);
  out->set_asked_cpus(job.settled.cpus);
  out->set_asked_nodes(job.settled.min_nodes);
  out->set_asked_mem_mb(memory_asked_mb(job.settled));
  uint64_t memory_mb = 0;
  for (const NodeAllocation& share : job.allocation) memory_mb += share.memory_mb;
  out->set_mem_mb(memory_mb);
  for (const Step& step : from.steps) fill(job, step, out->add_steps());
}

// In the order in which they were submitted. Of what came within one second, tasks of arrays are
// last, by their array and number.
std::tuple<int64_t, uint32_t, uint32_t, uint32_t, uint32_t> place(const Job& job) {
  return {job.submit_time, job.array_job_id,
          job.array_job_id ? job.array_task_id.value_or(UINT32_MAX) : 0, job.id, job.restarts};
}

// Of each job the last one that is shown.
void keep_last_runs(std::vector<JobHistory*>& shown) {
  std::unordered_set<uint32_t> seen;
  std::reverse(shown.begin(), shown.end());
  std::erase_if(shown, [&](const JobHistory* h) { return !seen.insert(h->job.id).second; });
  std::reverse(shown.begin(), shown.end());
}

}  // namespace

bool in_window(const Job& job, const v1::HistoryRequest& request) {
  const int64_t start = request.start_time(), end = request.end_time();
  if (!request.states().empty()) {
    return std::any_of(request.states().begin(), request.states().end(),
                       [&](uint32_t state) { return was_in(job, state, start, end); });
  }
  if (job.finished() && job.end_time < start) return false;
  // Who names a job means it from when it was submitted.
  if (!request.jobs().empty()) return job.submit_time < end;
  return job.eligible_time && job.eligible_time < end;
}

JobPtr last_run_of(Store& store, uint32_t job_id) {
  auto found = store.history({.job_ids = {job_id}});
  JobPtr last;
  if (!found) return last;
  for (JobHistory& run : *found) {
    if (run.job.id == job_id) last = std::make_shared<const Job>(std::move(run.job));
  }
  return last;
}

Result<HistoryListing> history_of(Store& store, const ViewContext& context,
                                  const v1::HistoryRequest& request, int64_t now,
                                  std::optional<uid_t> only_uid) {
  HistoryQuery query;
  for (const v1::JobWish& wish : request.jobs()) {
    if (wish.has_array_task_id()) {
      query.tasks.push_back({wish.job_id(), wish.array_task_id()});
    } else {
      query.job_ids.push_back(wish.job_id());
    }
  }
  query.uids.assign(request.uids().begin(), request.uids().end());
  if (only_uid) query.uids = {*only_uid};
  query.most = kMostJobs;
  query.start_time = request.start_time();
  query.end_time = request.end_time();
  query.for_lists = true;
  query.steps = request.steps();
  auto found = store.history(query);
  if (!found) return tl::unexpected<Error>(found.error());

  auto all = std::make_shared<std::vector<JobHistory>>(std::move(*found));
  std::vector<JobHistory*> shown;
  for (JobHistory& h : *all) {
    if (matches(h.job, request) && (!only_uid || h.job.uid == *only_uid)) shown.push_back(&h);
    std::stable_sort(h.steps.begin(), h.steps.end(), comes_before);
  }
  std::stable_sort(shown.begin(), shown.end(), [](const JobHistory* a, const JobHistory* b) {
    return place(a->job) < place(b->job);
  });
  if (!request.duplicates()) keep_last_runs(shown);
  HistoryListing out;
  out.rest.set_now(now);
  out.jobs = shown.size();
  out.fill = [all, shown = std::move(shown), context, brief = request.brief()](
                 size_t index, v1::JobRecord& record) {
    fill(context, *shown[index], brief, &record);
  };
  return out;
}

}  // namespace grappe::embedded
