#include "base/gres_spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/memory_size.h"
#include "base/text.h"

namespace grappe {
namespace {

constexpr uint64_t kMaxCount = INT64_MAX;

auto bad_gres() {
  return fail("Invalid generic resource (gres) specification");
}
auto bad_tres() {
  return fail("Invalid Trackable RESource (TRES) specification");
}

// Names and types are parts of file names, environment variables and other lists.
bool is_name(std::string_view text) {
  auto allowed = [](char c) {
    char lower = to_lower(c);
    return is_digit(c) || (lower >= 'a' && lower <= 'z') || c == '_' || c == '-' || c == '.';
  };
  return !text.empty() && text[0] != '-' && std::all_of(text.begin(), text.end(), allowed);
}

std::optional<uint64_t> parse_count(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  auto value = parse_uint(text.substr(0, end), kMaxCount);
  uint64_t multiplier = suffix_multiplier(text.substr(end));
  if (!value || multiplier == 0 || *value > kMaxCount / multiplier) return {};
  return *value * multiplier;
}

// What follows the name: "", "2", "a100" or "a100:2".
Result<GresSpec> parse_rest(std::string_view name, const std::vector<std::string_view>& rest) {
  GresSpec spec{std::string(name), "", 1, false};
  if (!is_name(name) || rest.size() > 2) return bad_gres();
  if (rest.empty()) return spec;
  bool last_is_count = rest.size() == 2 || (!rest[0].empty() && is_digit(rest[0][0]));
  if (rest.size() == 2 || !last_is_count) {
    if (!is_name(rest[0])) return bad_gres();
    spec.type = rest[0];
  }
  if (last_is_count) {
    if (rest.back().empty()) return bad_gres();
    auto count = parse_count(rest.back());
    if (!count) return bad_tres();
    spec.count = *count;
    spec.count_given = true;
  }
  return spec;
}

template <class ParseItem>
Result<std::vector<GresSpec>> parse_list(std::string_view text, ParseItem parse_item) {
  std::vector<GresSpec> specs;
  if (text.empty()) return specs;
  for (std::string_view item : split(text, ',')) {
    if (item.empty()) return bad_tres();
    auto spec = parse_item(item);
    if (!spec) return tl::unexpected(spec.error());
    specs.push_back(std::move(*spec));
  }
  return specs;
}

}  // namespace

Result<std::vector<GresSpec>> parse_gres(std::string_view text) {
  if (iequals(text, "none")) return std::vector<GresSpec>{};
  return parse_list(text, [](std::string_view item) {
    auto parts = split(item, ':');
    if (parts.size() > 1 && parts[0] == "gres") parts.erase(parts.begin());
    std::string_view name = parts[0];
    parts.erase(parts.begin());
    return parse_rest(name, parts);
  });
}

Result<std::vector<GresSpec>> parse_gpus(std::string_view text) {
  return parse_list(text,
                    [](std::string_view item) { return parse_rest("gpu", split(item, ':')); });
}

void keep_last_of_each(std::vector<GresSpec>& specs) {
  for (size_t i = specs.size(); i-- > 0;) {
    const bool again = std::any_of(
        specs.begin() + static_cast<ptrdiff_t>(i) + 1, specs.end(), [&](const GresSpec& later) {
          return later.name == specs[i].name && later.type == specs[i].type;
        });
    if (again) specs.erase(specs.begin() + static_cast<ptrdiff_t>(i));
  }
}

std::string format_gres(std::span<const GresSpec> specs, std::string_view prefix) {
  std::string text;
  for (const GresSpec& spec : specs) {
    if (!text.empty()) text += ',';
    text.append(prefix).append(spec.name);
    if (!spec.type.empty()) text.append(":").append(spec.type);
    if (spec.count_given) text += fmt::format(":{}", spec.count);
  }
  return text;
}

}  // namespace grappe
