#include "cli/format/column.h"

#include <algorithm>

#include "base/plain_text.h"
#include "base/text.h"

namespace grappe {
namespace {

// Reads "[.]digits" and returns what is left.
std::string_view read_size(std::string_view text, Column& column) {
  if (text.starts_with('.')) {
    column.right = true;
    text.remove_prefix(1);
  }
  // Blanks before the digits are skipped; without digits they are text of their own.
  size_t digits = text.find_first_not_of(' ');
  if (digits != std::string_view::npos && is_digit(text[digits])) text.remove_prefix(digits);
  while (!text.empty() && is_digit(text.front())) {
    column.width =
        std::min(column.width * 10 + static_cast<unsigned>(text.front() - '0'), kMaxWidth);
    text.remove_prefix(1);
  }
  return text;
}

Column letter_column(std::string_view token) {
  Column column;
  column.text = "%" + std::string(token);
  std::string_view rest = read_size(token, column);
  column.key = rest.substr(0, 1);
  column.suffix = rest.substr(column.key.size());
  return column;
}

Column name_column(std::string_view token) {
  Column column;
  size_t colon = token.find(':');
  column.key = token.substr(0, colon);
  if (colon == std::string_view::npos) {
    column.width = kDefaultNameWidth;
    return column;
  }
  column.suffix = read_size(token.substr(colon + 1), column);
  return column;
}

}  // namespace

Format parse_letter_format(std::string_view text) {
  Format format;
  size_t first = text.find('%');
  format.prefix = text.substr(0, first);
  if (first == std::string_view::npos) return format;
  for (std::string_view token : split_words(text.substr(first), "%")) {
    format.columns.push_back(letter_column(token));
  }
  return format;
}

Format parse_name_format(std::string_view text) {
  Format format;
  for (std::string_view token : split_words(text, ",")) {
    format.columns.push_back(name_column(token));
  }
  return format;
}

void finish_cell(std::string& line, size_t start, unsigned width, bool right, bool cut_right) {
  hide_control_characters(line, start);
  if (width == 0) return;
  // A value that is missing is not told by half.
  constexpr std::string_view kNull = "(null)";
  if (!right && width < kNull.size() && std::string_view(line).substr(start) == kNull) {
    line.resize(start);
  }
  size_t length = line.size() - start;
  if (length >= width) {
    if (!right || cut_right) line.resize(start + width);
  } else if (right) {
    line.insert(start, width - length, ' ');
  } else {
    line.append(width - length, ' ');
  }
}

}  // namespace grappe
