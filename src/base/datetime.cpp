#include "base/datetime.h"

#include <fmt/core.h>

#include <array>
#include <ctime>
#include <optional>

#include "base/text.h"

namespace grappe {
namespace {

constexpr int64_t kDay = 24 * 60 * 60;
constexpr int64_t kLatest = 253402300799;  // the end of the year 9999

struct Word {
  std::string_view name;
  int value;
};

constexpr Word kTimesOfDay[] = {
    {"midnight", 0}, {"elevenses", 11}, {"noon", 12}, {"fika", 15}, {"teatime", 16}};
constexpr Word kDays[] = {{"today", 0}, {"tomorrow", 1}};
constexpr Word kUnits[] = {{"seconds", 1},    {"second", 1},   {"minutes", 60}, {"minute", 60},
                           {"hours", 3600},   {"hour", 3600},  {"days", 86400}, {"day", 86400},
                           {"weeks", 604800}, {"week", 604800}};

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// What a text said; the rest is filled in from the present.
struct Said {
  std::optional<int> seconds_of_day;
  bool has_day = false;  // today, tomorrow
  int days_ahead = 0;
  bool has_date = false;
  int month = 0, day = 0;
  std::optional<int> year;
  std::optional<int64_t> from_now;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  // False when the text can't be read; position() is then where.
  bool read(Said& said) {
    bool something = false;
    while (true) {
      if (done()) return something;
      if (istarts_with(text_.substr(at_), "now")) {
        at_ += 3;
        said.from_now = 0;
        return read_offset(*said.from_now) && rest_is_blank();
      }
      if (read_word(said)) {
        something = true;
      } else if (is_blank(peek()) || peek() == 'T' || peek() == '-') {
        ++at_;
      } else if (is_digit(peek()) && read_number_form(said)) {
        something = true;
      } else {
        return false;
      }
    }
  }

  size_t position() const { return at_; }

 private:
  bool done() const { return at_ >= text_.size(); }
  char peek() const { return done() ? '\0' : text_[at_]; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void skip_blanks() {
    while (is_blank(peek())) ++at_;
  }
  bool rest_is_blank() {
    skip_blanks();
    return done();
  }

  template <size_t n>
  const Word* take_word(const Word (&words)[n]) {
    for (const Word& word : words) {
      if (!istarts_with(text_.substr(at_), word.name)) continue;
      at_ += word.name.size();
      return &word;
    }
    return nullptr;
  }

  bool read_word(Said& said) {
    if (const Word* word = take_word(kTimesOfDay)) {
      said.seconds_of_day = word->value * 3600;
      return true;
    }
    if (const Word* word = take_word(kDays)) {
      said.days_ahead = word->value;
      said.has_day = true;
      said.has_date = false;
      return true;
    }
    return false;
  }

  // "+5", " + 5 minutes", "-1week", or nothing.
  bool read_offset(int64_t& offset) {
    size_t start = at_;
    skip_blanks();
    bool back = peek() == '-';
    if (!back && peek() != '+') return done();
    ++at_;
    skip_blanks();
    auto count = take_digits(1, 11);
    if (!count) {
      at_ = start;
      return false;
    }
    skip_blanks();
    const Word* unit = take_word(kUnits);
    if (!unit && !done()) {
      --at_;  // Slurm names the last place that it has understood
      return false;
    }
    offset = *count * (unit ? unit->value : 1);
    if (back) offset = -offset;
    return true;
  }

  std::optional<int64_t> take_digits(size_t least, size_t most) {
    size_t end = at_;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    if (end - at_ < least || end - at_ > most) return {};
    auto value = parse_uint(text_.substr(at_, end - at_));
    at_ = end;
    return static_cast<int64_t>(*value);
  }

  std::optional<int> take_bounded(size_t least, size_t most, int64_t low, int64_t high) {
    size_t start = at_;
    auto value = take_digits(least, most);
    if (value && *value >= low && *value <= high) return static_cast<int>(*value);
    at_ = start;
    return {};
  }

  bool read_number_form(Said& said) {
    size_t end = text_.find_first_not_of("0123456789", at_);
    size_t length = std::min(end, text_.size()) - at_;
    char next = end < text_.size() ? text_[end] : '\0';
    if (length <= 2 && next == ':') return read_time(said);
    if (length <= 2 && (next == '/' || next == '.')) return read_date(said, next);
    if (length == 4 && next == '-') return read_iso_date(said);
    if (length == 4 || length == 6) return read_compact_date(said, length == 6);
    return false;
  }

  bool read_time(Said& said) {
    auto hour = take_bounded(1, 2, 0, 23);
    if (!hour || !take(':')) return false;
    auto minute = take_bounded(2, 2, 0, 59);
    if (!minute) return false;
    int second = 0;
    if (take(':')) {
      auto value = take_bounded(2, 2, 0, 59);
      if (!value) return false;
      second = *value;
    }
    if (!read_half_of_day(*hour)) return false;
    said.seconds_of_day = *hour * 3600 + *minute * 60 + second;
    return true;
  }

  bool read_half_of_day(int& hour) {
    size_t start = at_;
    skip_blanks();
    bool morning = istarts_with(text_.substr(at_), "am");
    if (!morning && !istarts_with(text_.substr(at_), "pm")) {
      at_ = start;
      return true;
    }
    if (hour > 12) return false;
    at_ += 2;
    hour = hour % 12 + (morning ? 0 : 12);
    return true;
  }

  bool set_date(Said& said, std::optional<int> year, std::optional<int> month,
                std::optional<int> day) {
    if (!month || !day) return false;
    said.has_date = true;
    said.has_day = false;
    said.days_ahead = 0;
    said.year = year;
    said.month = *month;
    said.day = *day;
    return true;
  }

  bool read_date(Said& said, char separator) {
    auto month = take_bounded(1, 2, 1, 12);
    if (!month || !take(separator)) return false;
    auto day = take_bounded(1, 2, 1, 31);
    if (!day) return false;
    std::optional<int> year;
    if (take(separator)) {
      year = take_bounded(2, 2, 0, 99);
      if (!year) return false;
      year = *year + 2000;
    }
    return set_date(said, year, month, day);
  }

  bool read_iso_date(Said& said) {
    auto year = take_bounded(4, 4, 1, 9999);
    if (!year || !take('-')) return false;
    auto month = take_bounded(2, 2, 1, 12);
    if (!month || !take('-')) return false;
    return set_date(said, year, month, take_bounded(2, 2, 1, 31));
  }

  bool read_compact_date(Said& said, bool with_year) {
    auto two = [&](size_t index) {
      return (text_[at_ + index] - '0') * 10 + (text_[at_ + index + 1] - '0');
    };
    int month = two(0), day = two(2);
    if (month < 1 || month > 12 || day < 1 || day > 31) return false;
    std::optional<int> year;
    if (with_year) year = two(4) + 2000;
    at_ += with_year ? 6 : 4;
    return set_date(said, year, month, day);
  }

  std::string_view text_;
  size_t at_ = 0;
};

tm local_time(int64_t time) {
  time_t seconds = time;
  tm parts{};
  localtime_r(&seconds, &parts);
  return parts;
}

// mktime of a date and a time of day; days and months beyond their end flow over.
int64_t from_parts(int year, int month0, int day, int seconds_of_day) {
  tm parts{};
  parts.tm_year = year;
  parts.tm_mon = month0;
  parts.tm_mday = day;
  parts.tm_hour = seconds_of_day / 3600;
  parts.tm_min = seconds_of_day / 60 % 60;
  parts.tm_sec = seconds_of_day % 60;
  parts.tm_isdst = -1;
  return mktime(&parts);
}

int64_t resolve(const Said& said, int64_t now, bool past_allowed) {
  if (said.from_now) return now + *said.from_now;
  const tm today = local_time(now);
  int seconds = said.seconds_of_day.value_or(0);
  if (said.has_date) {
    int month0 = said.month - 1;
    if (said.year) return from_parts(*said.year - 1900, month0, said.day, seconds);
    int64_t time = from_parts(today.tm_year, month0, said.day, seconds);
    if (!past_allowed && time < now) {
      return from_parts(today.tm_year + 1, month0, said.day, seconds);
    }
    if (past_allowed && month0 > today.tm_mon) {
      return from_parts(today.tm_year - 1, month0, said.day, seconds);
    }
    return time;
  }
  int64_t time = from_parts(today.tm_year, today.tm_mon, today.tm_mday + said.days_ahead, seconds);
  if (said.has_day || past_allowed || time >= now) return time;
  return from_parts(today.tm_year, today.tm_mon, today.tm_mday + 1, seconds);
}

// Days since 1970 of a local date, for differences that daylight saving doesn't disturb.
int64_t day_number(tm parts) {
  parts.tm_hour = 0;
  parts.tm_min = 0;
  parts.tm_sec = 0;
  return timegm(&parts) / kDay;
}

const char* relative_format(const tm& parts, const tm& today) {
  int64_t ahead = day_number(parts) - day_number(today);
  if (ahead == 0) return "%H:%M:%S";
  if (ahead == 1) return "Tomorr %H:%M";
  if (ahead == -1) return "Ystday %H:%M";
  if (ahead > 1 && ahead < 7) return "%a %H:%M";
  return parts.tm_year == today.tm_year ? "%-d %b %H:%M" : "%-d %b %Y";
}

}  // namespace

Result<int64_t> parse_datetime(std::string_view text, int64_t now, bool past_allowed) {
  Said said;
  Reader reader(text);
  if (reader.read(said)) {
    int64_t time = resolve(said, now, past_allowed);
    if (time >= -kLatest && time <= kLatest) return time;
  }
  return fail(fmt::format("Invalid time specification (pos={}): {}", reader.position(), text));
}

std::string format_datetime(int64_t time) {
  tm parts = local_time(time);
  return fmt::format("{}-{:02}-{:02}T{:02}:{:02}:{:02}", int64_t{parts.tm_year} + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string format_datetime(int64_t time, std::string_view time_format, int64_t now) {
  if (time_format.empty() || time_format == "standard") return format_datetime(time);
  const tm parts = local_time(time);
  std::string format(time_format);
  if (time_format == "relative") format = relative_format(parts, local_time(now));
  std::array<char, 256> text;
  size_t length = std::strftime(text.data(), text.size(), format.c_str(), &parts);
  return length > 0 ? std::string(text.data(), length) : format_datetime(time);
}

}  // namespace grappe
