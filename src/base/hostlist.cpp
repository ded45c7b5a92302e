#include "base/hostlist.h"

#include <fmt/core.h>

#include <algorithm>
#include <compare>

#include "base/text.h"

namespace grappe {
namespace {

constexpr size_t kMaxNames = 100000;
constexpr size_t kMaxNameLength = 255;
constexpr uint64_t kMaxRange = 65536;  // Slurm's bound for one range
constexpr size_t kMaxDigits = 18;      // so that a number and its successor fit 64 bits
constexpr std::string_view kSeparators = ", \t\r\n";

struct Range {
  uint64_t low = 0;
  uint64_t high = 0;
  size_t width = 0;  // zero padded to this
};

// The pieces of "rack[1-2]-ib[0-1]": a text, and the ranges in the brackets after it.
struct Piece {
  std::string_view text;
  std::vector<Range> ranges;
};

// Why an expression is refused: a line to print before the message, empty if there is none.
using Refusal = std::string;

tl::expected<Range, Refusal> parse_range(std::string_view text) {
  auto refuse = [&](const char* why) {
    return tl::unexpected(fmt::format("_parse_single_range: {} `{}'", why, text));
  };
  size_t dash = text.find('-');
  std::string_view low_text = text.substr(0, dash);
  std::string_view high_text = dash == std::string_view::npos ? low_text : text.substr(dash + 1);
  auto low = parse_uint(low_text);
  auto high = parse_uint(high_text);
  bool fits = low_text.size() <= kMaxDigits && high_text.size() <= kMaxDigits;
  if (!low || !high || !fits || *high < *low) return refuse("Invalid range:");
  if (*high - *low >= kMaxRange) return refuse("Too many hosts in range");
  return Range{*low, *high, low_text.size()};
}

tl::expected<std::vector<Piece>, Refusal> parse_pieces(std::string_view item) {
  std::vector<Piece> pieces;
  while (!item.empty()) {
    size_t open = item.find('[');
    Piece piece{item.substr(0, open), {}};
    if (piece.text.find(']') != std::string_view::npos) return tl::unexpected(Refusal());
    if (open != std::string_view::npos) {
      size_t close = item.find(']', open);
      if (close == std::string_view::npos) return tl::unexpected(Refusal());
      for (std::string_view text : split(item.substr(open + 1, close - open - 1), ',')) {
        auto range = parse_range(text);
        if (!range) return tl::unexpected(range.error());
        piece.ranges.push_back(*range);
      }
      item.remove_prefix(close + 1);
    } else {
      // Slurm knows no text after the last bracket.
      if (!pieces.empty()) return tl::unexpected(Refusal());
      item = {};
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

size_t count_numbers(const Piece& piece) {
  size_t count = 0;
  for (const Range& range : piece.ranges) count += range.high - range.low + 1;
  return count;
}

// Appends to each stem each number of the piece. Slurm counts the last group fastest but among
// the groups before it the first one, hence `stems_inside`.
std::vector<std::string> extend(const std::vector<std::string>& stems, const Piece& piece,
                                bool stems_inside) {
  std::vector<std::string> numbers;
  for (const Range& range : piece.ranges) {
    for (uint64_t n = range.low; n <= range.high; ++n) {
      numbers.push_back(fmt::format("{}{:0{}}", piece.text, n, range.width));
    }
  }
  std::vector<std::string> names;
  names.reserve(stems.size() * numbers.size());
  if (stems_inside) {
    for (const auto& number : numbers) {
      for (const auto& stem : stems) names.push_back(stem + number);
    }
  } else {
    for (const auto& stem : stems) {
      for (const auto& number : numbers) names.push_back(stem + number);
    }
  }
  return names;
}

tl::expected<void, Refusal> expand_item(std::string_view item, std::vector<std::string>& names) {
  if (item.size() > kMaxNameLength && item.find('[') == std::string_view::npos) {
    return tl::unexpected(Refusal("a node name is too long"));
  }
  auto pieces = parse_pieces(item);
  if (!pieces) return tl::unexpected(pieces.error());
  size_t total = 1;
  size_t length = 0;
  for (const Piece& piece : *pieces) {
    length += piece.text.size() + (piece.ranges.empty() ? 0 : kMaxDigits);
    if (!piece.ranges.empty()) total *= count_numbers(piece);
    if (total + names.size() > kMaxNames) return tl::unexpected(Refusal("too many nodes"));
  }
  if (length > kMaxNameLength + kMaxDigits) {
    return tl::unexpected(Refusal("a node name is too long"));
  }
  std::vector<std::string> expanded{std::string()};
  for (const Piece& piece : *pieces) {
    if (piece.ranges.empty()) {
      expanded.front() += piece.text;
    } else {
      expanded = extend(expanded, piece, &piece != &pieces->back());
    }
  }
  std::move(expanded.begin(), expanded.end(), std::back_inserter(names));
  return {};
}

// The next item: up to a separator that is not inside brackets.
std::string_view take_item(std::string_view& rest) {
  bool inside = false;
  size_t end = 0;
  for (; end < rest.size(); ++end) {
    char c = rest[end];
    if (c == '[') inside = true;
    if (c == ']') inside = false;
    if (!inside && kSeparators.find(c) != std::string_view::npos) break;
  }
  std::string_view item = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return item;
}

struct HostName {
  std::string_view prefix;
  std::string_view digits;  // empty: the name ends in no number, or in one too long to count
  uint64_t number = 0;
};

HostName take_apart(std::string_view name) {
  size_t end = name.size();
  while (end > 0 && is_digit(name[end - 1])) --end;
  if (name.size() - end > kMaxDigits) end = name.size();
  HostName host{name.substr(0, end), name.substr(end)};
  host.number = parse_uint(host.digits).value_or(0);
  return host;
}

// `next` is the name after `last` if it is one greater and written with the padding of the range.
bool follows(const HostName& first, const HostName& last, const HostName& next) {
  if (next.digits.empty() || last.digits.empty() || next.prefix != last.prefix) return false;
  if (next.number != last.number + 1) return false;
  size_t natural = std::to_string(next.number).size();
  return next.digits.size() == std::max(first.digits.size(), natural);
}

size_t count_digits(std::string_view text) {
  return std::find_if_not(text.begin(), text.end(), is_digit) - text.begin();
}

// Numbers by value; one with a leading zero as text, which is what padding means for sorting.
std::strong_ordering number_order(std::string_view a, std::string_view b) {
  bool padded = a[0] == '0' || b[0] == '0';
  if (!padded && a.size() != b.size()) return a.size() <=> b.size();
  return a <=> b;
}

// As text, but runs of digits compare as numbers: "rack9-" < "rack10-".
std::strong_ordering natural_order(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    std::string_view x = a.substr(0, 1), y = b.substr(0, 1);
    if (is_digit(a[0]) && is_digit(b[0])) {
      x = a.substr(0, count_digits(a));
      y = b.substr(0, count_digits(b));
      if (auto order = number_order(x, y); order != 0) return order;
    } else if (x != y) {
      return x <=> y;
    }
    a.remove_prefix(x.size());
    b.remove_prefix(y.size());
  }
  return a.size() <=> b.size();
}

bool host_less(const HostName& a, const HostName& b) {
  if (auto order = natural_order(a.prefix, b.prefix); order != 0) return order < 0;
  if (a.digits.size() != b.digits.size()) return a.digits.size() < b.digits.size();
  return a.number < b.number;
}

std::string fold(const std::vector<HostName>& hosts) {
  std::string text;
  for (size_t i = 0; i < hosts.size();) {
    // One bracket takes every following name with the same prefix.
    std::string ranges;
    size_t start = i;
    while (i < hosts.size() &&
           (i == start || (hosts[i].prefix == hosts[start].prefix && !hosts[i].digits.empty() &&
                           !hosts[start].digits.empty()))) {
      const HostName& first = hosts[i++];
      const HostName* last = &first;
      while (i < hosts.size() && follows(first, *last, hosts[i])) last = &hosts[i++];
      if (!ranges.empty()) ranges += ',';
      ranges += first.digits;
      if (last != &first) ranges.append("-").append(last->digits);
    }
    if (!text.empty()) text += ',';
    text += hosts[start].prefix;
    text += i - start > 1 ? "[" + ranges + "]" : ranges;
  }
  return text;
}

std::vector<HostName> take_apart(const std::vector<std::string>& names) {
  std::vector<HostName> hosts;
  hosts.reserve(names.size());
  for (const std::string& name : names) hosts.push_back(take_apart(std::string_view(name)));
  return hosts;
}

}  // namespace

Result<std::vector<std::string>> expand_hostlist(std::string_view expression) {
  std::vector<std::string> names;
  std::string_view rest = expression;
  while (!rest.empty()) {
    std::string_view item = take_item(rest);
    if (item.empty()) continue;
    if (auto done = expand_item(item, names); !done) {
      Error error{0, fmt::format("Invalid hostlist: {}", expression), {}};
      if (!done.error().empty()) error.notes.push_back(done.error());
      return tl::unexpected(std::move(error));
    }
  }
  return names;
}

std::string fold_hostlist(const std::vector<std::string>& names) {
  return fold(take_apart(names));
}

std::string fold_sorted_hostlist(std::vector<std::string> names) {
  std::vector<HostName> hosts = take_apart(names);
  std::stable_sort(hosts.begin(), hosts.end(), host_less);
  return fold(hosts);
}

bool hostname_less(std::string_view a, std::string_view b) {
  return host_less(take_apart(a), take_apart(b));
}

}  // namespace grappe
