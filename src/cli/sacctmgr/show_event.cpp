#include <fmt/core.h>

#include <ctime>

#include "base/datetime.h"
#include "base/duration.h"
#include "base/hostlist.h"
#include "base/local_time.h"
#include "base/text.h"
#include "cli/format/timestamp.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/limits.h"
#include "cli/sacctmgr/listing.h"
#include "grappe/v1/reports.pb.h"
#include "model/node_state.h"

namespace grappe::sacctmgr {
namespace {

struct EventCondition {
  v1::EventsRequest request;
  Names format, reasons, users, clusters;
  std::string wrong;  // the message
};

void set_moment(EventCondition& c, std::string_view text, bool start) {
  auto time = parse_datetime(text, std::time(nullptr), true);
  if (!time) {
    c.wrong = time.error().message;
  } else if (start) {
    c.request.set_start_time(*time);
  } else {
    c.request.set_end_time(*time);
  }
}

void set_kinds(EventCondition& c, const Word& word) {
  Names kinds = parse_names(word.value);
  for (const std::string& kind : kinds) {
    if (abbreviates(kind, "Node", 1)) {
      c.request.set_nodes_only(true);
    } else if (abbreviates(kind, "Cluster", 1)) {
      c.request.set_cluster_only(true);
    } else {
      c.wrong = " Unknown event type: " + kind;
    }
  }
  // Both are everything.
  if (kinds.size() > 1) {
    c.request.clear_nodes_only();
    c.request.clear_cluster_only();
  }
}

void set_nodes(EventCondition& c, const Word& word) {
  auto names = expand_hostlist(word.value);
  if (!names) {
    c.wrong = names.error().message;
    return;
  }
  for (std::string& name : *names) c.request.add_nodes(std::move(name));
}

constexpr Key<EventCondition> kEventKeys[] = {
    {"All_Clusters", 6, [](EventCondition&, const Word&) {}, false},
    {"All_Time", 6, [](EventCondition& c, const Word&) { c.request.set_start_time(0); }, false},
    {"Clusters", 1, [](EventCondition& c, const Word& w) { add_names(c.clusters, w.value); }},
    {"End", 2, [](EventCondition& c, const Word& w) { set_moment(c, w.value, false); }},
    {"Events", 2, set_kinds},
    {"Nodes", 1, set_nodes},
    {"Reason", 1, [](EventCondition& c, const Word& w) { add_texts(c.reasons, w.value); }},
    {"Start", 4, [](EventCondition& c, const Word& w) { set_moment(c, w.value, true); }},
    {"Users", 1, [](EventCondition& c, const Word& w) { add_names(c.users, w.value); }},
};

bool take_event_word(EventCondition& condition, const Word& word) {
  return take_format(condition.format, word) ||
         set_by_key<EventCondition>(kEventKeys, condition, word);
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string time_text(const TimestampFormat& times, int64_t time) {
  std::string out;
  if (time) times.append(out, time);
  return time ? out : "Unknown";
}

std::string value_of(F field, const v1::ClusterEvent& event, const v1::EventsResponse& all,
                     const TimestampFormat& times) {
  const bool node = !event.node().empty();
  const int64_t end = event.end_time() ? event.end_time() : all.now();
  switch (field) {
    case F::kCluster:
      return all.cluster();
    case F::kClusterNodes:
      return event.nodes();
    case F::kDuration:
      return format_duration(end - event.start_time());
    case F::kEnd:
      return time_text(times, event.end_time());
    case F::kEvent:
      return node ? "Node" : "Cluster";
    case F::kEventRaw:
      return node ? "2" : "1";
    case F::kNodeName:
    case F::kNodeNames:
      return event.node();
    case F::kReason:
      return event.reason();
    case F::kStart:
      return time_text(times, event.start_time());
    case F::kState:
      return node ? upper(node_state_word(event.state(), false)) : "";
    case F::kStateRaw:
      return std::to_string(event.state());
    case F::kTres:
      return tres_text(event.tres());
    case F::kUser:
      return node && !event.reason().empty() ? fmt::format("{}({})", event.user(), event.uid())
                                             : "";
    default:
      return "";
  }
}

}  // namespace

void show_events(Session& session, Words words) {
  EventCondition condition;
  const int64_t now = std::time(nullptr);
  condition.request.set_start_time(day_start(day_start(now) - 1));
  if (!read_conditions(session, words, condition, take_event_word, "")) return;
  if (!condition.wrong.empty()) return session.error(condition.wrong);
  auto listing = Listing::make(session, condition.format,
                               condition.request.cluster_only()
                                   ? "Cluster,TRES,Start,End,ClusterNodes"
                                   : "Cluster,NodeName%-15,Start,End,State,Reason,User");
  if (!listing) return;
  auto found = session.calls.call<v1::EventsResponse>("Reports/Events", condition.request);
  if (!found) return session.error(found.error().message);
  const TimestampFormat times = TimestampFormat::from_environment(now);
  for (const v1::ClusterEvent& event : found->events()) {
    if (!admits(condition.reasons, event.reason()) || !admits(condition.users, event.user()) ||
        !admits(condition.clusters, found->cluster())) {
      continue;
    }
    listing->row([&](F field) { return value_of(field, event, *found, times); });
  }
  listing->print();
}

}  // namespace grappe::sacctmgr
