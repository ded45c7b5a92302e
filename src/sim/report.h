// Several runs of one workload side by side, as text and as a page.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/metrics.h"

namespace grappe::sim {

struct Run {
  std::string name;  // "easy", "easy, 4 GPUs more"
  Machine machine;
  Figures figures;
};

struct Comparison {
  std::string workload;  // "KTH-SP2.swf.gz", "10000 made-up jobs, seed 1"
  const People* people = nullptr;
  std::vector<Run> runs;
};

// One line of the table.
struct ReportRow {
  std::string_view title;
  std::string_view explained;
  std::string (*text)(const Comparison& all, const Run& run);
  double (*value)(const Run& run) = nullptr;  // for a plot; null: none
};
const std::vector<ReportRow>& report_rows();

std::string text_report(const Comparison& comparison);

// One file that needs no other: plots as SVG, light or dark as the reader's system is, and the
// numbers as tables for those who don't see the plots.
std::string html_report(const Comparison& comparison);

}  // namespace grappe::sim
