#include "base/duration.h"

#include <fmt/core.h>

#include "base/text.h"

namespace grappe {
namespace {

constexpr int64_t kMinute = 60;
constexpr int64_t kHour = 60 * kMinute;
constexpr int64_t kDay = 24 * kHour;

// "1:2:3" times the units {hour, minute, second}; nothing when a place is missing or malformed.
std::optional<uint64_t> sum_places(const std::vector<std::string_view>& places,
                                   const int64_t* units) {
  uint64_t total = 0;
  for (std::string_view place : places) {
    auto value = parse_uint(place, UINT32_MAX);
    if (!value) return {};
    total += *value * static_cast<uint64_t>(*units++);
  }
  return total;
}

std::optional<uint64_t> parse_places(std::string_view text) {
  static constexpr int64_t kAfterDays[] = {kHour, kMinute, 1};
  static constexpr int64_t kMinutesFirst[] = {kMinute, 1};
  size_t dash = text.find('-');
  if (dash != std::string_view::npos) {
    auto days = parse_uint(text.substr(0, dash), UINT32_MAX);
    if (!days) return {};
    uint64_t total = *days * kDay;
    std::string_view rest = text.substr(dash + 1);
    if (rest.empty()) return total;
    auto places = split(rest, ':');
    if (places.size() > 3) return {};
    auto more = sum_places(places, kAfterDays);
    if (!more) return {};
    return total + *more;
  }
  auto places = split(text, ':');
  if (places.size() > 3) return {};
  return sum_places(places, places.size() == 3 ? kAfterDays : kMinutesFirst);
}

struct Places {
  int64_t days, hours, minutes, seconds;
};

Places take_apart(int64_t seconds) {
  return {seconds / kDay, seconds / kHour % 24, seconds / kMinute % 60, seconds % 60};
}

}  // namespace

Result<uint32_t> parse_duration(std::string_view text) {
  if (text == "-1" || iequals(text, "unlimited") || iequals(text, "infinite")) return kInfinite;
  auto seconds = parse_places(text);
  if (!seconds || *seconds >= kNoValue) {
    return fail(fmt::format("invalid time limit \"{}\"", text));
  }
  return static_cast<uint32_t>(*seconds);
}

uint32_t minutes_rounded_up(uint32_t seconds) {
  if (seconds == kInfinite || seconds == kNoValue) return seconds;
  return seconds / 60 + (seconds % 60 != 0 ? 1 : 0);
}

std::string format_duration_short(int64_t seconds) {
  if (seconds == kInfinite) return "UNLIMITED";
  if (seconds < 0) return "INVALID";
  Places t = take_apart(seconds);
  if (t.days > 0) {
    return fmt::format("{}-{:02}:{:02}:{:02}", t.days, t.hours, t.minutes, t.seconds);
  }
  if (t.hours > 0) return fmt::format("{}:{:02}:{:02}", t.hours, t.minutes, t.seconds);
  return fmt::format("{}:{:02}", t.minutes, t.seconds);
}

std::string format_duration(int64_t seconds) {
  if (seconds == kInfinite) return "UNLIMITED";
  if (seconds < 0) return "INVALID";
  Places t = take_apart(seconds);
  if (t.days == 0) return fmt::format("{:02}:{:02}:{:02}", t.hours, t.minutes, t.seconds);
  return fmt::format("{}-{:02}:{:02}:{:02}", t.days, t.hours, t.minutes, t.seconds);
}

std::string format_minutes_short(uint32_t minutes) {
  if (minutes == kInfinite) return "UNLIMITED";
  return format_duration_short(int64_t{minutes} * kMinute);
}

std::string format_minutes(uint32_t minutes) {
  if (minutes == kInfinite) return "UNLIMITED";
  return format_duration(int64_t{minutes} * kMinute);
}

}  // namespace grappe
