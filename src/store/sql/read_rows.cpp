#include "store/sql/read_rows.h"

#include <fmt/ranges.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "store/sql/rows.h"

namespace grappe::sql {
namespace {

template <class Row, class Columns>
std::string select_sql(const std::string& table, Columns columns) {
  std::string names;
  Row row{};
  columns(row, [&](const char* name, auto&) {
    names += (names.empty() ? "" : ",") + (table + "." + name);
  });
  return "SELECT " + names + " FROM " + table;
}

// "7,8,9" of numbers.
template <class Number>
std::string listed(const std::vector<Number>& numbers) {
  return fmt::format("{}", fmt::join(numbers, ","));
}

// "(7,0),(7,1)" of tasks.
std::string listed(const std::vector<ArrayTask>& tasks) {
  std::vector<std::string> pairs;
  for (const ArrayTask& task : tasks) {
    pairs.push_back(fmt::format("({},{})", task.array_job_id, task.task_id));
  }
  return fmt::format("{}", fmt::join(pairs, ","));
}

// The ids of jobs, by index only: as a list of ids each of these queries gets its rows in order,
// where a condition with OR would read the whole table.
std::string ids_since(int64_t end_time, const std::string& also) {
  return "SELECT id FROM job WHERE live=1" + also +
         " UNION ALL SELECT id FROM job WHERE end_time>=" + std::to_string(end_time) + also;
}

template <class Row, class Columns, class Take>
void each_row_by_soci(soci::session& session, const std::string& sql, Columns columns, Take take) {
  Row row{};
  soci::statement statement(session);
  columns(row, [&](const char*, auto& field) { statement.exchange(soci::into(field)); });
  statement.alloc();
  statement.prepare(sql);
  statement.define_and_bind();
  statement.execute();
  while (statement.fetch()) take(row);
}

void get(sqlite_api::sqlite3_stmt* statement, int index, long long& out) {
  out = sqlite_api::sqlite3_column_int64(statement, index);
}

void get(sqlite_api::sqlite3_stmt* statement, int index, std::string& out) {
  const void* bytes = sqlite_api::sqlite3_column_blob(statement, index);
  const int size = sqlite_api::sqlite3_column_bytes(statement, index);
  out.assign(static_cast<const char*>(bytes), static_cast<size_t>(bytes ? size : 0));
}

// SOCI takes as long to hand over a row of sixty columns as SQLite takes to find it.
template <class Row, class Columns, class Take>
void each_row_of_sqlite(sqlite_api::sqlite3* database, const std::string& sql, Columns columns,
                        Take take) {
  using namespace sqlite_api;
  auto refuse = [&] { throw std::runtime_error(sqlite3_errmsg(database)); };
  sqlite3_stmt* prepared = nullptr;
  if (sqlite3_prepare_v2(database, sql.c_str(), -1, &prepared, nullptr) != SQLITE_OK) refuse();
  const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement(prepared,
                                                                             sqlite3_finalize);
  Row row{};
  int step = SQLITE_ROW;
  while ((step = sqlite3_step(prepared)) == SQLITE_ROW) {
    int index = 0;
    columns(row, [&](const char*, auto& field) { get(prepared, index++, field); });
    take(row);
  }
  if (step != SQLITE_DONE) refuse();
}

// Calls take(row) for each row that `sql` gives, which asks for these columns.
template <class Row, class Columns, class Take>
void each_row(soci::session& session, const std::string& sql, Columns columns, Take take) {
  if (session.get_backend_name() != "sqlite3") {
    return each_row_by_soci<Row>(session, sql, columns, take);
  }
  auto* backend = static_cast<soci::sqlite3_session_backend*>(session.get_backend());
  each_row_of_sqlite<Row>(backend->conn_, sql, columns, take);
}

struct IdRange {
  uint32_t first = 0, last = UINT32_MAX;
};

// A query for the ids of the jobs that `query` may mean.
std::string ids_of(const HistoryQuery& query, const IdRange& range = {}) {
  std::string only = query.uids.empty() ? "" : " AND uid IN (" + listed(query.uids) + ")";
  if (range.first > 0 || range.last < UINT32_MAX) {
    only += fmt::format(" AND id BETWEEN {} AND {}", range.first, range.last);
  }
  const std::string of_array = " UNION ALL SELECT id FROM job WHERE array_job_id<>0 AND ";
  std::string chosen;
  if (!query.job_ids.empty()) {
    const std::string ids = listed(query.job_ids);
    chosen = " UNION ALL SELECT id FROM job WHERE id IN (" + ids + ")" + only + of_array +
             "array_job_id IN (" + ids + ")" + only;
  }
  if (!query.tasks.empty()) {
    chosen +=
        of_array + "(array_job_id,array_task_id) IN (VALUES " + listed(query.tasks) + ")" + only;
  }
  if (!chosen.empty()) return chosen.substr(std::string_view(" UNION ALL ").size());
  const std::string also = fmt::format(" AND submit_time<={}", query.end_time) + only;
  return ids_since(query.start_time, also);
}

}  // namespace

std::string among(const HistoryQuery& query) {
  return "IN (" + ids_of(query) + ")";
}

std::string among(const HistoryQuery& query, std::span<const uint32_t> ids) {
  constexpr uint32_t kMostReadInVain = 1;  // rows for each that is wanted
  if (ids.empty()) return "IN (NULL)";
  const IdRange range{ids.front(), ids.back()};
  if (range.last - range.first <= ids.size() * (1 + kMostReadInVain)) {
    return fmt::format("BETWEEN {} AND {}", range.first, range.last);
  }
  return "IN (" + ids_of(query, range) + ")";
}

std::vector<uint32_t> sorted_ids(soci::session& session, const HistoryQuery& query) {
  struct IdRow {
    long long id;
  };
  std::vector<uint32_t> ids;
  // In no order: asked for one, SQLite walks through all jobs that ever were.
  each_row<IdRow>(
      session, ids_of(query), [](IdRow& row, auto&& visit) { visit("id", row.id); },
      [&](const IdRow& row) { ids.push_back(static_cast<uint32_t>(row.id)); });
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

namespace {

template <class Columns>
void each_job(soci::session& session, const std::string& which, Columns columns,
              const std::function<void(Job&&)>& take) {
  JobReader reader;
  each_row<JobRow>(
      session, select_sql<JobRow>("job", columns) + " WHERE id " + which + " ORDER BY id, restarts",
      columns, [&](const JobRow& row) { take(reader.from_row(row)); });
}

template <class Columns>
void each_step(soci::session& session, const std::string& which, Columns columns,
               const std::function<void(Step&&)>& take) {
  each_row<StepRow>(session,
                    select_sql<StepRow>("step", columns) + " WHERE job_id " + which +
                        " ORDER BY job_id, restarts, step_id",
                    columns, [&](const StepRow& row) { take(from_row(row)); });
}

}  // namespace

void each_job(soci::session& session, const std::string& which, JobPart part,
              const std::function<void(Job&&)>& take) {
  if (part == JobPart::kWhole) {
    const auto columns = [](JobRow& row, auto&& visit) { job_columns(row, visit); };
    return each_job(session, which, columns, take);
  }
  const auto columns = [](JobRow& row, auto&& visit) { past_job_columns(row, visit); };
  each_job(session, which, columns, take);
}

void each_step(soci::session& session, const std::string& which, StepPart part,
               const std::function<void(Step&&)>& take) {
  if (part == StepPart::kWhole) {
    const auto columns = [](StepRow& row, auto&& visit) { whole_step_columns(row, visit); };
    return each_step(session, which, columns, take);
  }
  const auto columns = [](StepRow& row, auto&& visit) { step_columns(row, visit); };
  each_step(session, which, columns, take);
}

}  // namespace grappe::sql
