// `scontrol create Reservation` and `update Reservation=`.
#include <fmt/core.h>

#include <ctime>

#include "base/datetime.h"
#include "base/duration.h"
#include "cli/scontrol/keywords.h"
#include "cli/scontrol/update_entities.h"
#include "model/slurm_error.h"

namespace grappe::scontrol {
namespace {

using v1::ChangeReservationRequest;

enum class Kind { kText, kStart, kEnd, kSpan, kFlags };

struct ReservationKey {
  std::string_view key;
  Kind kind;
};

// "User" and "Users" name the same; the first spelling is what the service gets.
constexpr ReservationKey kReservationKeys[] = {
    {"Accounts", Kind::kText},      {"BurstBuffer", Kind::kText}, {"CoreCnt", Kind::kText},
    {"Duration", Kind::kSpan},      {"EndTime", Kind::kEnd},      {"Features", Kind::kText},
    {"Flags", Kind::kFlags},        {"Groups", Kind::kText},      {"Licenses", Kind::kText},
    {"MaxStartDelay", Kind::kSpan}, {"NodeCnt", Kind::kText},     {"Nodes", Kind::kText},
    {"PartitionName", Kind::kText}, {"StartTime", Kind::kStart},  {"TRES", Kind::kText},
    {"Users", Kind::kText},
};

constexpr std::string_view kFlags[] = {
    "ANY_NODES", "DAILY",        "FIRST_CORES",        "FLEX",         "HOURLY",     "IGNORE_JOBS",
    "MAGNETIC",  "MAINT",        "NO_HOLD_JOBS_AFTER", "OVERLAP",      "PART_NODES", "PURGE_COMP",
    "REPLACE",   "REPLACE_DOWN", "SPEC_NODES",         "STATIC_ALLOC", "TIME_FLOAT", "WEEKDAY",
    "WEEKEND",   "WEEKLY"};

bool known_flag(std::string_view flag) {
  if (!flag.empty() && (flag[0] == '+' || flag[0] == '-')) flag.remove_prefix(1);
  std::string_view name = flag.substr(0, flag.find('='));
  for (std::string_view known : kFlags) {
    if (name.size() >= 3 && istarts_with(known, name)) return true;
  }
  // Slurm's own long form of NO_HOLD_JOBS_AFTER.
  return iequals(name, "NO_HOLD_JOBS_AFTER_END");
}

// Why a value is none; empty if it is one.
std::string objection(const ReservationKey& row, const Setting& s, std::string* plain) {
  switch (row.kind) {
    case Kind::kText:
      return "";
    case Kind::kStart:
    case Kind::kEnd: {
      auto time = parse_datetime(s.value, std::time(nullptr), true);
      if (time) return "";
      *plain = time.error().message;
      return fmt::format("Invalid {} time {}.", row.kind == Kind::kStart ? "start" : "end", s.word);
    }
    case Kind::kSpan:
      if (parse_duration(s.value)) return "";
      return fmt::format("Invalid {} {}.", row.key == "Duration" ? "duration" : "MaxStartDelay",
                         s.word);
    case Kind::kFlags:
      for (std::string_view flag : split_words(s.value, ",")) {
        if (!known_flag(flag)) return fmt::format("Error parsing flags {}.", s.value);
      }
      return "";
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
    const ReservationKey* row =
        setting.has_value ? find_row(kReservationKeys, setting.key) : nullptr;
    if (!row) {
      session.error(fmt::format("Unknown parameter {}.{}", setting.word, ending));
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
  }
  return std::nullopt;
}

bool has_key(const ChangeReservationRequest& request,
             std::initializer_list<std::string_view> keys) {
  for (const v1::Setting& setting : request.settings()) {
    for (std::string_view key : keys) {
      if (setting.key() == key) return true;
    }
  }
  return false;
}

// What a new reservation must say; empty if it does.
std::string_view missing(const ChangeReservationRequest& request) {
  if (!has_key(request, {"StartTime"})) return "A start time must be given.";
  if (!has_key(request, {"EndTime", "Duration"})) return "An end time or duration must be given.";
  if (!has_key(request, {"CoreCnt", "Nodes", "NodeCnt", "BurstBuffer", "Licenses", "TRES"}))
    return "CoreCnt, Nodes, NodeCnt, BurstBuffer, Licenses or Watts must be specified.";
  if (!has_key(request, {"Users", "Groups", "Accounts"}))
    return "Either Users/Groups and/or Accounts must be specified.";
  return "";
}

bool whole_partition_flag_misused(const ChangeReservationRequest& request) {
  bool part_nodes = false;
  bool all_nodes = false;
  for (const v1::Setting& setting : request.settings()) {
    if (setting.key() == "Nodes") all_nodes = iequals(setting.value(), "ALL");
    if (setting.key() != "Flags") continue;
    for (std::string_view flag : split_words(setting.value(), ",")) {
      part_nodes |= iequals(flag, "PART_NODES");
    }
  }
  return part_nodes && !(all_nodes && has_key(request, {"PartitionName"}));
}

}  // namespace

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
  if (!done) return session.failed("Error creating the reservation", done.error());
  session.say("Reservation created: " + done->name() + "\n");
}

}  // namespace grappe::scontrol
