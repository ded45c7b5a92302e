#include <fmt/core.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "base/text.h"
#include "cli/sacctmgr/entities.h"
#include "model/slurm_error.h"

namespace grappe::sacctmgr {
namespace {

struct ArchiveWish {
  v1::ArchiveRequest request;
  std::string wrong;  // the message
};

// "12hours", "3days", "6months", "6": seconds; 0 if it is none of them.
int64_t parse_age(std::string_view text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  auto number = parse_uint(text.substr(0, digits), 100000);
  const std::string_view unit = text.substr(digits);
  if (!number || !*number) return 0;
  const auto count = static_cast<int64_t>(*number);
  if (unit.empty() || abbreviates(unit, "months", 1)) return count * 30 * 24 * 3600;
  if (abbreviates(unit, "days", 1)) return count * 24 * 3600;
  return abbreviates(unit, "hours", 1) ? count * 3600 : 0;
}

void set_age(ArchiveWish& wish, const Word& word, bool jobs) {
  const int64_t age = parse_age(word.value);
  if (!age) {
    wish.wrong = fmt::format("Invalid value for {} ({})", word.key, word.value);
    return;
  }
  const int64_t before = std::time(nullptr) - age;
  jobs ? wish.request.set_jobs_before(before) : wish.request.set_steps_before(before);
}

constexpr Key<ArchiveWish> kArchiveKeys[] = {
    {"jobs", 1, [](ArchiveWish& w, const Word&) { w.request.set_keep_jobs(true); }, false},
    {"steps", 2, [](ArchiveWish& w, const Word&) { w.request.set_keep_steps(true); }, false},
    {"Directory", 2, [](ArchiveWish& w, const Word& word) { w.request.set_folder(word.value); }},
    {"PurgeJobAfter", 10, [](ArchiveWish& w, const Word& word) { set_age(w, word, true); }},
    {"PurgeJobMonths", 10, [](ArchiveWish& w, const Word& word) { set_age(w, word, true); }},
    {"PurgeStepAfter", 11, [](ArchiveWish& w, const Word& word) { set_age(w, word, false); }},
    {"PurgeStepMonths", 11, [](ArchiveWish& w, const Word& word) { set_age(w, word, false); }},
};

// What Slurm archives and the service does not keep by itself.
constexpr std::string_view kNotArchived[] = {
    "events",        "reservations",    "suspend",          "txn",
    "usage",         "Script",          "PurgeEventAfter",  "PurgeResvAfter",
    "PurgeTXNAfter", "PurgeUsageAfter", "PurgeSuspendAfter"};

bool is_refused(const Word& word) {
  for (std::string_view name : kNotArchived) {
    if (iequals(word.key, name)) return true;
  }
  return false;
}

void report(Session& session, const v1::ArchiveResponse& done) {
  for (const std::string& file : done.files()) session.info(file);
  session.info(fmt::format("{} jobs and {} steps", done.jobs(), done.steps()));
}

}  // namespace

void archive_dump(Session& session, Words words) {
  ArchiveWish wish;
  for (const std::string& text : words) {
    const Word word = parse_word(text);
    if (is_refused(word)) {
      return session.complain(
          fmt::format(" {} is not supported: jobs and steps are archived\n", word.key));
    }
    if (!set_by_key<ArchiveWish>(kArchiveKeys, wish, word)) {
      return session.complain(" Unknown condition: " + text + "\n");
    }
    if (!wish.wrong.empty()) return session.error(wish.wrong);
  }
  if (!wish.request.jobs_before() && !wish.request.steps_before()) {
    return session.complain(
        " Nothing to archive: say how old it must be, as in PurgeJobAfter=24months\n");
  }
  struct stat folder {};
  const std::string& path = wish.request.folder();
  if (!path.empty() && stat(path.c_str(), &folder) != 0) {
    return session.complain(
        fmt::format(" dump: Failed to stat {}: {}\n Note: For archive dump, the directory must be "
                    "on the calling host.\n",
                    path, std::strerror(errno)));
  }
  if (!path.empty() && !S_ISDIR(folder.st_mode)) {
    return session.complain(fmt::format(" dump: archive dir {} isn't a directory\n", path));
  }
  if (!session.confirm("This may result in loss of accounting database records (if Purge* options "
                       "enabled).\nAre you sure you want to continue?")) {
    return session.say(" Changes Discarded\n");
  }
  auto done = session.calls.call<v1::ArchiveResponse>("Books/Archive", wish.request,
                                                      std::chrono::minutes(10));
  if (done) return report(session, *done);
  if (done.error().code == kErrAccessDenied) {
    session.error("Your user doesn't have privilege to perform this action");
  }
  session.complain(fmt::format(" Problem dumping archive: {}\n", done.error().message));
}

void archive_load(Session& session, Words words) {
  v1::LoadArchiveRequest request;
  for (const std::string& text : words) {
    const Word word = parse_word(text);
    if (word.has_value && is_key(word, "Insert", 2)) {
      return session.complain(" Insert is not supported: the database is not open to SQL\n");
    }
    if (word.has_value && !is_key(word, "File", 1)) {
      return session.complain(" Unknown option: " + text + "\n");
    }
    request.set_file(word.value);
  }
  if (request.file().empty()) return session.complain(" Which one? archive load file=FILE\n");
  auto done = session.calls.call<v1::ArchiveResponse>("Books/LoadArchive", request,
                                                      std::chrono::minutes(10));
  if (done) return report(session, *done);
  session.complain(
      fmt::format(" Problem loading archive file: {}\n Note: For archive load, the "
                  "file must be accessible on the slurmdbd host.\n",
                  done.error().message));
}

}  // namespace grappe::sacctmgr
