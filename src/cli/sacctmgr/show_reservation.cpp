// Reservations, those that are over included.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>

#include "base/datetime.h"
#include "base/hostlist.h"
#include "base/text.h"
#include "cli/format/timestamp.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/listing.h"
#include "grappe/v1/reports.pb.h"

namespace grappe::sacctmgr {
namespace {

struct ReservationCondition {
  Names clusters, names, nodes, ids, format;
  std::optional<std::string> start, end;

  bool chooses() const {
    return !clusters.empty() || !names.empty() || !nodes.empty() || !ids.empty();
  }
};
constexpr Key<ReservationCondition> kReservationKeys[] = {
    {"Clusters", 1, [](ReservationCondition& c, const Word& w) { add_names(c.clusters, w.value); }},
    {"Names", 2, [](ReservationCondition& c, const Word& w) { add_texts(c.names, w.value); }},
    {"Nodes", 2, [](ReservationCondition& c, const Word& w) { add_texts(c.nodes, w.value); }},
    {"Ids", 1, [](ReservationCondition& c, const Word& w) { add_names(c.ids, w.value); }},
    {"Start", 5, [](ReservationCondition& c, const Word& w) { c.start = w.value; }},
    {"End", 1, [](ReservationCondition& c, const Word& w) { c.end = w.value; }},
};

bool take_reservation_word(ReservationCondition& condition, const Word& word) {
  if (!word.has_value) {
    add_texts(condition.names, word.value);
    return true;
  }
  return take_format(condition.format, word) ||
         set_by_key<ReservationCondition>(kReservationKeys, condition, word);
}

// Of today until now, unless something is asked for: what is chosen may be of any time, and what is
// to come is listed too.
Status set_window(const ReservationCondition& condition, bool asked,
                  v1::ReservationUsageRequest& request) {
  const int64_t now = std::time(nullptr);
  request.set_end_time(INT64_MAX);
  if (condition.start || !condition.chooses()) {
    auto start = parse_datetime(condition.start.value_or("today"), now, true);
    if (!start) return tl::unexpected<Error>(start.error());
    request.set_start_time(*start);
  }
  if (condition.end || !asked) {
    auto end = parse_datetime(condition.end.value_or("now"), now, true);
    if (!end) return tl::unexpected<Error>(end.error());
    request.set_end_time(*end + 1);  // what begins in that second too
  }
  return {};
}

Result<v1::ReservationUsageRequest> request_of(const ReservationCondition& condition) {
  v1::ReservationUsageRequest request;
  for (const std::string& name : condition.names) request.add_names(name);
  for (const std::string& text : condition.ids) {
    auto id = parse_uint(text, UINT32_MAX);
    if (!id) return fail(fmt::format("Invalid value for ID ({})", text));
    request.add_ids(static_cast<uint32_t>(*id));
  }
  const std::string list = join(condition.nodes, ",");  // "node[1,3]" was taken apart
  auto nodes = list.empty() ? std::vector<std::string>() : expand_hostlist(list);
  if (!nodes) return fail("Invalid node list: " + list);
  for (const std::string& node : *nodes) request.add_nodes(node);
  request.set_planned(true);
  return request;
}

std::string tres_of(const v1::ReservationUsage& one) {
  std::vector<std::string> words;
  for (const auto& [name, count] : one.tres()) words.push_back(fmt::format("{}={}", name, count));
  std::sort(words.begin(), words.end());
  return join(words, ",");
}

// Seconds so far in which nobody used it; a job that has a half of its CPUs uses a half of each.
double unused_wall(const v1::ReservationUsage& one, int64_t now) {
  const auto span =
      static_cast<double>(std::max<int64_t>(std::min(one.end_time(), now) - one.start_time(), 0));
  const auto cpus = one.tres().find("cpu");
  const auto used = one.allocated().find("cpu");
  if (cpus == one.tres().end() || used == one.allocated().end()) return span;
  return std::max(span - static_cast<double>(used->second) / static_cast<double>(cpus->second),
                  0.0);
}

std::string reservation_value(F field, const v1::ReservationUsage& one,
                              const v1::ReservationUsageResponse& all,
                              const TimestampFormat& times) {
  std::string value;
  switch (field) {
    case F::kCluster:
      return all.cluster();
    case F::kId:
      return std::to_string(one.id());
    case F::kName:
      return one.name();
    case F::kNodeNames:
      return one.nodes();
    case F::kTres:
      return tres_of(one);
    case F::kFlags:
      return fmt::format("{}", fmt::join(one.flags(), ","));
    case F::kAssocs:
      return fmt::format("{}", fmt::join(one.associations(), ","));
    case F::kUnused:
      return fmt::format("{:f}", unused_wall(one, all.now()));
    case F::kStart:
      times.append(value, one.start_time());
      return value;
    case F::kEnd:
      times.append(value, one.end_time());
      return value;
    default:
      return "";
  }
}

}  // namespace

void show_reservations(Session& session, Words words) {
  ReservationCondition condition;
  if (!read_conditions(session, words, condition, take_reservation_word)) return;
  auto listing =
      Listing::make(session, condition.format, "Cluster,Name%15,TRES%30,TimeStart,TimeEnd,Unused");
  if (!listing) return;
  auto request = request_of(condition);
  if (!request) return session.error(request.error().message);
  const Status window = set_window(condition, !words.empty(), *request);
  if (!window) return session.complain(window.error().message + "\n");
  auto found = session.calls.call<v1::ReservationUsageResponse>("Reports/Reservations", *request);
  if (!found) return session.error(found.error().message);
  const TimestampFormat times = TimestampFormat::from_environment(found->now());
  for (const v1::ReservationUsage& one : found->reservations()) {
    if (!admits(condition.clusters, found->cluster())) continue;
    listing->row([&](F field) { return reservation_value(field, one, *found, times); });
  }
  listing->print();
}

}  // namespace grappe::sacctmgr
