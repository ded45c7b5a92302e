// A report: its head and its columns, chosen by format= or by default.
#pragma once

#include <algorithm>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "cli/sreport/session.h"

namespace grappe::sreport {

// A column that a report with lines of type Line can show.
template <class Line>
struct Field {
  std::string_view name;
  size_t shortest;  // so many letters of the name are enough in format=
  std::string_view title;
  int width;
  std::string (*value)(const Line& line, const Session& session);
  // Of a time: as wide as its seconds would be, and wider with percents.
  std::optional<uint64_t> (*seconds)(const Line& line) = nullptr;
};

// The lines above a table: the title, and in which units the times are.
void append_head(std::string& out, const Session& session, const std::string& title,
                 const std::string& units);
// "Usage reported in CPU Minutes"; a percentage has no unit.
std::string usage_units(const Session& session, std::string_view of);

int time_width(const Session& session, int width);

// A name that is none is said, and left out.
template <class Line>
void choose_fields(Session& session, std::span<const Field<Line>> fields, std::string_view format,
                   std::vector<const Field<Line>*>& chosen, std::vector<ReportColumn>& columns) {
  for (const ReportWord& word : parse_report_format(format)) {
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const Field<Line>& f) {
      return word.name.size() >= f.shortest && istarts_with(f.name, word.name);
    });
    if (field == fields.end()) {
      session.exit_code = 1;
      std::fprintf(stderr, " Unknown field '%s'\n", word.name.c_str());
      continue;
    }
    const int width = field->seconds ? time_width(session, field->width) : field->width;
    chosen.push_back(&*field);
    columns.push_back({std::string(field->title), word.width_or(width)});
  }
}

// Appends titles and lines; times are never cut.
template <class Line>
void append_table(std::string& out, Session& session, std::span<const Field<Line>> fields,
                  std::string_view format, const std::vector<Line>& lines) {
  std::vector<const Field<Line>*> chosen;
  std::vector<ReportColumn> columns;
  choose_fields(session, fields, format, chosen, columns);
  std::vector<std::vector<std::string>> rows;
  for (const Line& line : lines) {
    std::vector<std::string>& row = rows.emplace_back();
    for (size_t i = 0; i < chosen.size(); ++i) {
      row.push_back(chosen[i]->value(line, session));
      if (!chosen[i]->seconds) continue;
      const auto digits =
          static_cast<int>(std::to_string(chosen[i]->seconds(line).value_or(0)).size());
      columns[i].width = std::max(columns[i].width, time_width(session, digits));
    }
  }
  if (!session.no_header) append_report_titles(out, columns, session.style);
  for (const auto& row : rows) append_report_row(out, columns, row, session.style);
}

}  // namespace grappe::sreport
