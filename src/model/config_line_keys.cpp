#include "model/config_line_keys.h"

namespace grappe {

namespace {

constexpr std::size_t kLongestKey = 40;
constexpr int kMaxSuggestions = 10;

}  // namespace

void ConfigNotes::warn(const ConfigLine& line, std::string_view message) {
  warnings.push_back(fmt::format("{}: {}", line.place(), message));
}

void ConfigNotes::add_no_effect(const ConfigLine& line, std::string_view key) {
  const std::string start = fmt::format("{} (", key);
  for (const std::string& known : no_effect) {
    if (known.starts_with(start)) return;
  }
  no_effect.push_back(fmt::format("{}{})", start, line.place()));
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
