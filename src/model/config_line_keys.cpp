#include "model/config_line_keys.h"

#include <algorithm>

namespace grappe {

namespace {

constexpr std::size_t kLongestKey = 40;
constexpr int kMaxSuggestions = 10;

}  // namespace

void ConfigNotes::warn(const ConfigLine& line, std::string_view message) {
  warnings.push_back(fmt::format("{}: {}", line.place(), message));
}

void ConfigNotes::add_no_effect(const ConfigLine& line, std::string_view key,
                                std::string_view why) {
  if (std::find(no_effect_.begin(), no_effect_.end(), key) != no_effect_.end()) return;
  no_effect_.push_back(key);
  warn(line, fmt::format("{} has no effect: {}", key, why));
}

void ConfigNotes::add_unknown(const ConfigLine& line, std::string_view key,
                              std::span<const std::string_view> known) {
  std::string_view meant;
  if (key.size() <= kLongestKey && suggestions_++ < kMaxSuggestions) meant = closest(key, known);
  warn(line, fmt::format("unknown key {}{}", key,
                         meant.empty() ? "" : fmt::format(": did you mean {}?", meant)));
}

tl::unexpected<Error> fail_at(const ConfigLine& line, std::string_view message) {
  return fail(fmt::format("{}: {}", line.place(), message));
}

}  // namespace grappe
