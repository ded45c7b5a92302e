#include "sim/formats.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>

#include "base/random.h"
#include "base/text.h"
#include "sim/stamp.h"

namespace grappe::sim {
namespace {

constexpr Time kHour = 3600, kDay = 24 * kHour;
constexpr Time kLadder[] = {kHour,    2 * kHour, 4 * kHour, 8 * kHour, 12 * kHour, kDay,
                            2 * kDay, 3 * kDay,  7 * kDay,  14 * kDay, 30 * kDay};

std::optional<int> number_at(std::string_view text, std::size_t from, std::size_t length) {
  auto number = parse_uint(text.substr(from, length), 9999);
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

}  // namespace

std::optional<Time> parse_stamp(std::string_view text) {
  constexpr std::string_view kForm = "yyyy-mm-dd?hh:mm:ss";
  if (text.size() != kForm.size() || (text[10] != 'T' && text[10] != ' ')) return std::nullopt;
  for (std::size_t i : {4u, 7u, 13u, 16u}) {
    if (text[i] != kForm[i]) return std::nullopt;
  }
  auto year = number_at(text, 0, 4), month = number_at(text, 5, 2), day = number_at(text, 8, 2);
  auto hour = number_at(text, 11, 2), minute = number_at(text, 14, 2),
       second = number_at(text, 17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(unsigned(*month)),
                                   std::chrono::day(unsigned(*day))};
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  Time days = std::chrono::sys_days(date).time_since_epoch().count();
  return days * kDay + *hour * kHour + *minute * 60 + *second;
}

Time usual_limit(uint64_t id, Time run) {
  // Users ask for two to eight times what they need, as often the one as the other.
  double generous = std::exp2(1 + 2 * Random(id).uniform()) * static_cast<double>(run);
  auto enough = std::find_if(std::begin(kLadder), std::end(kLadder),
                             [&](Time limit) { return static_cast<double>(limit) >= generous; });
  return enough == std::end(kLadder) ? std::max(run, *std::prev(enough)) : *enough;
}

std::unique_ptr<Format> format_of(std::string_view first_line) {
  std::string_view line = trim(first_line);
  if (line.find('|') != line.npos) return sacct_format();
  if (line.find("num_gpus") != line.npos) return gpu_list_format();
  bool swf = !line.empty() && (line.front() == ';' || is_digit(line.front()));
  return swf ? swf_format() : nullptr;
}

}  // namespace grappe::sim
