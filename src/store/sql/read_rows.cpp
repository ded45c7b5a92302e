#include "store/sql/read_rows.h"

#include <fmt/ranges.h>
#include <soci/soci.h>

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
         " UNION SELECT id FROM job WHERE end_time>=" + std::to_string(end_time) + also;
}

// Calls take(row) for each row of `table` that `condition` chooses.
template <class Row, class Columns, class Take>
void each_row(soci::session& session, const std::string& table, const std::string& condition,
              Columns columns, Take take) {
  Row row{};
  soci::statement statement(session);
  columns(row, [&](const char*, auto& field) { statement.exchange(soci::into(field)); });
  statement.alloc();
  statement.prepare(select_sql<Row>(table, columns) + condition);
  statement.define_and_bind();
  statement.execute();
  while (statement.fetch()) take(row);
}

}  // namespace

std::string ids_of(const HistoryQuery& query, const IdRange& range) {
  std::string only = query.uids.empty() ? "" : " AND uid IN (" + listed(query.uids) + ")";
  if (range.first > 0 || range.last < UINT32_MAX) {
    only += fmt::format(" AND id BETWEEN {} AND {}", range.first, range.last);
  }
  const std::string of_array = " UNION SELECT id FROM job WHERE array_job_id<>0 AND ";
  std::string chosen;
  if (!query.job_ids.empty()) {
    const std::string ids = listed(query.job_ids);
    chosen = " UNION SELECT id FROM job WHERE id IN (" + ids + ")" + only + of_array +
             "array_job_id IN (" + ids + ")" + only;
  }
  if (!query.tasks.empty()) {
    chosen +=
        of_array + "(array_job_id,array_task_id) IN (VALUES " + listed(query.tasks) + ")" + only;
  }
  if (!chosen.empty()) return chosen.substr(std::string_view(" UNION ").size());
  const std::string also = fmt::format(" AND submit_time<={}", query.end_time) + only;
  return ids_since(query.start_time, also);
}

void each_job(soci::session& session, const std::string& ids,
              const std::function<void(Job)>& take) {
  KnownSpecs specs;
  each_row<JobRow>(
      session, "job", " WHERE id IN (" + ids + ") ORDER BY id, restarts",
      [](JobRow& row, auto&& visit) { job_columns(row, visit); },
      [&](const JobRow& row) { take(from_row(row, specs)); });
}

void each_step(soci::session& session, const std::string& ids, StepPart part,
               const std::function<void(Step)>& take) {
  const std::string condition = " WHERE job_id IN (" + ids + ") ORDER BY job_id, restarts, step_id";
  const auto take_row = [&](const StepRow& row) { take(from_row(row)); };
  if (part == StepPart::kWhole) {
    const auto columns = [](StepRow& row, auto&& visit) { whole_step_columns(row, visit); };
    return each_row<StepRow>(session, "step", condition, columns, take_row);
  }
  const auto columns = [](StepRow& row, auto&& visit) { step_columns(row, visit); };
  each_row<StepRow>(session, "step", condition, columns, take_row);
}

}  // namespace grappe::sql
