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

struct ReportColumn {
  std::string title;
  int width;  // below zero: to the left
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
};
std::vector<ReportWord> parse_report_format(std::string_view text);

// The first of `count` names that begins with what was typed, in any case; -1: none.
int find_report_field(std::string_view typed, size_t count,
                      const std::function<std::string_view(size_t)>& name);

void append_report_titles(std::string& out, const std::vector<ReportColumn>& columns,
                          const ReportStyle& style);
void append_report_row(std::string& out, const std::vector<ReportColumn>& columns,
                       const std::vector<std::string>& values, const ReportStyle& style);

}  // namespace grappe
