#include "cli/format/report_table.h"

#include <algorithm>
#include <cstdlib>

#include "base/text.h"

namespace grappe {
namespace {

// A number from a command line: a wider column than this nobody reads.
constexpr int kWidestColumn = 65536;

std::string fitted(std::string_view value, size_t room, Overflow overflow) {
  if (value.size() <= room || overflow == Overflow::kWhole) return std::string(value);
  if (room == 0 || overflow == Overflow::kCut) return std::string(value.substr(0, room));
  return std::string(value.substr(0, room - 1)) + "+";
}

void append_cell(std::string& out, std::string_view value, int width, Overflow overflow) {
  const auto room = static_cast<size_t>(std::abs(width));
  const std::string shown = fitted(value, room, overflow);
  const std::string padding(room > shown.size() ? room - shown.size() : 0, ' ');
  out += width < 0 ? shown + padding : padding + shown;
  out += ' ';
}

void append_bars(std::string& out, const std::vector<std::string>& values,
                 const ReportStyle& style) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (i) out += style.delimiter;
    out += values[i];
  }
  if (style.kind == ReportStyle::kBars) out += style.delimiter;
  out += '\n';
}

}  // namespace

std::vector<ReportWord> parse_report_format(std::string_view text) {
  std::vector<ReportWord> words;
  for (std::string_view part : split_words(text, ",")) {
    ReportWord word;
    const size_t percent = part.find('%');
    word.name = std::string(part.substr(0, percent));
    if (percent != std::string_view::npos) {
      const std::string number(part.substr(percent + 1));
      word.has_width = true;
      word.width = static_cast<int>(std::clamp<long>(std::strtol(number.c_str(), nullptr, 10),
                                                     -kWidestColumn, kWidestColumn));
    }
    if (!word.name.empty()) words.push_back(std::move(word));
  }
  return words;
}

std::vector<ReportWord> parse_record_format(std::string_view text) {
  std::string kept;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    std::string_view word = text.substr(0, comma);
    word.remove_prefix(std::min(word.find_first_not_of(" \t\n"), word.size()));
    if (word.empty()) break;
    kept.append(word).append(",");
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parse_report_format(kept);
}

int find_report_field(std::string_view typed, size_t count,
                      const std::function<std::string_view(size_t)>& name) {
  for (size_t i = 0; i < count; ++i) {
    if (iequals(name(i).substr(0, typed.size()), typed)) return static_cast<int>(i);
  }
  return -1;
}

void append_report_titles(std::string& out, const std::vector<ReportColumn>& columns,
                          const ReportStyle& style) {
  if (style.kind != ReportStyle::kTable) {
    std::vector<std::string> titles;
    for (const ReportColumn& column : columns) titles.push_back(column.title);
    return append_bars(out, titles, style);
  }
  for (const ReportColumn& column : columns) {
    append_cell(out, column.title, column.width, Overflow::kCut);
  }
  out += '\n';
  for (const ReportColumn& column : columns) {
    out.append(static_cast<size_t>(std::abs(column.width)), '-');
    out += ' ';
  }
  out += '\n';
}

void append_report_row(std::string& out, const std::vector<ReportColumn>& columns,
                       const std::vector<std::string>& values, const ReportStyle& style) {
  if (style.kind != ReportStyle::kTable) return append_bars(out, values, style);
  for (size_t i = 0; i < columns.size(); ++i) {
    append_cell(out, values[i], columns[i].width, columns[i].overflow);
  }
  out += '\n';
}

}  // namespace grappe
