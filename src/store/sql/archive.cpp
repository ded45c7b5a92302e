#include "store/sql/archive.h"

#include <fmt/core.h>
#include <soci/soci.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <vector>

#include "base/text.h"
#include "store/sql/rows.h"

namespace grappe::sql {
namespace {

constexpr char kHead[] = "grappe archive 1";
constexpr int kRemovedAtOnce = 500;

struct CloseFile {
  void operator()(FILE* file) const { fclose(file); }
};
using File = std::unique_ptr<FILE, CloseFile>;

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '\\':
        out += "\\\\";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\0':
        out += "\\0";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    out += c == 't' ? '\t' : c == 'n' ? '\n' : c == '0' ? '\0' : c;
  }
  return out;
}

std::string field_text(long long value) {
  return std::to_string(value);
}
std::string field_text(const std::string& value) {
  return escaped(value);
}
void set_field(long long& field, std::string_view text) {
  const bool negative = text.starts_with('-');
  const auto value = parse_uint(text.substr(negative), INT64_MAX).value_or(0);
  field = negative ? -static_cast<long long>(value) : static_cast<long long>(value);
}
void set_field(std::string& field, std::string_view text) {
  field = unescaped(text);
}

// A table as its row and its columns.
struct JobTable {
  using Row = JobRow;
  static constexpr const char* kName = "job";
  template <class Visit>
  static void columns(Row& row, Visit visit) {
    job_columns(row, visit);
  }
};
struct StepTable {
  using Row = StepRow;
  static constexpr const char* kName = "step";
  template <class Visit>
  static void columns(Row& row, Visit visit) {
    whole_step_columns(row, visit);
  }
};

template <class Table>
std::vector<std::string> column_names() {
  std::vector<std::string> names;
  typename Table::Row row{};
  Table::columns(row, [&](const char* name, auto&) { names.emplace_back(name); });
  return names;
}

template <class Table>
uint64_t write_rows(soci::session& session, const std::string& condition, FILE* out) {
  typename Table::Row row{};
  soci::statement rows(session);
  Table::columns(row, [&](const char*, auto& field) { rows.exchange(soci::into(field)); });
  rows.alloc();
  rows.prepare("SELECT " + join(column_names<Table>(), ",") + " FROM " + Table::kName + " WHERE " +
               condition);
  rows.define_and_bind();
  rows.execute();
  fprintf(out, "#%s\t%s\n", Table::kName, join(column_names<Table>(), "\t").c_str());
  uint64_t count = 0;
  while (rows.fetch()) {
    std::string line;
    Table::columns(row, [&](const char*, auto& field) {
      line += (line.empty() ? "" : "\t") + field_text(field);
    });
    line += '\n';
    fwrite(line.data(), 1, line.size(), out);  // whether it worked is asked once, at the end
    ++count;
  }
  return count;
}

// Whole under its name, or not at all.
template <class Write>
Status write_file(const std::string& path, Write write) {
  const std::string unfinished = path + ".unfinished";
  File file(fopen(unfinished.c_str(), "wx"));
  if (!file) return fail_errno("making " + unfinished, errno);
  fprintf(file.get(), "%s\n", kHead);
  write(file.get());
  const bool written =
      fflush(file.get()) == 0 && !ferror(file.get()) && fsync(fileno(file.get())) == 0;
  const int error = errno;
  if (!written || rename(unfinished.c_str(), path.c_str()) != 0) {
    unlink(unfinished.c_str());
    return fail_errno("writing " + path, error);
  }
  return {};
}

uint64_t remove_rows(soci::session& session, const std::string& table, const std::string& key,
                     const std::string& condition) {
  uint64_t removed = 0;
  for (;;) {
    soci::transaction transaction(session);
    soci::statement remove =
        (session.prepare << fmt::format("DELETE FROM {0} WHERE ({1}) IN (SELECT {1} FROM {0} WHERE "
                                        "{2} LIMIT {3})",
                                        table, key, condition, kRemovedAtOnce));
    remove.execute(true);
    const auto now = static_cast<uint64_t>(remove.get_affected_rows());
    transaction.commit();
    removed += now;
    if (now < kRemovedAtOnce) return removed;
  }
}

// Only jobs whose use is in the sums may go: from then on these are all that is known of it.
int64_t counted_until(soci::session& session) {
  std::string until;
  session << "SELECT value FROM meta WHERE key='usage_until'", soci::into(until);
  return session.got_data() ? parse_int(until).value_or(0) : 0;
}

void note_purge(soci::session& session, int64_t until) {
  const std::string value = std::to_string(until);
  session
      << "INSERT INTO meta(key,value) VALUES('purged_until',:value) ON CONFLICT(key) DO UPDATE SET "
         "value=excluded.value WHERE CAST(meta.value AS BIGINT)<CAST(excluded.value AS BIGINT)",
      soci::use(value);
}

// Scripts and environments that no job has any more. What jobs have is looked up once, which may
// take seconds with millions of them; those that came or ended since `began` are looked at anew
// each time.
uint64_t remove_contents(soci::session& session, int64_t began) {
  const bool postgres = session.get_backend_name() == "postgresql";
  session << "CREATE TEMP TABLE used_content AS SELECT script_key AS key FROM job UNION SELECT "
             "environment_key FROM job";
  const std::string recent = fmt::format(
      "SELECT {{0}} FROM job WHERE live=1 UNION SELECT {{0}} FROM job WHERE end_time>={}", began);
  const std::string unused = fmt::format(
      "SELECT key FROM content WHERE key NOT IN (SELECT key FROM used_content) AND key NOT IN ({}) "
      "AND key NOT IN ({}) LIMIT {}",
      fmt::format(fmt::runtime(recent), "script_key"),
      fmt::format(fmt::runtime(recent), "environment_key"), kRemovedAtOnce);
  uint64_t removed = 0;
  for (uint64_t now = kRemovedAtOnce; now == kRemovedAtOnce; removed += now) {
    soci::transaction transaction(session);
    // A job that is being submitted may count on one that is there: its commit is waited for.
    if (postgres) session << "LOCK TABLE content IN EXCLUSIVE MODE";
    soci::statement remove =
        (session.prepare << "DELETE FROM content WHERE key IN (" + unused + ")");
    remove.execute(true);
    now = static_cast<uint64_t>(remove.get_affected_rows());
    transaction.commit();
  }
  session << "DROP TABLE used_content";
  return removed;
}

// What was freed goes back to the disk, a little at a time.
void give_back_pages(soci::session& session) {
  if (session.get_backend_name() != "sqlite3") return;  // PostgreSQL does it by itself
  long long left = 0, before = 0;
  do {
    before = left;
    session << "PRAGMA incremental_vacuum(1000)";
    session << "PRAGMA freelist_count", soci::into(left);
  } while (left > 0 && left != before);
}

// A file, row by row, into the tables that it names.
class Loader {
 public:
  explicit Loader(soci::session& session) : session_(session) {}

  Status line(std::string_view text) {
    ++number_;
    if (number_ == 1) return text == kHead ? Status{} : fail("it is no archive of this program");
    if (text.starts_with('#')) return begin_table(text.substr(1));
    const auto fields = split(text, '\t');
    if (fields.size() != columns_.size()) {
      return fail(fmt::format("line {} has {} fields in place of {}", number_, fields.size(),
                              columns_.size()));
    }
    if (table_ == JobTable::kName) return insert<JobTable>(fields, counts.jobs);
    return insert<StepTable>(fields, counts.steps);
  }

  ArchiveCounts counts;

 private:
  Status begin_table(std::string_view text) {
    columns_.clear();
    for (std::string_view word : split(text, '\t')) columns_.emplace_back(word);
    table_ = columns_.front();
    columns_.erase(columns_.begin());
    if (table_ != JobTable::kName && table_ != StepTable::kName) {
      return fail("there is no table " + table_);
    }
    return {};
  }

  template <class Table>
  Status insert(const std::vector<std::string_view>& fields, uint64_t& count) {
    typename Table::Row row{};
    soci::statement statement(session_);
    std::string names, values;
    Table::columns(row, [&](const char* name, auto& field) {
      names += (names.empty() ? "" : ",") + std::string(name);
      values += (values.empty() ? ":" : ",:") + std::string(name);
      for (size_t i = 0; i < columns_.size(); ++i) {
        if (columns_[i] == name) set_field(field, fields[i]);
      }
      statement.exchange(soci::use(field, name));
    });
    statement.alloc();
    statement.prepare(fmt::format("INSERT INTO {}({}) VALUES({})", Table::kName, names, values));
    statement.define_and_bind();
    statement.execute(true);
    ++count;
    return {};
  }

  soci::session& session_;
  size_t number_ = 0;
  std::string table_;
  std::vector<std::string> columns_;
};

}  // namespace

Result<ArchiveCounts> archive(soci::session& session, const ArchiveWish& wish) {
  ArchiveCounts counts;
  const int64_t jobs_before = std::min(wish.jobs_before, counted_until(session));
  const std::string jobs = fmt::format("live=0 AND end_time<{}", jobs_before);
  const std::string of_jobs =
      "(job_id,restarts) IN (SELECT id,restarts FROM job WHERE " + jobs + ")";
  const std::string steps =
      fmt::format("end_time<{} AND (job_id,restarts) IN (SELECT id,restarts FROM job WHERE live=0)",
                  wish.steps_before);
  if (wish.steps_before && !wish.steps_file.empty()) {
    Status written =
        write_file(wish.steps_file, [&](FILE* out) { write_rows<StepTable>(session, steps, out); });
    if (!written) return tl::unexpected(written.error());
  }
  if (wish.jobs_before && !wish.jobs_file.empty()) {
    Status written = write_file(wish.jobs_file, [&](FILE* out) {
      write_rows<JobTable>(session, jobs, out);
      write_rows<StepTable>(session, of_jobs, out);
    });
    if (!written) return tl::unexpected(written.error());
  }
  if (wish.steps_before)
    counts.steps = remove_rows(session, "step", "job_id,restarts,step_id", steps);
  if (wish.jobs_before) {
    note_purge(session, jobs_before);
    counts.steps += remove_rows(session, "step", "job_id,restarts,step_id", of_jobs);
    counts.jobs = remove_rows(session, "job", "id,restarts", jobs);
    counts.contents = remove_contents(session, wish.now);
  }
  give_back_pages(session);
  return counts;
}

Result<ArchiveCounts> load_archive(soci::session& session, const std::string& path) {
  // A pipe or a device would hold this thread, or never end.
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return fail_errno("reading " + path, errno);
  if (!S_ISREG(status.st_mode)) return fail(path + " is not a file");
  File file(fopen(path.c_str(), "r"));
  if (!file) return fail_errno("reading " + path, errno);
  soci::transaction transaction(session);
  Loader loader(session);
  struct Line {  // the loader may throw
    char* text = nullptr;
    size_t room = 0;
    ~Line() { free(text); }
  } line;
  Status done;
  for (ssize_t got; done && (got = getline(&line.text, &line.room, file.get())) > 0;) {
    if (line.text[got - 1] == '\n') --got;
    done = loader.line({line.text, static_cast<size_t>(got)});
  }
  if (!done) return fail(path + ": " + done.error().message);
  transaction.commit();
  return loader.counts;
}

}  // namespace grappe::sql
