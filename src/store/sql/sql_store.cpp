// The store on SQLite or PostgreSQL, through SOCI.
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>

#include "base/log.h"
#include "store/sql/archive.h"
#include "store/sql/forecast_table.h"
#include "store/sql/history_reader.h"
#include "store/sql/migrate.h"
#include "store/sql/read_rows.h"
#include "store/sql/rows.h"
#include "store/sql/usage_tables.h"
#include "store/store.h"

namespace grappe {
namespace sql {
namespace {

// Without SOCI's own words around what the database said.
std::string plain(std::string_view message) {
  size_t inside = message.find("::");
  size_t from = inside == std::string_view::npos ? inside : message.find(": ", inside);
  if (from != std::string_view::npos) message.remove_prefix(from + 2);
  return std::string(message.substr(0, message.find(" while executing")));
}

constexpr std::string_view kPostgresPrefix = "postgresql://";

// "INSERT INTO job(a,b) VALUES(:a,:b) ON CONFLICT(a) DO UPDATE SET b=excluded.b", of the columns
// that `columns` lists.
template <class Row, class Columns>
std::string upsert_sql(const std::string& table, const std::string& key, Columns columns) {
  std::string names, values, updates;
  Row row{};
  columns(row, [&](const char* name, auto&) {
    std::string separator = names.empty() ? "" : ",";
    names += separator + name;
    values += separator + ":" + name;
    if (!updates.empty()) updates += ",";
    updates += std::string(name) + "=excluded." + name;
  });
  return "INSERT INTO " + table + "(" + names + ") VALUES(" + values + ") ON CONFLICT(" + key +
         ") DO UPDATE SET " + updates;
}

auto kJobColumns = [](JobRow& row, auto&& visit) { job_columns(row, visit); };
auto kWholeStepColumns = [](StepRow& row, auto&& visit) { whole_step_columns(row, visit); };

// A prepared statement with the row that it writes.
template <class Row>
struct Bound {
  Row row{};
  soci::statement statement;

  explicit Bound(soci::session& session) : statement(session) {}
  template <class Columns>
  void prepare_upsert(const std::string& text, Columns columns) {
    columns(row,
            [&](const char* name, auto& field) { statement.exchange(soci::use(field, name)); });
    statement.alloc();
    statement.prepare(text);
    statement.define_and_bind();
  }
};

class SqlStore : public Store {
 public:
  explicit SqlStore(const std::string& location) : location_(location) {}

  Status open() {
    try {
      if (location_.starts_with(kPostgresPrefix)) {
        // By its name: SOCI loads that library only where it is wanted. With it come libpq, two TLS
        // libraries, LDAP and Kerberos: 5 MiB and 10 ms at every start.
        session_.open("postgresql", location_);
      } else {
        // Each connection has one thread at a time: SQLite need not lock at every column. Said
        // once, before the first connection of the process.
        sqlite_api::sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
        session_.open(soci::sqlite3, sqlite_location());
        // Of a new one only: pages that are free can be given back without copying the whole.
        session_ << "PRAGMA auto_vacuum=INCREMENTAL";
        session_ << "PRAGMA journal_mode=WAL";
        // Every commit reaches the disk before it is acknowledged.
        session_ << "PRAGMA synchronous=FULL";
        session_ << "PRAGMA foreign_keys=ON";
      }
      Status migrated = migrate(session_);
      if (!migrated) return migrated;
      prepare();
    } catch (const std::exception& e) {
      return fail(plain(e.what()));
    }
    return {};
  }

  Status commit(const Changes& changes) override {
    std::lock_guard lock(mutex_);
    try {
      begin_->execute(true);
      write(changes);
      commit_->execute(true);
      return {};
    } catch (const std::exception& e) {
      std::string message = plain(e.what());
      try {
        session_ << "ROLLBACK";
      } catch (const std::exception&) {
        // SQLite has rolled back by itself when the disk was full.
      }
      return fail("writing to " + location_ + ": " + message);
    }
  }

  Result<Recovered> load(int64_t finished_since) override {
    auto jobs = history({.start_time = finished_since, .samples = true});
    if (!jobs) return tl::unexpected<Error>(jobs.error());
    std::lock_guard lock(mutex_);
    try {
      Recovered out;
      for (JobHistory& run : *jobs) {
        out.jobs.push_back(std::move(run.job));
        std::move(run.steps.begin(), run.steps.end(), std::back_inserter(out.steps));
      }
      load_settings(out);
      out.events = open_events(session_);
      out.windows = windows_between(session_, finished_since, INT64_MAX);
      return out;
    } catch (const std::exception& e) {
      return fail("reading " + location_ + ": " + plain(e.what()));
    }
  }

  Result<std::string> content(const std::string& key) override {
    std::lock_guard lock(mutex_);
    const auto known = std::ranges::find(last_read_, key, &Content::key);
    if (known != last_read_.end()) return known->data;
    try {
      std::string data;
      session_ << "SELECT data FROM content WHERE key=:key", soci::use(key), soci::into(data);
      if (!session_.got_data()) return fail("no content " + key + " in " + location_);
      remember({key, from_column(data)});
      return from_column(data);
    } catch (const std::exception& e) {
      return fail("reading " + location_ + ": " + plain(e.what()));
    }
  }

  Result<std::vector<JobHistory>> history(const HistoryQuery& query) override {
    try {
      return history_.read(query);
    } catch (const std::exception& e) {
      return fail("reading " + location_ + ": " + plain(e.what()));
    }
  }

  Result<std::vector<v1::Transaction>> transactions(int64_t start, int64_t end) override {
    std::lock_guard lock(reader_mutex_);
    try {
      open_reader();
      std::vector<v1::Transaction> out;
      long long from = start, until = end, time = 0;
      std::string action, actor, target, info;
      soci::statement entries =
          (reader_.prepare << "SELECT time,action,actor,target,info FROM books_log WHERE "
                              "time>=:start AND time<=:end ORDER BY id",
           soci::use(from), soci::use(until), soci::into(time), soci::into(action),
           soci::into(actor), soci::into(target), soci::into(info));
      entries.execute();
      while (entries.fetch()) {
        v1::Transaction& entry = out.emplace_back();
        entry.set_time(time);
        entry.set_action(action);
        entry.set_actor(actor);
        entry.set_where(target);
        entry.set_info(info);
      }
      return out;
    } catch (const std::exception& e) {
      return fail("reading " + location_ + ": " + plain(e.what()));
    }
  }

  Result<ArchiveCounts> archive(const ArchiveWish& wish) override {
    return beside([&](soci::session& session) { return sql::archive(session, wish); });
  }

  Result<ArchiveCounts> load_archive(const std::string& file) override {
    return beside([&](soci::session& session) { return sql::load_archive(session, file); });
  }

  Status backup(const std::string& file) override {
    if (location_.starts_with(kPostgresPrefix)) {
      return fail("the database is PostgreSQL's: pg_dump makes the copy");
    }
    std::error_code unknown;
    if (std::filesystem::exists(file, unknown)) return fail(file + " is there already");
    Status done = beside([&](soci::session& session) -> Status {
      session << "VACUUM INTO :file", soci::use(file);
      return {};
    });
    // Half a copy is worse than none.
    if (!done) std::filesystem::remove(file, unknown);
    return done;
  }

  Status each_job(const HistoryQuery& query, const std::function<void(const Job&)>& take) override {
    return read([&] { sql::each_job(reader_, among(query), JobPart::kForLists, take); });
  }

  Status each_recent_job(size_t most, const std::function<void(const Job&)>& take) override {
    const std::string which = "IN (SELECT id FROM job WHERE live=0 ORDER BY end_time DESC LIMIT " +
                              std::to_string(most) + ")";
    return read([&] { sql::each_job(reader_, which, JobPart::kWhole, take); });
  }

  Status each_forecast(int64_t start, int64_t end, size_t most,
                       const std::function<void(const ForecastRow&)>& take) override {
    return read([&] { sql::each_forecast(reader_, start, end, most, take); });
  }

  Result<std::vector<NodeEvent>> events(int64_t start, int64_t end) override {
    std::vector<NodeEvent> out;
    Status done = read([&] { out = events_between(reader_, start, end); });
    if (!done) return tl::unexpected<Error>(done.error());
    return out;
  }

  Result<std::vector<ReservationWindow>> windows(int64_t start, int64_t end) override {
    std::vector<ReservationWindow> out;
    Status done = read([&] { out = windows_between(reader_, start, end); });
    if (!done) return tl::unexpected<Error>(done.error());
    return out;
  }

  Result<UsageSums> usage(int64_t start, int64_t end) override {
    UsageSums out;
    Status done = read([&] { out = usage_between(reader_, start, end); });
    if (!done) return tl::unexpected<Error>(done.error());
    return out;
  }

  Result<int64_t> roll_up(int64_t until) override {
    std::lock_guard lock(roller_mutex_);
    try {
      if (!roller_.is_connected()) open_beside(roller_);
      return sql::roll_up(roller_, until);
    } catch (const std::exception& e) {
      const std::string message = plain(e.what());
      roller_.close();  // with what it had begun
      return fail("rolling up in " + location_ + ": " + message);
    }
  }

 private:
  // On a connection that lasts as long as the work: it is rare, and long.
  template <class Work>
  auto beside(Work work) -> decltype(work(std::declval<soci::session&>())) {
    try {
      soci::session session;
      open_beside(session);
      return work(session);
    } catch (const std::exception& e) {
      return fail(location_ + ": " + plain(e.what()));
    }
  }

  bool is_postgres() const { return location_.starts_with(kPostgresPrefix); }
  // A column of bytes of its own.
  std::string to_column(const std::string& bytes) const {
    return is_postgres() ? bytes_to_text(bytes) : bytes;
  }
  std::string from_column(const std::string& column) const {
    return is_postgres() ? text_to_bytes(column) : column;
  }

  std::string sqlite_location() const { return "dbname=\"" + location_ + "\" timeout=10"; }

  // A connection of its own: a long report must not hold up a commit.
  void open_beside(soci::session& session) {
    if (location_.starts_with(kPostgresPrefix)) return session.open("postgresql", location_);
    session.open(soci::sqlite3, sqlite_location());
  }

  void open_for_reading(soci::session& session) {
    open_beside(session);
    if (!is_postgres()) session << "PRAGMA query_only=ON";
  }

  void open_reader() {
    if (!reader_.is_connected()) open_for_reading(reader_);
  }

  // Runs `what` on the reader's connection, which shows it one moment.
  Status read(const std::function<void()>& what) {
    std::lock_guard lock(reader_mutex_);
    try {
      open_reader();
      soci::transaction moment(reader_);
      see_one_moment(reader_);
      what();
      return {};
    } catch (const std::exception& e) {
      return fail("reading " + location_ + ": " + plain(e.what()));
    }
  }

  void remember(Content content) {
    constexpr size_t kSmall = 64 << 10, kMost = 4;
    if (content.data.size() > kSmall) return;
    if (last_read_.size() == kMost) last_read_.pop_front();
    last_read_.push_back(std::move(content));
  }

  void prepare() {
    // IMMEDIATE: a transaction that will write must not begin as a reader (SQLITE_BUSY).
    begin_.emplace(session_.prepare << (is_postgres() ? "BEGIN" : "BEGIN IMMEDIATE"));
    commit_.emplace(session_.prepare << "COMMIT");
    job_ = std::make_unique<Bound<JobRow>>(session_);
    job_->prepare_upsert(upsert_sql<JobRow>("job", "id,restarts", kJobColumns), kJobColumns);
    step_ = std::make_unique<Bound<StepRow>>(session_);
    step_->prepare_upsert(upsert_sql<StepRow>("step", "job_id,restarts,step_id", kWholeStepColumns),
                          kWholeStepColumns);
  }

  void write(const Changes& changes) {
    for (const Content& content : changes.contents) {
      const std::string data = to_column(content.data);
      session_ << "INSERT INTO content(key,data) VALUES(:key,:data) ON CONFLICT DO NOTHING",
          soci::use(content.key), soci::use(data);
    }
    for (const JobPtr& job : changes.jobs) {
      to_row(*job, job_->row);
      if (is_postgres()) bytes_to_text(job_->row);
      job_->statement.execute(true);
    }
    for (const StepPtr& step : changes.steps) {
      to_row(*step, step_->row);
      if (is_postgres()) bytes_to_text(step_->row);
      step_->statement.execute(true);
    }
    for (const SavedSetting& setting : changes.settings) write(setting);
    for (const v1::Transaction& entry : changes.transactions) write(entry);
    write_usage_facts(session_, changes);
    write_forecasts(session_, changes.forecasts);
    for (const auto& [key, value] : changes.meta) {
      session_ << "INSERT INTO meta(key,value) VALUES(:key,:value) ON CONFLICT(key) DO UPDATE "
                  "SET value=excluded.value",
          soci::use(key), soci::use(value);
    }
  }

  void write(const v1::Transaction& entry) {
    const long long time = entry.time();
    session_ << "INSERT INTO books_log(id,time,action,actor,target,info) VALUES((SELECT "
                "COALESCE(MAX(id),0)+1 FROM books_log),:time,:action,:actor,:target,:info)",
        soci::use(time), soci::use(entry.action()), soci::use(entry.actor()),
        soci::use(entry.where()), soci::use(entry.info());
  }

  void write(const SavedSetting& setting) {
    if (setting.data.empty()) {
      session_ << "DELETE FROM setting WHERE kind=:kind AND name=:name", soci::use(setting.kind),
          soci::use(setting.name);
      return;
    }
    const std::string data = to_column(setting.data);
    session_ << "INSERT INTO setting(kind,name,data) VALUES(:kind,:name,:data) "
                "ON CONFLICT(kind,name) DO UPDATE SET data=excluded.data",
        soci::use(setting.kind), soci::use(setting.name), soci::use(data);
  }

  void load_settings(Recovered& out) {
    SavedSetting setting;
    soci::statement settings =
        (session_.prepare << "SELECT kind,name,data FROM setting ORDER BY kind,name",
         soci::into(setting.kind), soci::into(setting.name), soci::into(setting.data));
    settings.execute();
    while (settings.fetch()) {
      out.settings.push_back({setting.kind, setting.name, from_column(setting.data)});
    }
    std::string key, value;
    soci::statement meta =
        (session_.prepare << "SELECT key,value FROM meta", soci::into(key), soci::into(value));
    meta.execute();
    while (meta.fetch()) out.meta[key] = value;
  }

  std::string location_;
  std::mutex mutex_;  // guards session_ and the statements
  soci::session session_;
  // The tasks of an array, and many jobs in a row, have the same: it is its key's for ever.
  std::deque<Content> last_read_;
  std::optional<soci::statement> begin_, commit_;
  std::unique_ptr<Bound<JobRow>> job_;
  std::unique_ptr<Bound<StepRow>> step_;
  std::mutex reader_mutex_;  // guards reader_
  soci::session reader_;
  HistoryReader history_{[this](soci::session& session) { open_for_reading(session); }, mutex_};
  std::mutex roller_mutex_;  // guards roller_
  soci::session roller_;
};

}  // namespace
}  // namespace sql

Result<std::unique_ptr<Store>> open_sql_store(const std::string& location) {
  // A connection has one user at a time (SqlStore::mutex_): its own locks, one for every column
  // that is read, are a seventh of the time of a restart.
  [[maybe_unused]] static const int once = sqlite_api::sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
  auto store = std::make_unique<sql::SqlStore>(location);
  Status opened = store->open();
  if (!opened) return fail("cannot open the database " + location + ": " + opened.error().message);
  return store;
}

}  // namespace grappe
