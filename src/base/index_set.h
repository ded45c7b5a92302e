// Sets of small numbers in the notation of CPU and device lists: "0-3,5,9-13:2".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace grappe {

// The numbers in ascending order, each once; blanks around the text don't count and an empty text
// is the empty set. "a-b:s" takes every s-th. Refused are numbers above `max_value`, backward
// ranges, and sets of more than `max_count` numbers.
Result<std::vector<uint32_t>> parse_index_set(std::string_view text, uint32_t max_value,
                                              size_t max_count);

// Numbers that count up fold into a range: "0-3,5". The order is that of `numbers`.
std::string format_index_set(std::span<const uint32_t> numbers);

}  // namespace grappe
