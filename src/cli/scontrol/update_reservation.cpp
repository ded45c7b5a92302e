// `scontrol create Reservation` and `update Reservation=`.
#include <fmt/core.h>

#include <ctime>

#include "base/datetime.h"
#include "base/duration.h"
#include "cli/scontrol/keywords.h"
#include "cli/scontrol/update_entities.h"
#include "model/reservation_flags.h"
#include "model/slurm_error.h"

namespace grappe::scontrol {
namespace {

using v1::ChangeReservationRequest;

enum class ReservationKind { kText, kStart, kEnd, kSpan, kFlags };

struct ReservationKey {
  std::string_view key;
  ReservationKind kind;
};

// "User" and "Users" name the same; the first spelling is what the service gets.
constexpr ReservationKey kReservationKeys[] = {
    {"Accounts", ReservationKind::kText},      {"BurstBuffer", ReservationKind::kText},
    {"CoreCnt", ReservationKind::kText},       {"Duration", ReservationKind::kSpan},
    {"EndTime", ReservationKind::kEnd},        {"Features", ReservationKind::kText},
    {"Flags", ReservationKind::kFlags},        {"Groups", ReservationKind::kText},
    {"Licenses", ReservationKind::kText},      {"MaxStartDelay", ReservationKind::kSpan},
    {"NodeCnt", ReservationKind::kText},       {"Nodes", ReservationKind::kText},
    {"PartitionName", ReservationKind::kText}, {"StartTime", ReservationKind::kStart},
    {"TRES", ReservationKind::kText},          {"Users", ReservationKind::kText},
};

// "-maint,-flex" of flags-=maint,flex: how Slurm repeats a list that it can't read.
std::string signed_list(const Setting& s) {
  if (!s.operation) return s.value;
  std::string text;
  for (std::string_view item : split_words(s.value, ",")) {
    text += fmt::format("{}{}{}", text.empty() ? "" : ",", s.operation, item);
  }
  return text;
}

// The first kind of resource that a reservation can't have; empty if all are fine.
std::string_view foreign_tres(std::string_view list) {
  for (std::string_view item : split_words(list, ",")) {
    size_t equal = item.find('=');
    if (equal == std::string_view::npos) continue;
    std::string_view type = item.substr(0, equal);
    bool known = iequals(type, "cpu") || iequals(type, "node") || istarts_with(type, "license/") ||
                 istarts_with(type, "bb/");
    if (!known) return type;
  }
  return "";
}

// Why a value is none; empty if it is one.
std::string objection(const ReservationKey& row, const Setting& s, std::string* plain) {
  switch (row.kind) {
    case ReservationKind::kText:
      return "";
    case ReservationKind::kStart:
    case ReservationKind::kEnd: {
      auto time = parse_datetime(s.value, std::time(nullptr), false);
      if (time) return "";
      *plain = time.error().message;
      return fmt::format("Invalid {} time {}.",
                         row.kind == ReservationKind::kStart ? "start" : "end", s.word);
    }
    case ReservationKind::kSpan:
      if (parse_duration(s.value)) return "";
      return fmt::format("Invalid {} {}.", row.key == "Duration" ? "duration" : "MaxStartDelay",
                         s.word);
    case ReservationKind::kFlags:
      if (parse_reservation_flags(s.value, s.operation)) return "";
      return fmt::format("Error parsing flags {}.", signed_list(s));
  }
  return "";
}

// `ending` is "  No reservation created." or "  No reservation update.". The Slurm error number
// of what was said, nothing if all is well.
std::optional<int> read_reservation(Session& session, const std::vector<Setting>& settings,
                                    ChangeReservationRequest& request, std::string_view ending) {
  for (const Setting& setting : settings) {
    bool bare_entity = !setting.has_value && abbreviates(setting.key, "Reservation", 3);
    if (bare_entity) continue;
    if (abbreviates(setting.key, "ReservationName", 3)) {
      request.set_name(setting.value);
      continue;
    }
    if (!setting.has_value && iequals(setting.key, "skip")) {
      request.set_action(ChangeReservationRequest::SKIP);
      continue;
    }
    if (!setting.has_value) {
      session.error(
          fmt::format("Misformatted parameter '{}', most options have a parameter after '='.{}",
                      setting.word, ending));
      return kErrNone;
    }
    const ReservationKey* row = find_row(kReservationKeys, setting.key);
    if (row && setting.operation && row->key == "Nodes") {
      session.error(
          fmt::format("The +=/-= notation is not supported when updating nodes.{}", ending));
      return kErrNone;
    }
    if (row && row->key == "TRES" && !foreign_tres(setting.value).empty()) {
      session.error(fmt::format("TRES type '{}' not supported with reservations",
                                foreign_tres(setting.value)));
      return kErrNone;
    }
    if (!row) {
      session.error(fmt::format("Unknown parameter {}.{}", setting.word, ending));
      session.suggest(setting.key, reservation_keys());
      return kErrNone;
    }
    std::string plain;
    std::string text = objection(*row, setting, &plain);
    if (!plain.empty()) session.complain(plain);
    if (!text.empty()) {
      session.error(text + std::string(ending));
      return plain.empty() ? kErrNone : kErrInvalidTime;
    }
    v1::Setting& change = *request.add_settings();
    change.set_key(std::string(row->key));
    if (setting.operation) change.mutable_key()->push_back(setting.operation);
    change.set_value(setting.value);
    // The time of day is that of whoever types, not that of the service.
    if (row->kind == ReservationKind::kStart || row->kind == ReservationKind::kEnd) {
      change.set_value(
          fmt::format("@{}", *parse_datetime(setting.value, std::time(nullptr), false)));
    }
  }
  return std::nullopt;
}

const std::string* value_of(const ChangeReservationRequest& request, std::string_view key) {
  for (const v1::Setting& setting : request.settings()) {
    std::string_view name = setting.key();
    if (name.substr(0, name.find_first_of("+-")) == key) return &setting.value();
  }
  return nullptr;
}

bool has_key(const ChangeReservationRequest& request,
             std::initializer_list<std::string_view> keys) {
  for (std::string_view key : keys) {
    if (value_of(request, key)) return true;
  }
  return false;
}

// Start, end and duration that contradict each other; empty if they don't.
std::string_view contradiction(const ChangeReservationRequest& request) {
  const std::string* start = value_of(request, "StartTime");
  const std::string* end = value_of(request, "EndTime");
  const std::string* span = value_of(request, "Duration");
  if (!start || !end) return "";
  int64_t from = std::stoll(start->substr(1)), to = std::stoll(end->substr(1));
  if (from > to) return "Start time cannot be after end time.";
  if (!span) return "";
  auto seconds = parse_duration(*span);
  bool agree = seconds && from + int64_t{minutes_rounded_up(*seconds)} * 60 == to;
  return agree ? "" : "StartTime + Duration does not equal EndTime.";
}

// What a new reservation must say; empty if it does.
std::string_view missing(const ChangeReservationRequest& request) {
  if (!has_key(request, {"StartTime"})) return "A start time must be given.";
  if (!has_key(request, {"EndTime", "Duration"})) return "An end time or duration must be given.";
  if (std::string_view text = contradiction(request); !text.empty()) return text;
  if (!has_key(request,
               {"CoreCnt", "Nodes", "NodeCnt", "BurstBuffer", "Licenses", "TRES", "PartitionName"}))
    return "CoreCnt, Nodes, NodeCnt, BurstBuffer, Licenses or Watts must be specified.";
  if (!has_key(request, {"Users", "Groups", "Accounts"}))
    return "Either Users/Groups and/or Accounts must be specified.";
  if (has_key(request, {"Users"}) && has_key(request, {"Groups"}))
    return "Users and Groups are mutually exclusive.  You can have one or the other, but not both.";
  return "";
}

bool whole_partition_flag_misused(const ChangeReservationRequest& request) {
  bool part_nodes = false;
  bool all_nodes = false;
  for (const v1::Setting& setting : request.settings()) {
    if (setting.key() == "Nodes") all_nodes = iequals(setting.value(), "ALL");
    if (setting.key() != "Flags") continue;
    for (std::string_view flag : split_words(setting.value(), ",")) {
      auto change = parse_reservation_flags(flag, 0);
      part_nodes |= change && (change->add & kResvPartNodes);
    }
  }
  return part_nodes && !(all_nodes && has_key(request, {"PartitionName"}));
}

}  // namespace

std::vector<std::string> reservation_keys() {
  return keys_of(kReservationKeys);
}

void update_reservation(Session& session, const std::vector<Setting>& settings) {
  ChangeReservationRequest request;
  request.set_action(ChangeReservationRequest::UPDATE);
  if (auto code = read_reservation(session, settings, request, "  No reservation update.")) {
    return session.complain("slurm_update error: " +
                            (*code ? slurm_error_text(*code) : std::string("No error")));
  }
  auto done =
      session.calls.call<v1::ChangeReservationResponse>("Cluster/ChangeReservation", request);
  if (done) return session.say("Reservation updated.\n");
  session.failed("Error updating the reservation", done.error());
  session.complain("slurm_update error: " + done.error().message);
}

void create_reservation(Session& session, const std::vector<Setting>& settings) {
  constexpr std::string_view kEnding = "  No reservation created.";
  ChangeReservationRequest request;
  request.set_action(ChangeReservationRequest::CREATE);
  if (read_reservation(session, settings, request, kEnding)) return;
  std::string_view text = missing(request);
  if (text.empty() && whole_partition_flag_misused(request))
    text = "PART_NODES flag requires specifying a Partition and ALL nodes.";
  if (!text.empty()) return session.error(std::string(text) + std::string(kEnding));
  auto done =
      session.calls.call<v1::ChangeReservationResponse>("Cluster/ChangeReservation", request);
  if (!done) {
    session.failed("Error creating the reservation", done.error());
    if (done.error().code == kErrNodesBusy) {
      session.say(
          "Note, unless nodes are directly requested a reservation must exist in a single "
          "partition.\nIf no partition is requested the default partition is assumed.\n");
    }
    return;
  }
  session.say("Reservation created: " + done->name() + "\n");
}

}  // namespace grappe::scontrol
