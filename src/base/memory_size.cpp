#include "base/memory_size.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

#include "base/text.h"

namespace grappe {
namespace {

constexpr std::string_view kUnitLetters = "KMGTP";
constexpr double kLargestExact = 9007199254740992.0;  // 2^53: whole numbers are exact up to here

std::string with_unit(double value, int unit) {
  // 6 and beyond have no letter; Slurm writes a question mark.
  std::string letter;
  if (unit > 0) {
    letter = unit <= static_cast<int>(kUnitLetters.size()) ? kUnitLetters[unit - 1] : '?';
  }
  bool whole = value >= 0 && value < 18446744073709551616.0 && std::floor(value) == value;
  return whole ? fmt::format("{}{}", static_cast<uint64_t>(value), letter)
               : fmt::format("{:.2f}{}", value, letter);
}

// Whether the next greater unit shows the same amount in a whole or a half number.
bool divides(double value, uint32_t divisor) {
  return value < kLargestExact && static_cast<uint64_t>(value) % (divisor / 2) == 0;
}

}  // namespace

Result<uint64_t> parse_megabytes(std::string_view text) {
  auto refuse = [&] { return fail(fmt::format("invalid memory size \"{}\"", text)); };
  size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  auto value = parse_uint(text.substr(0, end));
  std::string_view suffix = text.substr(end);
  if (!value || suffix.size() > 2) return refuse();
  if (suffix.size() == 2 && to_lower(suffix[1]) != 'b') return refuse();
  constexpr uint64_t kMost = UINT64_MAX >> 20;  // cgroup limits are bytes: they must fit too
  uint64_t factor = 1;
  switch (suffix.empty() ? 'm' : to_lower(suffix[0])) {
    case 'k':
      *value = *value / 1024 + (*value % 1024 != 0 ? 1 : 0);
      break;
    case 'm':
      break;
    case 'g':
      factor = 1024;
      break;
    case 't':
      factor = 1024 * 1024;
      break;
    default:
      return refuse();
  }
  if (*value > kMost / factor) return refuse();
  return *value * factor;
}

uint64_t suffix_multiplier(std::string_view suffix) {
  if (suffix.empty()) return 1;
  size_t power = kUnitLetters.find(static_cast<char>(to_lower(suffix[0]) - 'a' + 'A'));
  if (power == std::string_view::npos) return 0;
  uint64_t base = 0;
  if (suffix.size() == 1 || iequals(suffix.substr(1), "ib")) base = 1024;
  if (suffix.size() == 2 && to_lower(suffix[1]) == 'b') base = 1000;
  uint64_t multiplier = base;
  for (size_t i = 0; i < power; ++i) multiplier *= base;
  return multiplier;
}

std::string convert_units(double value, Unit from, Shorten how, uint32_t divisor) {
  if (value > -1 && value < 1) return "0";
  int unit = static_cast<int>(from);
  while (value >= divisor) {
    if (how == Shorten::kNever || how == Shorten::kRaw) break;
    if (how == Shorten::kExact && !divides(value, divisor)) break;
    value /= divisor;
    ++unit;
  }
  return with_unit(value, how == Shorten::kRaw ? 0 : unit);
}

std::string convert_units_to(double value, Unit from, Unit to, uint32_t divisor) {
  if (value > -1 && value < 1) return "0";
  int steps = static_cast<int>(to) - static_cast<int>(from);
  return with_unit(value * std::pow(divisor, -steps), static_cast<int>(to));
}

std::string format_megabytes(uint64_t megabytes) {
  return convert_units(static_cast<double>(megabytes), Unit::kMega, Shorten::kExact);
}

}  // namespace grappe
