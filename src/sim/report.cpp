#include "sim/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/duration.h"

namespace grappe::sim {
namespace {

std::string span(double seconds) {
  return format_duration_short(static_cast<int64_t>(seconds + 0.5));
}

std::string percent(double part) {
  return fmt::format("{:.1f} %", 100 * part);
}

std::string hours(const Run& run) {
  bool gpus = run.machine.gpus() > 0;
  return fmt::format("{:.1f}", gpus ? run.figures.gpu_hours : run.figures.cpu_hours);
}

// Users whose worst wait is more than a tenth longer than in the first run.
std::string worse_off(const Comparison& all, const Run& run) {
  const std::vector<UserFigures>& before = all.runs[0].figures.users;
  const std::vector<UserFigures>& now = run.figures.users;
  std::size_t worse = 0, users = 0;
  for (std::size_t u = 0; u < std::min(before.size(), now.size()); ++u) {
    users += now[u].jobs > 0;
    worse += 10 * now[u].worst_wait > 11 * before[u].worst_wait;
  }
  return fmt::format("{} of {}", worse, users);
}

}  // namespace

const std::vector<ReportRow>& report_rows() {
  using All = const Comparison&;
  using One = const Run&;
  static const std::vector<ReportRow> rows = {
      {"mean wait", "from submission to start",
       [](All, One r) { return span(r.figures.mean_wait); },
       [](One r) { return r.figures.mean_wait / 3600; }},
      {"median wait", "half of the jobs wait no longer",
       [](All, One r) { return span(double(r.figures.waits.quantile(0.5))); }},
      {"90 % wait at most", "nine of ten jobs wait no longer",
       [](All, One r) { return span(double(r.figures.waits.quantile(0.9))); }},
      {"worst wait", "of all jobs", [](All, One r) { return span(double(r.figures.worst_wait)); },
       [](One r) { return double(r.figures.worst_wait) / 3600; }},
      {"mean slowdown", "time in the system over time of the run, which counts as 10 s at least",
       [](All, One r) { return fmt::format("{:.2f}", r.figures.mean_slowdown); },
       [](One r) { return r.figures.mean_slowdown; }},
      {"utilisation", "of the machine, until the last job came",
       [](All, One r) { return percent(r.figures.utilisation); },
       [](One r) { return 100 * r.figures.utilisation; }},
      {"hours delivered", "of GPUs where there are any, else of CPUs, until the last job came",
       [](All, One r) { return hours(r); }},
      {"fairness", "of what each account was entitled to at each moment, the part it had",
       [](All, One r) { return percent(r.figures.fairness); },
       [](One r) { return 100 * r.figures.fairness; }},
      {"split over links", "jobs whose GPUs a group of links could hold and that are in several",
       [](All, One r) {
         return r.machine.has_links() ? fmt::format("{} of {}", r.figures.split, r.figures.linkable)
                                      : "-";
       }},
      {"users worse off", "their worst wait is more than 10 % longer than in the first column",
       worse_off},
      {"longest queue", "jobs that waited at the same time",
       [](All, One r) { return fmt::format("{}", r.figures.most_waiting); }},
      {"jobs", "that ran", [](All, One r) { return fmt::format("{}", r.figures.jobs); }},
      {"jobs refused", "too big for the machine",
       [](All, One r) { return fmt::format("{}", r.figures.refused); }},
  };
  return rows;
}

std::string text_report(const Comparison& comparison) {
  constexpr std::size_t kTitle = 18, kLeast = 12;
  std::vector<std::size_t> widths;
  std::string out = comparison.workload + "\n" + std::string(kTitle, ' ');
  for (const Run& run : comparison.runs) {
    widths.push_back(std::max(run.name.size(), kLeast));
    out += fmt::format("  {:>{}}", run.name, widths.back());
  }
  out += '\n';
  for (const ReportRow& row : report_rows()) {
    out += fmt::format("{:<{}}", row.title, kTitle);
    for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
      out += fmt::format("  {:>{}}", row.text(comparison, comparison.runs[i]), widths[i]);
    }
    out += '\n';
  }
  return out;
}

}  // namespace grappe::sim
