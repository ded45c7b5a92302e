#include "base/index_set.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"

namespace grappe {

Result<std::vector<uint32_t>> parse_index_set(std::string_view text, uint32_t max_value,
                                              size_t max_count) {
  auto refuse = [&](std::string_view item) {
    return fail(fmt::format("invalid number or range \"{}\" in \"{}\"", item, text));
  };
  std::vector<uint32_t> numbers;
  std::string_view body = trim(text);
  if (body.empty()) return numbers;
  for (std::string_view item : split(body, ',')) {
    size_t colon = item.find(':');
    std::string_view range = item.substr(0, colon);
    size_t dash = range.find('-');
    auto first = parse_uint(range.substr(0, dash), max_value);
    auto last = dash == range.npos ? first : parse_uint(range.substr(dash + 1), max_value);
    std::optional<uint64_t> step = 1;
    if (colon != item.npos) {
      step = dash == range.npos ? std::nullopt : parse_uint(item.substr(colon + 1), UINT32_MAX);
    }
    if (!first || !last || !step || *step == 0 || *last < *first) return refuse(item);
    if ((*last - *first) / *step >= max_count - numbers.size()) {
      return fail(fmt::format("more than {} numbers in \"{}\"", max_count, text));
    }
    for (uint64_t n = *first; n <= *last; n += *step) numbers.push_back(static_cast<uint32_t>(n));
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

std::string format_index_set(std::span<const uint32_t> numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size();) {
    size_t start = i++;
    while (i < numbers.size() && uint64_t{numbers[i]} == uint64_t{numbers[i - 1]} + 1) ++i;
    if (!text.empty()) text += ',';
    text += fmt::format("{}", numbers[start]);
    if (i - start > 1) text += fmt::format("-{}", numbers[i - 1]);
  }
  return text;
}

}  // namespace grappe
