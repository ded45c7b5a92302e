#include "cli/when/score_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/duration.h"

namespace grappe {
namespace {

double error_part(const v1::ScoreRow& row) {
  return row.mean_wait() > 0 ? row.mean_error() / row.mean_wait() : 0;
}

std::string duration(double seconds) {
  return format_duration(static_cast<int64_t>(seconds + 0.5));
}

std::string score_line(const v1::ScoreRow& row, const std::string& name, size_t width) {
  if (row.forecasts() == 0) {
    return fmt::format("{:<{}} {:>9} {:>8} {:>12} {:>12} {:>10} {:>12}\n", name, width, 0,
                       row.open(), "-", "-", "-", "-");
  }
  return fmt::format("{:<{}} {:>9} {:>8} {:>12} {:>12} {:>10.2f} {:>10.1f} %\n", name, width,
                     row.forecasts(), row.open(), duration(row.mean_wait()),
                     duration(row.mean_error()), error_part(row), 100 * row.covered());
}

}  // namespace

std::string score_text(const v1::ScoreResponse& scores, bool parsable) {
  if (parsable) {
    std::string out = "Name|Forecasts|Waiting|MeanWait|MeanError|ErrorPart|WithinBound\n";
    for (const v1::ScoreRow& row : scores.rows()) {
      out += fmt::format("{}|{}|{}|{:.1f}|{:.1f}|{:.3f}|{:.3f}\n", row.name(), row.forecasts(),
                         row.open(), row.mean_wait(), row.mean_error(), error_part(row),
                         row.covered());
    }
    return out;
  }
  size_t width = 3;
  for (const v1::ScoreRow& row : scores.rows()) width = std::max(width, row.name().size());
  std::string out =
      fmt::format("{:<{}} {:>9} {:>8} {:>12} {:>12} {:>10} {:>12}\n", "", width, "Forecasts",
                  "Waiting", "MeanWait", "MeanError", "Error/Wait", "WithinBound");
  for (const v1::ScoreRow& row : scores.rows()) {
    out += score_line(row, row.name().empty() ? "all" : row.name(), width);
  }
  return out;
}

}  // namespace grappe
