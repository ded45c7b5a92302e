// What was used of reservations.
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/datetime.h"
#include "base/duration.h"
#include "cli/format/output.h"
#include "cli/report.h"
#include "cli/sreport/conditions.h"
#include "cli/sreport/reports.h"
#include "cli/sreport/table.h"
#include "grappe/v1/reports.pb.h"

namespace grappe::sreport {
namespace {

struct ReservationLine {
  std::string cluster;
  const v1::ReservationUsage* of = nullptr;
  std::string tres;

  uint64_t seconds() const { return static_cast<uint64_t>(of->end_time() - of->start_time()); }
  uint64_t count() const { return of->tres().at(tres); }
  uint64_t total() const { return seconds() * count(); }
  uint64_t used() const {
    const auto found = of->allocated().find(tres);
    return found == of->allocated().end() ? 0 : found->second;
  }
  uint64_t idle() const { return total() - std::min(total(), used()); }
};

template <class List>
std::string listed(const List& list) {
  return fmt::format("{}", fmt::join(list, ","));
}

std::string span(uint64_t seconds) {
  return format_duration(static_cast<int64_t>(seconds));
}

#define SHOW_RESERVATION(expression) \
  [](const ReservationLine& line, const Session&) { return (expression); }

constexpr std::array<Field<ReservationLine>, 15> kReservationFields{{
    {"Allocated", 2, "Allocated", 20,
     [](const ReservationLine& line, const Session& session) {
       return format_time(line.used(), line.total(), session.time);
     },
     [](const ReservationLine& line) -> std::optional<uint64_t> { return line.used(); }},
    {"Associations", 2, "Associations", 15, SHOW_RESERVATION(listed(line.of->associations()))},
    {"Cluster", 2, "Cluster", 9, SHOW_RESERVATION(line.cluster)},
    {"CpuCount", 2, "TRES count", 10, SHOW_RESERVATION(std::to_string(line.count()))},
    {"End", 2, "End", 19, SHOW_RESERVATION(format_datetime(line.of->end_time()))},
    {"Flags", 2, "Flags", 20, SHOW_RESERVATION(listed(line.of->flags()))},
    {"Idle", 1, "Idle", 20,
     [](const ReservationLine& line, const Session& session) {
       return format_time(line.idle(), line.total(), session.time);
     },
     [](const ReservationLine& line) -> std::optional<uint64_t> { return line.idle(); }},
    {"Name", 2, "Name", 9, SHOW_RESERVATION(line.of->name())},
    {"Nodes", 2, "Nodes", 15, SHOW_RESERVATION(line.of->nodes())},
    {"ReservationId", 2, "Id", 8, SHOW_RESERVATION(std::to_string(line.of->id()))},
    {"Start", 2, "Start", 19, SHOW_RESERVATION(format_datetime(line.of->start_time()))},
    {"TotalTime", 2, "TotalTime", 9, SHOW_RESERVATION(span(line.seconds()))},
    {"TresCount", 5, "TRES count", 10, SHOW_RESERVATION(std::to_string(line.count()))},
    {"TresName", 5, "TRES Name", 14, SHOW_RESERVATION(line.tres)},
    {"TresTime", 5, "TRES Time", 9, SHOW_RESERVATION(span(line.total()))},
}};

constexpr std::array<ConditionRow, 7> kReservationWords{{
    {"All_Clusters", nullptr, nullptr, &Conditions::all_clusters},
    {"Clusters", &Conditions::clusters},
    {"End", nullptr, &Conditions::end},
    {"Format", nullptr, &Conditions::format},
    {"Names", &Conditions::names},
    {"Nodes", &Conditions::nodes},
    {"Start", nullptr, &Conditions::start},
}};

}  // namespace

void report_reservations(Session& session, Words words) {
  Conditions conditions;
  read_conditions(session, kReservationWords, words, conditions);
  auto window = window_for(session, conditions);
  auto nodes = nodes_for(session, conditions);
  if (!window || !nodes) return;
  v1::ReservationUsageRequest request;
  request.set_start_time(window->start);
  request.set_end_time(window->end);
  for (const std::string& name : conditions.names) request.add_names(name);
  for (const std::string& node : *nodes) request.add_nodes(node);
  v1::ReservationUsageResponse answer;
  if (concerns_us(session, conditions)) {
    auto found = session.calls.call<v1::ReservationUsageResponse>("Reports/Reservations", request);
    if (!found) {
      session.exit_code = 1;
      return Report("sreport").error(found.error());
    }
    answer = std::move(*found);
  }
  std::vector<ReservationLine> lines;
  for (const v1::ReservationUsage& of : answer.reservations()) {
    std::vector<std::string> names;
    for (const auto& [name, count] : of.tres()) names.push_back(name);
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      if (session.tres_given && !chosen(session.tres, name)) continue;
      lines.push_back({answer.cluster(), &of, name});
    }
  }
  Output output;
  append_head(output.text(), session, "Reservation Utilization " + window->text(),
              usage_units(session, "TRES"));
  append_table<ReservationLine>(
      output.text(), session, kReservationFields,
      conditions.format.empty() ? "Cl,name,start,end,TresName,al,i" : conditions.format, lines);
}

}  // namespace grappe::sreport
