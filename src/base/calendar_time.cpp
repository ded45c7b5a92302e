#include "base/calendar_time.h"

#include <ctime>
#include <optional>

#include "base/text.h"

namespace grappe {
namespace {

struct Unit {
  std::string_view name;
  int64_t seconds;
};
// Any prefix of a name counts, down to its first letters ("min", "h").
constexpr Unit kUnits[] = {
    {"seconds", 1}, {"minutes", 60}, {"hours", 3600}, {"days", 86400}, {"weeks", 604800}};

struct NamedHour {
  std::string_view name;
  int hour;
};
constexpr NamedHour kNamedHours[] = {{"midnight", 0}, {"noon", 12}, {"fika", 15}, {"teatime", 16}};

// What has been read so far; absent parts are completed at the end.
struct Moment {
  std::optional<int> year, month, day;
  std::optional<int> hour, minute, second;
  std::optional<int64_t> absolute;
  int add_days = 0;
  bool day_named = false;  // today, tomorrow
};

class Reader {
 public:
  Reader(std::string_view text, int64_t now) : text_(text), now_(now) {}

  bool read(Moment& moment) {
    while (at_ < text_.size()) {
      if (text_[at_] == ' ' || text_[at_] == '\t') {
        ++at_;
        continue;
      }
      start_ = at_;
      bool ok = is_digit(text_[at_]) ? read_number(moment) : read_word(moment);
      if (!ok) return false;
    }
    return !text_.empty();
  }

  size_t failed_at() const { return start_; }

 private:
  bool more() const { return at_ < text_.size(); }
  char peek() const { return more() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    if (!istarts_with(text_.substr(at_), word)) return false;
    at_ += word.size();
    return true;
  }
  std::string_view digits() {
    size_t from = at_;
    while (is_digit(peek())) ++at_;
    return text_.substr(from, at_ - from);
  }
  std::optional<int> small_number(int min, int max) {
    std::string_view d = digits();
    if (d.empty() || d.size() > 4) return std::nullopt;
    auto n = parse_uint(d, static_cast<uint64_t>(max));
    if (!n || static_cast<int>(*n) < min) return std::nullopt;
    return static_cast<int>(*n);
  }

  bool read_word(Moment& m) {
    if (take_word("now")) return read_offset(m);
    if (take_word("today")) return m.day_named = true;
    if (take_word("tomorrow")) {
      m.add_days = 1;
      return m.day_named = true;
    }
    if (take_word("uts")) {
      auto n = parse_uint(digits(), INT64_MAX);
      if (!n) return false;
      m.absolute = static_cast<int64_t>(*n);
      return true;
    }
    for (const NamedHour& named : kNamedHours) {
      if (take_word(named.name)) {
        m.hour = named.hour;
        return true;
      }
    }
    return false;
  }

  // After "now": nothing, or "+ 2 hours".
  bool read_offset(Moment& m) {
    m.absolute = now_;
    while (peek() == ' ') ++at_;
    int sign = take('+') ? 1 : take('-') ? -1 : 0;
    if (sign == 0) return true;
    while (peek() == ' ') ++at_;
    start_ = at_;
    auto n = parse_uint(digits(), 100ull * 366 * 86400);
    if (!n) return false;
    while (peek() == ' ') ++at_;
    size_t from = at_;
    while (more() && peek() != ' ') ++at_;
    std::string_view word = text_.substr(from, at_ - from);
    int64_t unit = word.empty() ? 1 : 0;
    for (const Unit& u : kUnits) {
      if (!word.empty() && istarts_with(u.name, word)) unit = u.seconds;
    }
    if (unit == 0) return false;
    m.absolute = now_ + sign * static_cast<int64_t>(*n) * unit;
    return true;
  }

  bool read_number(Moment& m) {
    size_t from = at_;
    size_t count = digits().size();
    char after = peek();
    at_ = from;
    if (after == ':') return read_clock(m);
    if (after == '-') return read_iso_date(m);
    if (after == '/' || after == '.') return read_us_date(m, after);
    if (count == 6) return read_packed_date(m);
    return read_clock(m);
  }

  // HH[:MM[:SS]][AM|PM]
  bool read_clock(Moment& m) {
    auto hour = small_number(0, 23);
    if (!hour) return false;
    bool minutes = take(':');
    m.minute = minutes ? small_number(0, 59) : 0;
    m.second = 0;
    if (m.minute && minutes && take(':')) m.second = small_number(0, 59);
    if (!m.minute || !m.second) return false;
    while (peek() == ' ') ++at_;
    bool am = take_word("am"), pm = !am && take_word("pm");
    if ((am || pm) && (*hour < 1 || *hour > 12)) return false;
    if (!minutes && !am && !pm) return false;
    if (am && *hour == 12) hour = 0;
    if (pm && *hour < 12) hour = *hour + 12;
    m.hour = hour;
    return true;
  }

  bool read_iso_date(Moment& m) {
    m.year = small_number(1970, 9999);
    if (!m.year || !take('-')) return false;
    m.month = small_number(1, 12);
    if (!m.month || !take('-')) return false;
    m.day = small_number(1, 31);
    if (!m.day) return false;
    if (take('T') || take('t')) return read_clock(m);
    return true;
  }

  bool read_us_date(Moment& m, char separator) {
    m.month = small_number(1, 12);
    if (!m.month || !take(separator)) return false;
    m.day = small_number(1, 31);
    if (!m.day) return false;
    if (!take(separator)) return true;
    auto year = small_number(0, 9999);
    if (!year) return false;
    m.year = *year < 100 ? 2000 + *year : *year;
    return true;
  }

  bool read_packed_date(Moment& m) {
    auto n = parse_uint(digits());
    if (!n) return false;
    m.month = static_cast<int>(*n / 10000);
    m.day = static_cast<int>(*n / 100 % 100);
    m.year = 2000 + static_cast<int>(*n % 100);
    return *m.month >= 1 && *m.month <= 12 && *m.day >= 1 && *m.day <= 31;
  }

  std::string_view text_;
  int64_t now_;
  size_t at_ = 0;
  size_t start_ = 0;
};

int64_t complete(const Moment& m, int64_t now, Completion completion) {
  if (m.absolute && !m.hour && !m.month) return *m.absolute;
  std::time_t start = now;
  std::tm today{};
  localtime_r(&start, &today);
  std::tm t = today;
  t.tm_isdst = -1;
  t.tm_hour = m.hour.value_or(0);
  t.tm_min = m.minute.value_or(0);
  t.tm_sec = m.second.value_or(0);
  if (m.month) {
    t.tm_mon = *m.month - 1;
    t.tm_mday = *m.day;
    if (m.year) t.tm_year = *m.year - 1900;
  }
  t.tm_mday += m.add_days;
  std::tm again = t;
  int64_t when = std::mktime(&t);
  if (completion == Completion::kFuture && when < now) {
    if (m.month && !m.year) {
      ++again.tm_year;
    } else if (!m.month && !m.day_named) {
      ++again.tm_mday;
    } else {
      return when;
    }
    when = std::mktime(&again);
  }
  return when;
}

}  // namespace

Result<int64_t> parse_calendar_time(std::string_view text, int64_t now, Completion completion) {
  Reader reader(text, now);
  Moment moment;
  if (!reader.read(moment)) {
    return fail("Invalid time specification (pos=" + std::to_string(reader.failed_at()) +
                "): " + std::string(text));
  }
  return complete(moment, now, completion);
}

std::string format_calendar_time(int64_t seconds) {
  std::time_t when = seconds;
  std::tm t{};
  localtime_r(&when, &t);
  char buffer[64];
  size_t n = std::strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%S", &t);
  return std::string(buffer, n);
}

}  // namespace grappe
