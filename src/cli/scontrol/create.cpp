// `scontrol create` and `delete`.
#include <fmt/core.h>

#include "cli/scontrol/keywords.h"
#include "cli/scontrol/update_entities.h"

namespace grappe::scontrol {
namespace {

bool is_key(const Setting& setting, std::string_view name, size_t shortest) {
  return abbreviates(setting.key, name, shortest);
}

// The name is empty for "delete nodename" without one.
struct Target {
  std::string entity;
  std::string name;
};

Target target_of(Words words) {
  Setting setting = parse_setting(words[1]);
  if (words.size() > 2) return {setting.key, words[2]};
  return {setting.key, setting.value};
}

void delete_node(Session& session, const Target& target, std::string_view typed) {
  v1::UpdateNodeRequest request;
  request.set_action(v1::UpdateNodeRequest::DELETE);
  request.set_nodes(target.name);
  auto done = session.calls.call<v1::Empty>("Cluster/UpdateNode", request);
  if (done) return;
  session.error("failed to delete nodes " + target.name);
  session.failed(fmt::format("delete_node {}", typed), done.error());
}

void delete_partition(Session& session, const Target& target, std::string_view typed) {
  v1::ChangePartitionRequest request;
  request.set_action(v1::ChangePartitionRequest::DELETE);
  request.set_name(target.name);
  auto done = session.calls.call<v1::Empty>("Cluster/ChangePartition", request);
  if (!done) session.failed(fmt::format("delete_partition {}", typed), done.error());
}

void delete_reservation(Session& session, const Target& target, std::string_view typed) {
  v1::ChangeReservationRequest request;
  request.set_action(v1::ChangeReservationRequest::DELETE);
  request.set_name(target.name);
  auto done =
      session.calls.call<v1::ChangeReservationResponse>("Cluster/ChangeReservation", request);
  if (!done) session.failed(fmt::format("delete_reservation {}", typed), done.error());
}

}  // namespace

// A reservation's keys include those of the others ("Nodes=", "PartitionName="), so it is looked
// for first.
void create(Session& session, Words words) {
  std::vector<Setting> settings;
  for (const std::string& word : words.subspan(1)) settings.push_back(parse_setting(word));
  for (const Setting& setting : settings) {
    if (is_key(setting, "ReservationName", 3)) return create_reservation(session, settings);
  }
  for (const Setting& setting : settings) {
    if (is_key(setting, "NodeName", 3)) return create_node(session, settings);
  }
  for (const Setting& setting : settings) {
    if (!is_key(setting, "PartitionName", 3)) continue;
    if (!setting.has_value) {
      return session.error(fmt::format("Invalid input: {}  Request aborted", setting.word));
    }
    return create_partition(session, settings);
  }
  session.error("Invalid creation entity: " + words[1]);
}

void create_node(Session& session, const std::vector<Setting>& settings) {
  v1::UpdateNodeRequest request;
  request.set_action(v1::UpdateNodeRequest::CREATE);
  std::vector<std::string> line;
  for (const Setting& setting : settings) {
    if (is_key(setting, "NodeName", 3)) request.set_nodes(setting.value);
    line.push_back(setting.word);
  }
  request.set_definition(join(line, " "));
  auto done = session.calls.call<v1::Empty>("Cluster/UpdateNode", request);
  if (!done) session.failed("Error creating the node(s)", done.error());
}

void remove(Session& session, Words words) {
  Target target = target_of(words);
  if (target.name.empty()) {
    return session.error("Proper format is 'delete <ENTITY>=<ID>' or 'delete <ENTITY> <ID>'");
  }
  std::string typed = join(words.subspan(1), " ");
  if (abbreviates(target.entity, "PartitionName", 3))
    return delete_partition(session, target, typed);
  if (abbreviates(target.entity, "ReservationName", 3))
    return delete_reservation(session, target, typed);
  if (abbreviates(target.entity, "NodeName", 3)) return delete_node(session, target, typed);
  session.complain("Invalid deletion entity: " + words[1]);
}

}  // namespace grappe::scontrol
