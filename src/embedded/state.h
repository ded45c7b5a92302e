// Everything the embedded engine knows, owned by its one thread.
//
// Records are replaced, never changed under a reader: edit() gives a private copy when somebody
// else (a snapshot, a commit under way) holds the old one, and remembers that the record must be
// written. What is derived (who waits, who runs, what is free) is kept beside and follows.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "books/books.h"
#include "embedded/cluster.h"
#include "embedded/limits.h"
#include "embedded/pool.h"
#include "embedded/shares.h"
#include "model/job.h"
#include "sched/snapshot.h"
#include "sched/usage.h"
#include "store/store.h"

namespace grappe::embedded {

class State {
 public:
  explicit State(Cluster machine) : cluster(std::move(machine)) {}

  Cluster cluster;
  Books books;
  sched::UsageBook usage;  // what associations and QoS have used: see embedded/usage.h

  struct Entry {
    std::shared_ptr<Job> job;
    std::shared_ptr<const sched::Shape> shape;
    std::map<uint32_t, std::shared_ptr<Step>> steps;
    int64_t indexed_end = 0;             // its place in finished_
    std::vector<uint32_t> indexed_for;   // its places in dependents_
    std::unique_ptr<LimitPlace> limits;  // where it counts; null: nowhere
  };

  // --- jobs
  const Job* find(uint32_t id) const;
  JobPtr get(uint32_t id) const;
  Job& add(Job job);
  // The record for writing; it is committed with this batch.
  Job& edit(uint32_t id);
  // For what need not survive a restart (why a job waits): changed, but not written for it.
  Job& edit_unsaved(uint32_t id);
  // Out of memory; the rows stay in the store.
  void forget(uint32_t id);
  // The record as it is goes to the store with this batch and out of memory: a run that is over
  // makes room for the next one.
  void archive(uint32_t id);
  // One that was forgotten, changed all the same.
  void save_past(Job job);
  // As if it had never been: a submission that could not be written down.
  void undo(uint32_t id);

  size_t job_count() const { return jobs_.size(); }
  size_t pending_count() const { return pending_.size(); }
  // By id.
  std::vector<uint32_t> pending() const;
  // The same with their records, faster than a find() for each: with a long queue a pass does
  // little else. They stay where they are while jobs start and end; `visit` may edit what it was
  // given.
  template <class Visit>
  void for_each_pending(Visit visit) const {
    auto ahead = pending_.begin();
    for (size_t i = 0; i < kAhead && ahead != pending_.end(); ++i) ++ahead;
    for (const auto& [id, entry] : pending_) {
      if (ahead != pending_.end()) fetch(*(ahead++)->second);
      visit(*entry);
    }
  }
  // Records of jobs lie all over the memory, and who reads a hundred thousand of them mostly waits
  // for it, unless it is asked for this one while at the one so many before it.
  static constexpr size_t kAhead = 8;
  static void fetch(const Entry& entry) {
    const auto* record = reinterpret_cast<const char*>(entry.job.get());
    for (size_t line = 0; line < sizeof(Job); line += 64) __builtin_prefetch(record + line);
  }
  template <class Visit>
  void for_entry(uint32_t id, Visit visit) const {
    if (const Entry* found = entry(id)) visit(*found);
  }
  // Those that hold resources: running, suspended, completing.
  const std::set<uint32_t>& active() const { return active_; }
  // Pending ones that the clock concerns: a begin time, a deadline, a delayed dependency, a
  // reservation.
  const std::set<uint32_t>& timed() const { return timed_; }
  // Those that ended before then and are over for good.
  std::vector<uint32_t> finished_before(int64_t time) const;
  // Pending ones with a condition on this job or array.
  std::vector<uint32_t> dependents(uint32_t id) const;
  // A user's unfinished jobs of this name, by id.
  const std::set<uint32_t>& namesakes(const Job& job) const;
  // Records of an array, by id.
  const std::set<uint32_t>& array_members(uint32_t array_job_id) const;
  // Tasks of an array that hold resources now.
  uint32_t array_running(uint32_t array_job_id) const;
  uint32_t job_of_token(uid_t uid, const std::string& token) const;

  // Every job, by id. Cheap while nothing has changed since the last call.
  std::shared_ptr<const std::vector<JobPtr>> all();

  uint32_t next_job_id();

  // --- steps
  StepPtr find_step(uint32_t job_id, uint32_t step_id) const;
  Step& add_step(Step step);
  Step& edit_step(uint32_t job_id, uint32_t step_id);
  std::vector<StepPtr> steps_of(uint32_t job_id) const;
  // Of a job that is over, out of memory: nobody asks for them but history, which reads the store.
  void drop_steps(uint32_t job_id);
  bool has_running_steps(uint32_t job_id) const;

  // --- what a job asks, as the scheduler sees it; kept so that equal jobs share one
  std::shared_ptr<const sched::Shape> shape(uint32_t job_id) const;
  void set_shape(uint32_t job_id, sched::Shape shape);
  void share_shape(uint32_t job_id, std::shared_ptr<const sched::Shape> shape);

  // --- writing
  void save_content(std::string key, std::string data);
  // Those that were written before are written again: they may be gone from the store.
  void forget_contents() { known_contents_.clear(); }
  void save_setting(SavedSetting setting);
  void save_transaction(v1::Transaction entry);
  // For the reports.
  void save_event(NodeEvent event) { changes_.events.push_back(std::move(event)); }
  void save_window(ReservationWindow window) { changes_.windows.push_back(std::move(window)); }
  void save_forecast(ForecastRow row) { changes_.forecasts.push_back(std::move(row)); }
  void reroll_from(int64_t time) { changes_.reroll_from = std::min(changes_.reroll_from, time); }
  // What a started job has, before and after a change of it.
  void save_first_share(const Job& job);
  void save_share(const Job& job, int64_t now);
  // What has changed since the last call.
  Changes take_changes();

  // Called when a job's record has changed in edit(): keeps the indexes right. take_changes()
  // does it for all edited records; call it earlier to see them in pending() and active().
  void reindex(uint32_t id);

  // Take or give back what a started job has of the cluster and its licences; one that is suspended
  // has no CPUs.
  void occupy(const Job& job);
  void release(const Job& job);
  // Before a job is suspended, and before it goes on or ends.
  void release_cpus(const Job& job);
  void occupy_cpus(const Job& job);

  // --- limits
  // For limits on fair share; null: nobody works it out.
  const ShareTable* fair_shares = nullptr;
  const Limits& limits() const { return limits_; }
  // Where a job counts; null: nowhere.
  const LimitPlace* place(uint32_t job_id) const;
  // Where it would count; null: nowhere.
  std::unique_ptr<LimitPlace> place_for(const Job& job);
  // The longest time that limits leave a job, in minutes; kInfinite: no limit says anything.
  uint32_t longest_time(const Job& job);
  // Why a job may not be submitted, or changed to this.
  Reason submit_reason(const Job& job);
  // After the partitions have changed: who counts where is found anew.
  void renew_limits();
  // After the books have changed.
  void refresh_limits();
  // After the books or the configuration have changed: the share of this cluster of the licenses
  // that sacctmgr has added.
  void refresh_licenses();
  // With what running jobs have; null: none are enforced.
  std::shared_ptr<const sched::LimitTable> limit_table() const;

  // Another configuration: nodes that jobs use must still be there. What operators set stays.
  Status reconfigure(Cluster next);

  // --- at the start
  void recover(Recovered recovered);

 private:
  Entry* entry(uint32_t id) const;
  void count_licenses(const Job& job, bool taken);
  std::optional<uint32_t> share(const v1::Resource& resource) const;
  std::shared_ptr<const v1::JobSpec> shared(std::shared_ptr<const v1::JobSpec> spec);
  Job& keep(Job job);
  void index_name(const Job& job) const;
  void index(Entry& entry);
  void unindex(Entry& entry);

  void count(Entry& entry);
  void uncount(Entry& entry);
  void free_from_partition(Entry& entry);
  void keep_shape(Entry& entry, sched::Shape shape);

  std::map<uint32_t, Entry> jobs_;
  // The same for finding one: with a long queue a pass would spend its time walking down the tree.
  std::unordered_map<uint32_t, Entry*> by_id_;
  std::map<uint32_t, Entry*> pending_;
  std::set<uint32_t> active_, timed_;
  std::set<std::pair<int64_t, uint32_t>> finished_;  // by end time
  std::unordered_map<uint32_t, std::set<uint32_t>> dependents_, arrays_;
  std::unordered_map<uint32_t, uint32_t> array_running_;
  // Unfinished ones by user and name, from the first --dependency=singleton on.
  using Names = std::map<std::pair<uid_t, std::string>, std::set<uint32_t>>;
  mutable std::optional<Names> names_;
  std::unordered_multimap<size_t, uint32_t> tokens_;  // by token_hash(): the job has the token
  Limits limits_;
  Pool<sched::Shape> shapes_;
  Pool<v1::JobSpec> specs_;
  std::shared_ptr<const std::vector<JobPtr>> all_;
  uint32_t last_job_id_ = 0;

  std::set<uint32_t> dirty_jobs_;
  std::set<std::pair<uint32_t, uint32_t>> dirty_steps_;
  Changes changes_;  // what is not a job or a step
  static constexpr size_t kMostKnownContents = 50'000;
  std::unordered_set<std::string> known_contents_;  // scripts and environments written before
};

}  // namespace grappe::embedded
