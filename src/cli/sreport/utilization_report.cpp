// How much of the cluster was used, was down, was idle.
#include <array>

#include "cli/format/output.h"
#include "cli/report.h"
#include "cli/sreport/conditions.h"
#include "cli/sreport/reports.h"
#include "cli/sreport/table.h"
#include "grappe/v1/reports.pb.h"

namespace grappe::sreport {
namespace {

struct ClusterLine {
  std::string cluster;
  v1::ClusterUsage use;
  uint64_t seconds = 0;  // of the window

  uint64_t reported() const {
    return use.allocated() + use.down() + use.planned_down() + use.idle() + use.planned();
  }
};

// A column with a time: its name, letters that are enough, title, and the time itself.
#define CLUSTER_TIME(name, shortest, title, expression, whole)                        \
  {                                                                                   \
    name, shortest, title, 8,                                                         \
        [](const ClusterLine& line, const Session& session) {                         \
          return format_time(expression, whole, session.time);                        \
        },                                                                            \
        [](const ClusterLine& line) -> std::optional<uint64_t> { return expression; } \
  }
#define CLUSTER_COUNT(name, shortest)                                                            \
  {                                                                                              \
    name, shortest, "TRES Count", 10,                                                            \
        [](const ClusterLine& line, const Session&) { return std::to_string(line.use.count()); } \
  }

constexpr std::array<Field<ClusterLine>, 12> kClusterFields{{
    CLUSTER_TIME("Allocated", 2, "Allocated", line.use.allocated(), line.reported()),
    {"Cluster", 2, "Cluster", 9,
     [](const ClusterLine& line, const Session&) { return line.cluster; }},
    CLUSTER_COUNT("Count", 2),
    CLUSTER_COUNT("CpuCount", 2),
    CLUSTER_TIME("Down", 1, "Down", line.use.down(), line.reported()),
    CLUSTER_TIME("Idle", 1, "Idle", line.use.idle(), line.reported()),
    CLUSTER_TIME("OverCommitted", 1, "Over Comm", line.use.overcommitted(), line.reported()),
    CLUSTER_TIME("PlannedDown", 2, "PLND Down", line.use.planned_down(), line.reported()),
    CLUSTER_TIME("Reported", 3, "Reported", line.reported(), line.use.count() * line.seconds),
    CLUSTER_TIME("Reserved", 3, "Planned", line.use.planned(), line.reported()),
    CLUSTER_COUNT("TresCount", 5),
    {"TresName", 5, "TRES Name", 14,
     [](const ClusterLine& line, const Session&) { return line.use.tres(); }},
}};

constexpr std::array<ConditionRow, 5> kClusterWords{{
    {"All_Clusters", nullptr, nullptr, &Conditions::all_clusters},
    {"Clusters", &Conditions::clusters},
    {"End", nullptr, &Conditions::end},
    {"Format", nullptr, &Conditions::format},
    {"Start", nullptr, &Conditions::start},
}};

}  // namespace

void report_utilization(Session& session, Words words) {
  Conditions conditions;
  if (session.tres_given && !session.all_tres && chosen(session.tres, "node")) {
    session.exit_code = 1;
    return Report("sreport").fatal(
        "TRES node usage is no longer reported in the Cluster Utilization report.  Please use TRES "
        "CPU instead.");
  }
  read_conditions(session, kClusterWords, words, conditions);
  auto window = window_for(session, conditions);
  if (!window) return;
  v1::UsageResponse usage;
  if (concerns_us(session, conditions)) {
    v1::UsageRequest request;
    request.set_start_time(window->start);
    request.set_end_time(window->end);
    auto answer = session.calls.call<v1::UsageResponse>("Reports/Usage", request);
    if (!answer) {
      session.exit_code = 1;
      Report("sreport").error(answer.error());
      return;
    }
    usage = std::move(*answer);
  }
  std::vector<ClusterLine> lines;
  for (const std::string& tres : session.tres) {
    if (usage.utilization().empty()) break;
    ClusterLine& line = lines.emplace_back();
    line.cluster = usage.cluster();
    line.seconds = static_cast<uint64_t>(window->seconds());
    line.use.set_tres(tres);
    for (const v1::ClusterUsage& use : usage.utilization()) {
      if (use.tres() == tres) line.use = use;
    }
  }
  Output output;
  append_head(output.text(), session, "Cluster Utilization " + window->text(),
              usage_units(session, session.tres_given ? "TRES" : "CPU"));
  std::string format = conditions.format;
  if (format.empty()) {
    format =
        session.tres_given ? "Cl,TresName,al,d,planned,i,res,rep" : "Cl,al,d,planned,i,res,rep";
  }
  append_table<ClusterLine>(output.text(), session, kClusterFields, format, lines);
}

}  // namespace grappe::sreport
