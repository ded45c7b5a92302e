#include "cli/format/timestamp.h"

#include <cstdlib>
#include <ctime>
#include <string_view>

namespace grappe {
namespace {

tm local_time(int64_t time) {
  time_t t = static_cast<time_t>(time);
  tm parts{};
  localtime_r(&t, &parts);
  return parts;
}

void append_strftime(std::string& out, const char* format, const tm& parts) {
  char buffer[256];
  out.append(buffer, strftime(buffer, sizeof buffer, format, &parts));
}

void append_digits(std::string& out, int value, int count) {
  char buffer[8];
  for (int i = count - 1; i >= 0; --i, value /= 10) buffer[i] = static_cast<char>('0' + value % 10);
  out.append(buffer, static_cast<size_t>(count));
}

// Days since an epoch that only differences of matter for.
int64_t day_number(const tm& parts) {
  tm noon = parts;
  noon.tm_hour = 12;
  noon.tm_min = noon.tm_sec = 0;
  noon.tm_isdst = 0;
  return timegm(&noon) / 86400;
}

}  // namespace

TimestampFormat::TimestampFormat(const char* format, int64_t now) : now_(now) {
  std::string_view name = format ? format : "";
  if (name.empty() || name == "standard") return;
  kind_ = name == "relative" ? Kind::kRelative : Kind::kCustom;
  custom_ = name;
}

TimestampFormat TimestampFormat::from_environment(int64_t now) {
  return TimestampFormat(std::getenv("SLURM_TIME_FORMAT"), now);
}

void TimestampFormat::append(std::string& out, int64_t time) const {
  if (kind_ == Kind::kRelative) return append_relative(out, time);
  tm parts = local_time(time);
  if (kind_ == Kind::kCustom) return append_strftime(out, custom_.c_str(), parts);
  append_digits(out, parts.tm_year + 1900, 4);
  out += '-';
  append_digits(out, parts.tm_mon + 1, 2);
  out += '-';
  append_digits(out, parts.tm_mday, 2);
  out += 'T';
  append_digits(out, parts.tm_hour, 2);
  out += ':';
  append_digits(out, parts.tm_min, 2);
  out += ':';
  append_digits(out, parts.tm_sec, 2);
}

void TimestampFormat::append_relative(std::string& out, int64_t time) const {
  tm parts = local_time(time);
  tm today = local_time(now_);
  int64_t days = day_number(parts) - day_number(today);
  if (days == 0) return append_strftime(out, "%H:%M:%S", parts);
  if (days == -1) return append_strftime(out, "Ystday %H:%M", parts);
  if (days == 1) return append_strftime(out, "Tomorr %H:%M", parts);
  if (days > 1 && days < 7) return append_strftime(out, "%a %H:%M", parts);
  if (parts.tm_year != today.tm_year) return append_strftime(out, "%-d %b %Y", parts);
  append_strftime(out, "%-d %b %H:%M", parts);
}

void append_date_line(std::string& out, int64_t now) {
  tm parts = local_time(now);
  append_strftime(out, "%a %b %e %H:%M:%S %Y\n", parts);
}

}  // namespace grappe
