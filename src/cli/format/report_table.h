// The tables of the accounting commands (sacct, sacctmgr, sreport, sshare, sstat): a line of
// titles, a line of dashes, cells that are cut with a "+"; or the same cells between bars, for
// programs.
//
//   -o "jobid%5,state%-20,time"     a name or the beginning of one, its width; "-": to the left
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace grappe {

// What happens to a value that is wider than its column.
enum class Overflow {
  kMark,   // a text is cut, and ends in "+"
  kCut,    // so is a moment, without a mark: "start%10" is the day
  kWhole,  // a number and a span of time are shown all the same
};

struct ReportColumn {
  std::string title;
  int width;  // below zero: to the left
  Overflow overflow = Overflow::kMark;
};

struct ReportStyle {
  enum Kind { kTable, kBars, kBarsBetween };  // -p ends each line with a bar, -P does not
  Kind kind = kTable;
  std::string delimiter = "|";
};

// One word of a format. Without a width the column's own is taken.
struct ReportWord {
  std::string name;
  bool has_width = false;
  int width = 0;

  // A width of 0 is none, except to sacct.
  int width_or(int own) const { return width ? width : own; }
};
std::vector<ReportWord> parse_report_format(std::string_view text);
// As sacct and sstat read it: blanks before a name do not count, and nothing after an empty one.
std::vector<ReportWord> parse_record_format(std::string_view text);

// The first of `count` names that begins with what was typed, in any case; -1: none.
int find_report_field(std::string_view typed, size_t count,
                      const std::function<std::string_view(size_t)>& name);

void append_report_titles(std::string& out, const std::vector<ReportColumn>& columns,
                          const ReportStyle& style);
void append_report_row(std::string& out, const std::vector<ReportColumn>& columns,
                       const std::vector<std::string>& values, const ReportStyle& style);

}  // namespace grappe
