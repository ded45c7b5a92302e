// Small text tools that the parsers of this folder and the commands share.
//
// Parsers of numbers are strict: digits only, no blanks, no sign where none is meant, and a value
// outside the bounds is a failure, never a wrapped number.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace grappe {

// "a,,b" -> {"a", "", "b"}; "" -> {""}. The views point into `text`.
std::vector<std::string_view> split(std::string_view text, char separator);

// Fields between any of `separators`, leaving out empty ones: (" a  b ", " ") -> {"a", "b"}.
std::vector<std::string_view> split_words(std::string_view text, std::string_view separators);

std::string join(std::span<const std::string> parts, std::string_view separator);

// Without blanks, tabs and line ends at both ends.
std::string_view trim(std::string_view text);

// ASCII only: names of options, states and partitions have no other letters.
char to_lower(char c);
std::string to_lower(std::string_view text);
bool is_digit(char c);
bool iequals(std::string_view a, std::string_view b);
bool istarts_with(std::string_view text, std::string_view prefix);

// Decimal digits only; nothing when empty, malformed or greater than `max`.
std::optional<uint64_t> parse_uint(std::string_view text, uint64_t max = UINT64_MAX);

// The same with an optional leading '-', and within [min, max].
std::optional<int64_t> parse_int(std::string_view text, int64_t min = INT64_MIN,
                                 int64_t max = INT64_MAX);

// How many letters must be inserted, removed, replaced or swapped with their neighbour.
size_t edit_distance(std::string_view a, std::string_view b);

// The candidate that a misspelt `name` most likely meant, for "did you mean"; empty when none is
// near enough (a third of the letters, at least one) to be more help than noise.
std::string_view closest(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace grappe
