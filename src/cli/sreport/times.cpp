#include "cli/sreport/times.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/datetime.h"
#include "base/local_time.h"
#include "base/text.h"

namespace grappe::sreport {
namespace {

struct FormRow {
  std::string_view word, name;
  TimeForm form;
  bool whole_word;
};

constexpr std::array<FormRow, 7> kForms{{
    {"SecPer", "Seconds/Percentage of Total", TimeForm::kSecPer, true},
    {"MinPer", "Minutes/Percentage of Total", TimeForm::kMinPer, true},
    {"HourPer", "Hours/Percentage of Total", TimeForm::kHourPer, true},
    {"Seconds", "Seconds", TimeForm::kSeconds, false},
    {"Minutes", "Minutes", TimeForm::kMinutes, false},
    {"Hours", "Hours", TimeForm::kHours, false},
    {"Percent", "Percentage of Total", TimeForm::kPercent, false},
}};

int64_t nearest_hour(int64_t time) {
  const int64_t start = hour_start(time);
  const int64_t minutes = (time - start + 30) / 60;  // a minute from its thirtieth second on
  return minutes >= 30 ? next_hour(start) : start;
}

}  // namespace

std::optional<TimeForm> parse_time_form(std::string_view text) {
  for (const FormRow& row : kForms) {
    if (row.whole_word ? iequals(row.word, text) : !text.empty() && istarts_with(row.word, text)) {
      return row.form;
    }
  }
  return std::nullopt;
}

std::string_view time_form_name(TimeForm form) {
  for (const FormRow& row : kForms) {
    if (row.form == form) return row.name;
  }
  return "";
}

bool has_percent(TimeForm form) {
  return form != TimeForm::kSeconds && form != TimeForm::kMinutes && form != TimeForm::kHours;
}

std::string format_time(uint64_t seconds, uint64_t total, TimeForm form) {
  const auto value = static_cast<double>(seconds);
  const double percent = total ? value / static_cast<double>(total) * 100 : 0;
  switch (form) {
    case TimeForm::kSeconds:
      return std::to_string(seconds);
    case TimeForm::kMinutes:
      return fmt::format("{:.0f}", value / 60);
    case TimeForm::kHours:
      return fmt::format("{:.0f}", value / 3600);
    case TimeForm::kPercent:
      return fmt::format("{:.2f}%", percent);
    case TimeForm::kSecPer:
      return fmt::format("{}({:.2f}%)", seconds, percent);
    case TimeForm::kMinPer:
      return fmt::format("{:.0f}({:.2f}%)", value / 60, percent);
    case TimeForm::kHourPer:
      return fmt::format("{:.0f}({:.2f}%)", value / 3600, percent);
  }
  return "";
}

std::string Window::text() const {
  return format_datetime(start) + " - " + format_datetime(end - 1);
}

Result<Window> window_of(const std::string& start, const std::string& end, int64_t now) {
  Window window{day_start(day_start(now) - 1), day_start(now)};
  if (!start.empty()) {
    auto time = parse_datetime(start, now, true);
    if (!time) return tl::unexpected<Error>(time.error());
    window.start = nearest_hour(*time);
  }
  if (!end.empty()) {
    auto time = parse_datetime(end, now, true);
    if (!time) return tl::unexpected<Error>(time.error());
    window.end = nearest_hour(*time);
  }
  if (window.end - window.start < 3600) window.end = window.start + 3600;
  return window;
}

}  // namespace grappe::sreport
