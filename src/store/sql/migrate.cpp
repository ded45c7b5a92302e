#include "store/sql/migrate.h"

#include <soci/soci.h>

#include "base/log.h"
#include "base/text.h"

namespace grappe::sql {
namespace {

int version_of(soci::session& session) {
  session << "CREATE TABLE IF NOT EXISTS schema_version(version INTEGER NOT NULL)";
  int version = 0;
  soci::indicator found = soci::i_null;
  session << "SELECT MAX(version) FROM schema_version", soci::into(version, found);
  return found == soci::i_ok ? version : 0;
}

// What the two databases call a column of bytes.
std::string for_backend(soci::session& session, std::string text) {
  const std::string type = session.get_backend_name() == "postgresql" ? "BYTEA" : "BLOB";
  static constexpr std::string_view kMark = "$BYTES";
  for (size_t at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at)) {
    text.replace(at, kMark.size(), type);
  }
  return text;
}

// A statement at a time: SOCI sends only the first of several. Comments may hold a semicolon.
void run(soci::session& session, const std::string& text) {
  std::string statement;
  for (std::string_view line : split(text, '\n')) {
    line = line.substr(0, line.find("--"));
    statement += std::string(line) + "\n";
    if (trim(line).ends_with(';')) {
      session << statement;
      statement.clear();
    }
  }
}

}  // namespace

Status migrate(soci::session& session) {
  int have = version_of(session);
  int newest = migrations().back().number;
  if (have > newest) {
    return fail("it was written by a newer version of the program (schema " + std::to_string(have) +
                ", this program knows " + std::to_string(newest) +
                "): install that version again, or point --state elsewhere");
  }
  for (const Migration& migration : migrations()) {
    if (migration.number <= have) continue;
    soci::transaction transaction(session);
    run(session, for_backend(session, migration.text));
    int number = migration.number;
    session << "INSERT INTO schema_version(version) VALUES(:v)", soci::use(number);
    transaction.commit();
    log_info("database: schema {} ({})", migration.number, migration.name);
  }
  return {};
}

}  // namespace grappe::sql
