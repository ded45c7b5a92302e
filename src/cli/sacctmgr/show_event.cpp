#include <fmt/core.h>

#include <ctime>

#include "base/datetime.h"
#include "base/duration.h"
#include "base/hostlist.h"
#include "base/text.h"
#include "cli/format/timestamp.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/limits.h"
#include "cli/sacctmgr/listing.h"
#include "grappe/v1/reports.pb.h"
#include "model/node_state.h"

namespace grappe::sacctmgr {
namespace {

constexpr std::string_view kNodeEvents = "Cluster,NodeName,Start,End,State,Reason,User";
constexpr std::string_view kClusterEvents = "Cluster,TRES,Start,End,ClusterNodes";

struct EventCondition {
  Names clusters, nodes, reasons, users, states, format;
  std::string start, end, kind, wrong;
  std::optional<uint64_t> min_cpus, max_cpus;
  bool open = false;
  bool all_time = false;
};

void set_cpus(EventCondition& c, std::optional<uint64_t>& into, const Word& word) {
  into = parse_uint(word.value);
  if (!into) c.wrong = fmt::format("Invalid value for {} ({})", word.key, word.value);
}

void set_kind(EventCondition& c, const Word& word) {
  const Names kinds = parse_names(word.value);
  for (const std::string& kind : kinds) {
    if (abbreviates(kind, "Cluster", 1) || abbreviates(kind, "Node", 1)) continue;
    c.wrong = fmt::format("Unknown event type: '{}'  Valid events are Cluster and Node.", kind);
  }
  c.kind = kinds.size() == 1 ? kinds[0].substr(0, 1) : "";  // both are everything
}

void set_flags_of_events(EventCondition& c, const Word& word) {
  c.open = iequals(word.value, "open");
  if (!c.open) c.wrong = fmt::format("Unknown condition flag {}", word.value);
}

constexpr Key<EventCondition> kEventKeys[] = {
    {"All_Clusters", 5, [](EventCondition&, const Word&) {}, false},  // there is one
    {"All_Time", 5, [](EventCondition& c, const Word&) { c.all_time = true; }, false},
    {"Clusters", 2, [](EventCondition& c, const Word& w) { add_names(c.clusters, w.value); }},
    {"CondFlags", 2, set_flags_of_events},
    {"End", 1, [](EventCondition& c, const Word& w) { c.end = w.value; }},
    {"Events", 1, set_kind},
    {"MinCpus", 2, [](EventCondition& c, const Word& w) { set_cpus(c, c.min_cpus, w); }},
    {"MaxCpus", 2, [](EventCondition& c, const Word& w) { set_cpus(c, c.max_cpus, w); }},
    {"Nodes", 1, [](EventCondition& c, const Word& w) { add_texts(c.nodes, w.value); }},
    {"Reason", 1, [](EventCondition& c, const Word& w) { add_names(c.reasons, w.value); }},
    {"Start", 4, [](EventCondition& c, const Word& w) { c.start = w.value; }},
    {"States", 4, [](EventCondition& c, const Word& w) { add_names(c.states, w.value); }},
    {"Users", 1, [](EventCondition& c, const Word& w) { add_names(c.users, w.value); }},
};

bool take_event_word(EventCondition& condition, const Word& word) {
  if (set_by_key<EventCondition>(kEventKeys, condition, word)) return true;
  return take_format(condition.format, word);
}

std::string event_state(const v1::ClusterEvent& event) {
  if (event.node().empty()) return "";
  std::string word = node_state_word(event.state(), false);
  for (char& c : word) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return word;
}

// A state that was typed is the beginning of the one it has.
bool in_one_of(const Names& states, const v1::ClusterEvent& event) {
  if (states.empty()) return true;
  if (event.node().empty()) return false;
  const std::string name = to_lower(event_state(event));
  for (const std::string& state : states) {
    if (istarts_with(name, state)) return true;
  }
  return false;
}

bool matches(const EventCondition& c, const v1::ClusterEvent& event) {
  auto cpus = event.tres().find("cpu");
  const uint64_t count = cpus == event.tres().end() ? 0 : cpus->second;
  if ((c.min_cpus && count < *c.min_cpus) || (c.max_cpus && count > *c.max_cpus)) return false;
  if (c.open && event.end_time()) return false;
  return admits(c.reasons, to_lower(event.reason())) && admits(c.users, event.user()) &&
         in_one_of(c.states, event);
}

Result<v1::EventsRequest> request_of(const EventCondition& c, int64_t now) {
  v1::EventsRequest request;
  // With states or only open ones it is what holds now.
  const bool current = !c.states.empty();
  const std::string start = !c.start.empty() ? c.start : current ? "now" : "today";
  auto from = parse_datetime(start, now, true);
  auto until = parse_datetime(c.end.empty() ? "now" : c.end, now, true);
  if (!from) return tl::unexpected<Error>(from.error());
  if (!until) return tl::unexpected<Error>(until.error());
  const int64_t day_before = c.start.empty() && !current ? 24 * 3600 : 0;
  request.set_start_time(c.all_time ? 0 : *from - day_before);
  request.set_end_time(*until);
  request.set_cluster_only(c.kind == "c");
  request.set_nodes_only(c.kind == "n" || current || !c.users.empty());
  if (!c.nodes.empty()) {
    auto names = expand_hostlist(join(c.nodes, ","));
    if (!names) return tl::unexpected<Error>(names.error());
    for (const std::string& name : *names) request.add_nodes(name);
  }
  return request;
}

std::string event_value(F field, const v1::ClusterEvent& event, const v1::EventsResponse& all,
                        const TimestampFormat& times) {
  const bool of_node = !event.node().empty();
  std::string value;
  switch (field) {
    case F::kCluster:
      return all.cluster();
    case F::kClusterNodes:
      return event.nodes();
    case F::kNodeNames:
      return event.node();
    case F::kDuration:
      return format_duration((event.end_time() ? event.end_time() : all.now()) -
                             event.start_time());
    case F::kStart:
      times.append(value, event.start_time());
      return value;
    case F::kEnd:
      if (!event.end_time()) return "Unknown";
      times.append(value, event.end_time());
      return value;
    case F::kEvent:
      return of_node ? "Node" : "Cluster";
    case F::kEventRaw:
      return of_node ? "2" : "1";
    case F::kReason:
      return event.reason();
    case F::kState:
      return event_state(event);
    case F::kStateRaw:
      return std::to_string(of_node ? event.state() : 0);
    case F::kTres:
      return tres_text(event.tres());
    case F::kUser:
      return of_node ? fmt::format("{}({})", event.user(), event.uid()) : "";
    default:
      return "";
  }
}

}  // namespace

void show_events(Session& session, Words words) {
  EventCondition condition;
  if (!read_conditions(session, words, condition, take_event_word, "")) return;
  if (!condition.wrong.empty()) return session.complain(" " + condition.wrong + "\n");
  auto listing = Listing::make(session, condition.format,
                               condition.kind == "c" ? kClusterEvents : kNodeEvents);
  if (!listing) return;
  const int64_t now = std::time(nullptr);
  auto request = request_of(condition, now);
  if (!request) return session.error(request.error().message);
  auto found = session.calls.call<v1::EventsResponse>("Reports/Events", *request);
  if (!found) return session.error(found.error().message);
  const TimestampFormat times = TimestampFormat::from_environment(now);
  for (const v1::ClusterEvent& event : found->events()) {
    if (!admits(condition.clusters, found->cluster()) || !matches(condition, event)) continue;
    listing->row([&](F field) { return event_value(field, event, *found, times); });
  }
  listing->print();
}

}  // namespace grappe::sacctmgr
