// A Store that lives as long as the object: for tests and for the simulator.
//
// commit() and load() follow the rules of the SQL store: the newest run of a job wins, empty data
// removes a setting. What was committed survives the engine that wrote it, so a test restarts an
// engine by making another one on the same store.
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

#include "store/store.h"

namespace grappe {

class MemoryStore : public Store {
 public:
  // What a test sets: commits fail with this message while it is not empty.
  std::string trouble;
  // What a test reads.
  size_t commits = 0;

  Status commit(const Changes& changes) override {
    std::lock_guard lock(mutex_);
    if (!trouble.empty()) return fail(trouble);
    ++commits;
    for (const JobPtr& job : changes.jobs) jobs_[{job->id, job->restarts}] = *job;
    for (const StepPtr& step : changes.steps) {
      steps_[{step->job_id, step->restart, step->step_id}] = *step;
    }
    for (const Content& content : changes.contents) contents_[content.key] = content.data;
    for (const SavedSetting& setting : changes.settings) {
      if (setting.data.empty()) {
        settings_.erase({setting.kind, setting.name});
      } else {
        settings_[{setting.kind, setting.name}] = setting.data;
      }
    }
    transactions_.insert(transactions_.end(), changes.transactions.begin(),
                         changes.transactions.end());
    for (const auto& [key, value] : changes.meta) meta_[key] = value;
    for (const NodeEvent& event : changes.events) events_[{event.start, event.node}] = event;
    for (const ReservationWindow& window : changes.windows) {
      windows_[{window.start, window.id}] = window;
    }
    for (const JobShare& share : changes.first_shares) shares_.emplace(key_of(share), share);
    for (const JobShare& share : changes.shares) shares_[key_of(share)] = share;
    for (const ForecastRow& row : changes.forecasts) forecasts_[{row.job_id, row.restarts}] = row;
    return {};
  }

  Result<Recovered> load(int64_t finished_since) override {
    std::lock_guard lock(mutex_);
    Recovered out;
    for (const auto& [key, job] : jobs_) {
      if (!job.finished() || job.end_time >= finished_since) out.jobs.push_back(job);
    }
    for (const auto& [key, step] : steps_) out.steps.push_back(step);
    for (const auto& [key, data] : settings_) {
      out.settings.push_back({key.first, key.second, data});
    }
    out.meta = meta_;
    for (const auto& [key, event] : events_) {
      if (!event.end) out.events.push_back(event);
    }
    for (const auto& [key, window] : windows_) {
      if (window.end > finished_since) out.windows.push_back(window);
    }
    return out;
  }

  Result<std::string> content(const std::string& key) override {
    std::lock_guard lock(mutex_);
    auto found = contents_.find(key);
    if (found == contents_.end()) return fail("no content " + key);
    return found->second;
  }

  Result<ArchiveCounts> archive(const ArchiveWish&) override { return fail(kNoFile); }
  Result<ArchiveCounts> load_archive(const std::string&) override { return fail(kNoFile); }
  Status backup(const std::string&) override { return fail(kNoFile); }

  Result<std::vector<v1::Transaction>> transactions(int64_t start, int64_t end) override {
    std::lock_guard lock(mutex_);
    std::vector<v1::Transaction> out;
    for (const v1::Transaction& entry : transactions_) {
      if (entry.time() >= start && entry.time() <= end) out.push_back(entry);
    }
    return out;
  }

  static bool is_asked_for(const HistoryQuery& query, const Job& job) {
    const auto& ids = query.job_ids;
    const auto& tasks = query.tasks;
    if (ids.empty() && tasks.empty()) return true;
    return std::any_of(ids.begin(), ids.end(),
                       [&](uint32_t id) { return id == job.id || id == job.array_job_id; }) ||
           std::any_of(tasks.begin(), tasks.end(), [&](const ArrayTask& task) {
             return task.array_job_id == job.array_job_id && task.task_id == job.array_task_id;
           });
  }

  Result<std::vector<JobHistory>> history(const HistoryQuery& query) override {
    std::lock_guard lock(mutex_);
    auto meant = [](const auto& list, auto value) {
      return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
    };
    std::vector<JobHistory> out;
    for (const auto& [key, job] : jobs_) {
      bool in_time = (!job.finished() || job.end_time >= query.start_time) &&
                     job.submit_time <= query.end_time;
      if (!in_time || !is_asked_for(query, job) || !meant(query.uids, job.uid)) continue;
      if (out.size() == query.most) return too_many_jobs(query.most);
      JobHistory& found = out.emplace_back(JobHistory{job, {}});
      if (!query.steps && !query.samples) continue;
      for (const auto& [step_key, step] : steps_) {
        if (step.job_id == job.id && step.restart == job.restarts) found.steps.push_back(step);
      }
    }
    return out;
  }

  Status each_job(const HistoryQuery& query, const std::function<void(const Job&)>& take) override {
    auto found = history(query);
    if (!found) return tl::unexpected<Error>(found.error());
    for (const JobHistory& run : *found) take(run.job);
    return {};
  }

  Status each_recent_job(size_t most, const std::function<void(const Job&)>& take) override {
    std::lock_guard lock(mutex_);
    std::vector<const Job*> over;
    for (const auto& [key, job] : jobs_) {
      if (job.finished()) over.push_back(&job);
    }
    auto later = [](const Job* a, const Job* b) { return a->end_time > b->end_time; };
    std::stable_sort(over.begin(), over.end(), later);
    over.resize(std::min(over.size(), most));
    std::sort(over.begin(), over.end(), [](auto* a, auto* b) { return a->id < b->id; });
    for (const Job* job : over) take(*job);
    return {};
  }

  Status each_forecast(int64_t start, int64_t end, size_t most,
                       const std::function<void(const ForecastRow&)>& take) override {
    std::lock_guard lock(mutex_);
    std::vector<const ForecastRow*> found;
    for (const auto& [key, row] : forecasts_) {
      if (row.made >= start && row.made < end) found.push_back(&row);
    }
    std::sort(found.begin(), found.end(), [](auto* a, auto* b) {
      return std::tie(a->made, a->job_id) > std::tie(b->made, b->job_id);
    });
    found.resize(std::min(found.size(), most));
    for (const ForecastRow* row : found) take(*row);
    return {};
  }

  Result<std::vector<NodeEvent>> events(int64_t start, int64_t end) override {
    std::lock_guard lock(mutex_);
    std::vector<NodeEvent> out;
    for (const auto& [key, event] : events_) {
      if (event.start < end && (!event.end || event.end > start)) out.push_back(event);
    }
    return out;
  }

  Result<std::vector<ReservationWindow>> windows(int64_t start, int64_t end) override {
    std::lock_guard lock(mutex_);
    std::vector<ReservationWindow> out;
    for (const auto& [key, window] : windows_) {
      if (window.start < end && window.end > start) out.push_back(window);
    }
    return out;
  }

  // Always from the jobs, hour by hour: no sums are kept.
  Result<UsageSums> usage(int64_t start, int64_t end) override {
    UsageFacts facts{*events(start, end), *windows(start, end), {}};
    facts.each_job = [this](const std::function<void(const UsageJob&)>& take) {
      std::lock_guard lock(mutex_);
      for (const auto& [key, job] : jobs_) take(use_of(job));
    };
    std::vector<int64_t> bounds = hour_bounds(start, end);
    if (bounds.back() < end) bounds.push_back(end);
    UsageSums out;
    for (const UsageSums& sums : sum_up(bounds, facts)) out += sums;
    return out;
  }
  Result<int64_t> roll_up(int64_t until) override { return until; }

 private:
  static constexpr const char* kNoFile = "there is no database, only memory";
  static std::tuple<uint32_t, uint32_t, int64_t> key_of(const JobShare& share) {
    return {share.job_id, share.restarts, share.since};
  }
  UsageJob use_of(const Job& job) const {
    UsageJob use = usage_job(job);
    for (auto at = shares_.lower_bound({job.id, job.restarts, 0}); at != shares_.end(); ++at) {
      if (at->second.job_id != job.id || at->second.restarts != job.restarts) break;
      use.shares.push_back(at->second);
    }
    return use;
  }

  std::mutex mutex_;
  std::map<std::pair<uint32_t, uint32_t>, Job> jobs_;  // id, restarts
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Step> steps_;
  std::map<std::string, std::string> contents_, meta_;
  std::map<std::pair<std::string, std::string>, std::string> settings_;
  std::vector<v1::Transaction> transactions_;
  std::map<std::pair<int64_t, std::string>, NodeEvent> events_;
  std::map<std::pair<int64_t, uint32_t>, ReservationWindow> windows_;
  std::map<std::tuple<uint32_t, uint32_t, int64_t>, JobShare> shares_;
  std::map<std::pair<uint32_t, uint32_t>, ForecastRow> forecasts_;
};

}  // namespace grappe
