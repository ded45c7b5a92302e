// Where the truth is kept: what is committed here survives a kill and a power cut.
//
// One thread commits; another may read contents and history meanwhile. The SQL implementation is
// store/sql, the one of tests and of the simulator store/memory.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "grappe/v1/books.pb.h"
#include "model/job.h"
#include "store/archive.h"
#include "store/forecast_row.h"
#include "store/history.h"
#include "store/usage.h"

namespace grappe {

// A script or an environment, under the key that content_key() gives it.
struct Content {
  std::string key;
  std::string data;
};

// Something an operator set and a restart keeps: a node's state, a partition, a reservation.
// Empty data removes it.
struct SavedSetting {
  std::string kind, name, data;
};

// What one commit writes: the newest version of each record that changed.
struct Changes {
  std::vector<JobPtr> jobs;
  std::vector<StepPtr> steps;
  std::vector<Content> contents;
  std::vector<SavedSetting> settings;
  std::vector<v1::Transaction> transactions;  // of the books; added to what is there
  std::map<std::string, std::string> meta;
  // For the reports. A later row with the same node or id and start replaces the earlier one.
  std::vector<NodeEvent> events;
  std::vector<ReservationWindow> windows;
  std::vector<JobShare> first_shares;  // kept only if the job has none yet
  std::vector<JobShare> shares;
  std::vector<ForecastRow> forecasts;  // a later one of the same run replaces the earlier
  // Something from before then has become known only now: sums are made anew from there on.
  int64_t reroll_from = INT64_MAX;

  bool empty() const {
    return jobs.empty() && steps.empty() && contents.empty() && settings.empty() &&
           transactions.empty() && meta.empty() && events.empty() && windows.empty() &&
           shares.empty() && forecasts.empty() && reroll_from == INT64_MAX;
  }
};

// What an engine needs to go on where it stopped.
struct Recovered {
  std::vector<Job> jobs;    // unfinished, or finished after `finished_since`
  std::vector<Step> steps;  // of those jobs
  std::vector<SavedSetting> settings;
  std::map<std::string, std::string> meta;
  std::vector<NodeEvent> events;           // those that are not over
  std::vector<ReservationWindow> windows;  // not over at `finished_since`
};

// How far sums are kept: the name of that time in `meta`.
inline constexpr const char* kUsageUntil = "usage_until";

class Store {
 public:
  virtual ~Store() = default;
  // All of it or nothing, on disk when it returns.
  virtual Status commit(const Changes& changes) = 0;
  virtual Result<Recovered> load(int64_t finished_since) = 0;
  virtual Result<std::string> content(const std::string& key) = 0;
  // Every run of the jobs that the query may mean, by id. Never waits for a commit.
  virtual Result<std::vector<JobHistory>> history(const HistoryQuery& query) = 0;
  // The same jobs one after the other, however many.
  virtual Status each_job(const HistoryQuery& query,
                          const std::function<void(const Job&)>& take) = 0;

  // The jobs that ended last, at most so many, by id.
  virtual Status each_recent_job(size_t most, const std::function<void(const Job&)>& take) = 0;
  // Forecasts made in [start, end), the newest first, at most so many.
  virtual Status each_forecast(int64_t start, int64_t end, size_t most,
                               const std::function<void(const ForecastRow&)>& take) = 0;

  // What met the time between `start` and `end`, by start.
  virtual Result<std::vector<NodeEvent>> events(int64_t start, int64_t end) = 0;
  virtual Result<std::vector<ReservationWindow>> windows(int64_t start, int64_t end) = 0;
  // The use in [start, end): from the sums that are kept, and from the jobs where there are none.
  virtual Result<UsageSums> usage(int64_t start, int64_t end) = 0;
  // Keeps the sums of the hours that end until then, those of at most one month: call it again.
  // Each day is written with the mark how far it has come, so that a kill leaves nothing half done.
  // Gives that mark. Runs beside the thread that commits. To have the sums made anew from the jobs,
  // commit a `reroll_from` before.
  virtual Result<int64_t> roll_up(int64_t until) = 0;

  // Changes of the books between two moments, in their order.
  virtual Result<std::vector<v1::Transaction>> transactions(int64_t start, int64_t end) = 0;

  // On connections of their own, for another thread than the one that commits; they take their
  // time. Scripts and environments that no job has go with the last one: whoever commits must not
  // count on one that it has written before this call.
  virtual Result<ArchiveCounts> archive(const ArchiveWish& wish) = 0;
  virtual Result<ArchiveCounts> load_archive(const std::string& file) = 0;
  // A copy that can be opened in place of the database.
  virtual Status backup(const std::string& file) = 0;
};

// The key of some bytes: a hash, so that equal scripts and environments are kept once.
std::string content_key(const std::string& data);

// `location` is a file name (SQLite) or "postgresql://...". The schema is brought up to date
// first; a database that a newer program has written is refused.
Result<std::unique_ptr<Store>> open_sql_store(const std::string& location);

}  // namespace grappe
