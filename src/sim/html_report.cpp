#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/report.h"
#include "sim/svg.h"

namespace grappe::sim {
namespace {

constexpr std::string_view kStyle =
    R"(:root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--soft:#d5d9de;
--c0:#0b62a8;--c1:#b3490b;--c2:#1f7a4d;--c3:#7a3e9d;--c4:#8a6d00;--c5:#a32046}
@media(prefers-color-scheme:dark){:root{--back:#14171b;--text:#e8eaed;--soft:#3a4048;
--c0:#6cb2f0;--c1:#f0a06c;--c2:#6fd0a0;--c3:#c79be6;--c4:#dcc25c;--c5:#f08aa6}}
body{background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.25rem .8rem;text-align:right;border-bottom:1px solid var(--soft)}
th:first-child{text-align:left}caption{text-align:left;font-weight:600;padding:.3rem 0}
.scroll{overflow-x:auto}svg{width:100%;height:auto}svg text{fill:var(--text);font-size:13px}
.grid{stroke:var(--soft);fill:none}.line{fill:none;stroke-width:2.2}
.c0{fill:var(--c0)}.c1{fill:var(--c1)}.c2{fill:var(--c2)}.c3{fill:var(--c3)}.c4{fill:var(--c4)}.c5{fill:var(--c5)}
.s0{stroke:var(--c0)}.s1{stroke:var(--c1);stroke-dasharray:8 3}.s2{stroke:var(--c2);stroke-dasharray:2 3}
.s3{stroke:var(--c3);stroke-dasharray:12 3 2 3}.s4{stroke:var(--c4);stroke-dasharray:5 5}.s5{stroke:var(--c5);stroke-dasharray:1 4})";

std::string numbers_table(const Comparison& all) {
  std::string out =
      "<div class=\"scroll\"><table><caption>Side by side</caption><thead><tr><th "
      "scope=\"col\"></th>";
  for (const Run& run : all.runs) out += "<th scope=\"col\">" + escaped(run.name) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (const ReportRow& row : report_rows()) {
    out += fmt::format("<tr><th scope=\"row\" title=\"{}\">{}</th>", escaped(row.explained),
                       escaped(row.title));
    for (const Run& run : all.runs) out += "<td>" + escaped(row.text(all, run)) + "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string bars(const Comparison& all) {
  std::string out;
  for (const ReportRow& row : report_rows()) {
    if (!row.value) continue;
    std::vector<Bar> list;
    for (const Run& run : all.runs) list.push_back({run.name, row.value(run), row.text(all, run)});
    out += fmt::format("<h2>{}</h2><p>{}</p>\n", escaped(row.title), escaped(row.explained));
    out += bar_plot(row.title, list);
  }
  return out;
}

// The part of jobs that have started after so long; the time grows by factors.
std::string wait_curves(const Comparison& all) {
  constexpr double kFrom = 10, kTo = 1e6;
  const double decades = std::log(kTo / kFrom);
  auto place = [&](double seconds) { return std::log(seconds / kFrom) / decades; };
  std::vector<Curve> curves;
  for (const Run& run : all.runs) {
    Curve curve{run.name, {}};
    for (int i = 0; i <= 120; ++i) {
      double part = i / 120.0;
      auto seconds = static_cast<Time>(kFrom * std::exp(decades * part));
      curve.points.emplace_back(part, run.figures.waits.part_up_to(seconds));
    }
    curves.push_back(std::move(curve));
  }
  std::vector<Tick> across = {{place(10), "10 s"},      {place(60), "1 min"},
                              {place(600), "10 min"},   {place(3600), "1 h"},
                              {place(14400), "4 h"},    {place(86400), "1 day"},
                              {place(604800), "1 week"}};
  std::vector<Tick> up = {{0, "0 %"}, {0.25, "25 %"}, {0.5, "50 %"}, {0.75, "75 %"}, {1, "100 %"}};
  return "<h2>How long jobs wait</h2><p>The part of all jobs that has started after so "
         "long.</p>\n" +
         curve_plot("The part of all jobs that has started after so long", curves, across, up);
}

// The accounts that were entitled to most, with the part of it that they had in each run.
std::string accounts_table(const Comparison& all) {
  constexpr std::size_t kShown = 20;
  const std::vector<AccountFigures>& first = all.runs[0].figures.accounts;
  std::vector<uint32_t> order(first.size());
  std::iota(order.begin(), order.end(), 0u);
  auto more = [&](uint32_t a, uint32_t b) { return first[a].entitled > first[b].entitled; };
  std::stable_sort(order.begin(), order.end(), more);
  order.resize(std::min(order.size(), kShown));
  std::string out =
      "<div class=\"scroll\"><table><caption>Of what each account was entitled to, the part it "
      "had</caption>"
      "<thead><tr><th scope=\"col\">account</th><th scope=\"col\">used, hours</th>";
  for (const Run& run : all.runs) out += "<th scope=\"col\">" + escaped(run.name) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (uint32_t account : order) {
    out += fmt::format("<tr><th scope=\"row\">{}</th><td>{:.0f}</td>",
                       escaped(all.people->accounts.name(account)), first[account].used / 3600);
    for (const Run& run : all.runs) {
      const auto& figures = run.figures.accounts;
      AccountFigures a = account < figures.size() ? figures[account] : AccountFigures{};
      double part = a.entitled > 0 ? 1 - a.missing / a.entitled : 1;
      out += fmt::format("<td>{:.1f} %</td>", 100 * part);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace

std::string html_report(const Comparison& all) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\"><title>Simulation: ";
  out += escaped(all.workload) + "</title><style>" + std::string(kStyle) +
         "</style></head><body><main>\n";
  out += "<h1>" + escaped(all.workload) + "</h1>\n";
  std::string last;
  for (const Run& run : all.runs) {
    std::string machine = machine_text(run.machine);
    if (machine != last) out += fmt::format("<p>{}: {}</p>\n", escaped(run.name), escaped(machine));
    last = machine;
  }
  out += numbers_table(all) + bars(all) + wait_curves(all);
  if (all.people && !all.runs.empty()) out += accounts_table(all);
  return out + "</main></body></html>\n";
}

}  // namespace grappe::sim
