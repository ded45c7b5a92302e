#include "model/reservation_flags.h"

#include <fmt/core.h>

#include <optional>

#include "base/duration.h"
#include "base/text.h"

namespace grappe {
namespace {

struct Row {
  std::string_view shown;
  uint32_t flag;
  std::string_view typed;  // in full; empty: only shown
  size_t shortest = 3;     // letters that are enough
  bool removable = true;
};

constexpr Row kRows[] = {
    {"MAINT", kResvMaint, "MAINTENANCE"},
    {"FLEX", kResvFlex, "FLEX"},
    {"OVERLAP", kResvOverlap, "OVERLAP", 3, false},
    {"IGNORE_JOBS", kResvIgnoreJobs, "IGNORE_JOBS"},
    {"HOURLY", kResvHourly, "HOURLY"},
    {"DAILY", kResvDaily, "DAILY"},
    {"WEEKDAY", kResvWeekday, "WEEKDAY", 5},
    {"WEEKEND", kResvWeekend, "WEEKEND", 5},
    {"WEEKLY", kResvWeekly, "WEEKLY", 5},
    {"SPEC_NODES", kResvSpecNodes, ""},
    {"ALL_NODES", kResvAllNodes, ""},
    {"ANY_NODES", kResvAnyNodes, "ANY_NODES"},
    {"", kResvAnyNodes, "LICENSE_ONLY"},
    {"STATIC", kResvStatic, "STATIC_ALLOC"},
    {"PART_NODES", kResvPartNodes, "PART_NODES"},
    {"FIRST_CORES", kResvFirstCores, "FIRST_CORES", 3, false},
    {"TIME_FLOAT", kResvTimeFloat, "TIME_FLOAT", 3, false},
    {"REPLACE", kResvReplace, "REPLACE", 3, false},
    {"REPLACE_DOWN", kResvReplaceDown, "REPLACE_DOWN", 8, false},
    {"PURGE_COMP", kResvPurgeComp, "PURGE_COMP"},
    {"NO_HOLD_JOBS_AFTER_END", kResvNoHoldAfter, "NO_HOLD_JOBS_AFTER_END", 3, false},
    {"MAGNETIC", kResvMagnetic, "MAGNETIC"},
};

constexpr uint32_t kDefaultPurge = 5 * 60;

const Row* find(std::string_view name) {
  for (const Row& row : kRows) {
    if (name.size() >= row.shortest && istarts_with(row.typed, name)) return &row;
  }
  return nullptr;
}

}  // namespace

Result<ReservationFlagChange> parse_reservation_flags(std::string_view text, char operation) {
  ReservationFlagChange change;
  for (std::string_view word : split_words(text, ",")) {
    char sign = operation;
    if (word.front() == '+' || word.front() == '-') {
      sign = word.front();
      word.remove_prefix(1);
    }
    size_t equal = word.find('=');
    const Row* row = find(word.substr(0, equal));
    bool valued = equal != std::string_view::npos;
    if (!row || (valued && row->flag != kResvPurgeComp) || (sign == '-' && !row->removable)) {
      return fail(fmt::format("Error parsing flags {}.", text));
    }
    if (sign == '-') {
      change.remove |= row->flag;
      continue;
    }
    change.add |= row->flag;
    if (row->flag != kResvPurgeComp) continue;
    change.purge_s = kDefaultPurge;
    if (!valued) continue;
    auto seconds = parse_duration(word.substr(equal + 1));
    if (!seconds || *seconds == kInfinite)
      return fail(fmt::format("Error parsing flags {}.", text));
    change.purge_s = minutes_rounded_up(*seconds) * 60;
  }
  return change;
}

std::vector<std::string> reservation_flag_names(uint32_t flags, uint32_t purge_s) {
  std::vector<std::string> names;
  for (const Row& row : kRows) {
    if (row.shown.empty() || !(flags & row.flag)) continue;
    std::string name(row.shown);
    if (row.flag == kResvPurgeComp) name += "=" + format_duration(purge_s);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace grappe
