// Nodes, partitions and the like: which ones, and what is said when there is none.
#include <fmt/core.h>
#include <unistd.h>

#include "base/hostlist.h"
#include "base/text.h"
#include "cli/scontrol/show_cluster.h"
#include "cli/scontrol/show_entities.h"
#include "model/node_state.h"

namespace grappe::scontrol {
namespace {

std::string name_of(Words words) {
  return words.empty() ? "" : words[0];
}

void not_found(Session& session, std::string_view what, std::string_view name) {
  session.exit_code = 1;
  if (!session.quiet) session.say(fmt::format("{} {} not found\n", what, name));
}

void say_update_time(const Session& session, const Style& style, int count) {
  if (!session.verbose) return;
  session.say(
      fmt::format("last_update_time={}, records={}\n", moment(style, style.now, "Unknown"), count));
}

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  std::string_view text(name);
  return std::string(text.substr(0, text.find('.')));
}

}  // namespace

void show_nodes(Session& session, Words words) {
  auto nodes = session.calls.call<v1::NodesResponse>("Cluster/Nodes", v1::NodesRequest());
  if (!nodes) return session.failed("slurm_load_node error", nodes.error());
  Style style = session.style(nodes->now());
  say_update_time(session, style, nodes->nodes_size());
  std::string wanted = name_of(words);
  if (wanted.empty()) {
    std::string text;
    for (const v1::NodeInfo& node : nodes->nodes()) {
      bool future = node_base(node.state()) == NodeBase::kFuture;
      if (!future || session.future) text += format_node(node, style);
    }
    session.say(text.empty() && !session.quiet ? "No nodes in the system\n" : text);
    return;
  }
  auto names = expand_hostlist(wanted);
  if (!names) return session.complain(names.error().message);
  for (const std::string& name : *names) {
    std::string text;
    for (const v1::NodeInfo& node : nodes->nodes()) {
      if (node.name() == name) text = format_node(node, style);
    }
    session.say(text);
    if (text.empty()) not_found(session, "Node", name);
  }
}

void show_partitions(Session& session, Words words) {
  v1::PartitionsRequest request;
  request.set_all(session.all || !words.empty());
  auto answer = session.calls.call<v1::PartitionsResponse>("Cluster/Partitions", request);
  if (!answer) return session.failed("slurm_load_partitions error", answer.error());
  Style style = session.style(answer->now());
  say_update_time(session, style, answer->partitions_size());
  std::string text;
  for (const v1::PartitionInfo& partition : answer->partitions()) {
    if (words.empty() || partition.name() == words[0]) text += format_partition(partition, style);
  }
  session.say(text);
  if (!text.empty()) return;
  if (!words.empty()) return not_found(session, "Partition", words[0]);
  if (!session.quiet) session.say("No partitions in the system\n");
}

void show_reservations(Session& session, Words words) {
  v1::ReservationsRequest request;
  auto answer = session.calls.call<v1::ReservationsResponse>("Cluster/Reservations", request);
  if (!answer) return session.failed("slurm_load_reservations error", answer.error());
  Style style = session.style(answer->now());
  say_update_time(session, style, answer->reservations_size());
  std::string text;
  std::string wanted = name_of(words);
  for (const v1::ReservationInfo& reservation : answer->reservations()) {
    if (wanted.empty() || reservation.name() == wanted)
      text += format_reservation(reservation, style);
  }
  session.say(text);
  if (!text.empty()) return;
  if (!wanted.empty()) return not_found(session, "Reservation", wanted);
  if (!session.quiet) session.say("No reservations in the system\n");
}

void show_licenses(Session& session, Words words) {
  auto answer = session.calls.call<v1::LicensesResponse>("Cluster/Licenses", v1::LicensesRequest());
  if (!answer) return session.failed("slurm_load_licenses error", answer.error());
  if (answer->licenses().empty()) return session.say("No licenses configured in Slurm.\n");
  std::string text;
  std::string wanted = name_of(words);
  for (const v1::LicenseInfo& license : answer->licenses()) {
    if (wanted.empty() || license.name() == wanted)
      text += format_license(license, session.style(0));
  }
  session.say(text);
}

// Slurm shows the whole configuration, also when a parameter is named.
void show_config(Session& session, Words) {
  auto config = session.calls.call<v1::ConfigResponse>("Cluster/Config", v1::ConfigRequest());
  if (!config) return session.failed("slurm_load_ctl_conf error", config.error());
  session.say(format_config(*config, session.style(config->now())));
}

void show_frontend(Session& session, Words words) {
  if (!words.empty()) return not_found(session, "Node", words[0]);
  session.say("No nodes in the system\n");
}

// There is one machine, so there are no switches. Slurm's exit code is 0.
void show_topology(Session& session, Words words) {
  int before = session.exit_code;
  if (words.empty()) {
    session.error("No topology information available");
  } else {
    session.error("Topology information contains no switch or node named " + words[0]);
  }
  session.exit_code = before;
}

void show_daemons(Session& session, Words) {
  session.say("slurmctld slurmd\n");
}

// The nodes that are slices of a machine; without a name, of this one.
void show_aliases(Session& session, Words words) {
  std::string host = words.empty() ? host_name() : words[0];
  auto nodes = session.calls.call<v1::NodesResponse>("Cluster/Nodes", v1::NodesRequest());
  if (!nodes) return session.failed("slurm_load_node error", nodes.error());
  std::vector<std::string> names;
  for (const v1::NodeInfo& node : nodes->nodes()) {
    if (node.hostname() == host) names.push_back(node.name());
  }
  if (!names.empty()) session.say(join(names, " ") + "\n");
}

void show_slurmd(Session& session, Words) {
  session.complain(
      "slurm_load_slurmd_status: there is no slurmd here: the service runs the jobs itself "
      "(scontrol ping, scontrol show node)");
}

}  // namespace grappe::scontrol
