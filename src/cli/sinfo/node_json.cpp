#include "cli/sinfo/node_json.h"

#include "base/text.h"
#include "cli/format/json.h"
#include "model/node_state.h"

namespace grappe {
namespace {

// "IDLE+DRAIN" is the state idle and the flag DRAIN.
void write_state(JsonWriter& json, const v1::NodeInfo& node) {
  std::string words = node_state_flags(node.state());
  std::vector<std::string_view> parts = split_words(words, "+");
  json.text("state", to_lower(parts.front()));
  json.open_list("state_flags");
  for (size_t i = 1; i < parts.size(); ++i) json.text("", parts[i]);
  json.close_list();
}

// What the node weighs in billing: one for each CPU in use, as Slurm without weights.
double weighted(const v1::NodeInfo& node) {
  return node.alloc_cpus();
}

void write_hardware(JsonWriter& json, const v1::NodeInfo& node) {
  json.text("architecture", node.arch());
  json.text("burstbuffer_network_address", "");
  json.number("boards", node.boards());
  json.number("boot_time", node.boot_time());
  json.text("comment", node.comment());
  json.number("cores", node.cores_per_socket());
  json.number("cpu_binding", 0);
  json.number("cpu_load", node.cpu_load_hundredths());
  json.text("extra", node.extra());
  json.number("free_memory", static_cast<int64_t>(node.free_memory_mb()));
  json.number("cpus", node.cpus());
  json.number("last_busy", node.last_busy());
  json.text("features", node.features());
  json.text("active_features", node.active_features());
  json.text("gres", node.gres());
  json.text("gres_drained", node.gres_drain().empty() ? "N/A" : node.gres_drain());
  json.text("gres_used", node.gres_used());
  json.text("mcs_label", "");
  json.text("name", node.name());
  json.text("next_state_after_reboot", "invalid");
  json.text("address", node.address());
  json.text("hostname", node.hostname());
}

void write_use(JsonWriter& json, const v1::NodeInfo& node) {
  json.text("operating_system", node.os());
  json.number_or_null("owner", node.has_owner_uid(), node.owner_uid());
  json.open_list("partitions");
  for (const std::string& partition : node.partitions()) json.text("", partition);
  json.close_list();
  json.number("port", node.port());
  json.number("real_memory", static_cast<int64_t>(node.memory_mb()));
  json.text("reason", node.reason());
  json.number("reason_changed_at", node.reason_time());
  if (node.reason_time()) {
    json.text("reason_set_by_user", node.reason_user());
  } else {
    json.null("reason_set_by_user");
  }
  json.number("slurmd_start_time", node.start_time());
  json.number("sockets", node.sockets());
  json.number("threads", node.threads_per_core());
  json.number("temporary_disk", static_cast<int64_t>(node.tmp_mb()));
  json.number("weight", node.weight());
  json.text("tres", node.cfg_tres());
  json.text("slurmd_version", node.version());
  json.number("alloc_memory", static_cast<int64_t>(node.alloc_mem_mb()));
  json.number("alloc_cpus", node.alloc_cpus());
  json.number("idle_cpus", int64_t{node.cpus()} - node.alloc_cpus());
  if (node.alloc_tres().empty()) {
    json.null("tres_used");
  } else {
    json.text("tres_used", node.alloc_tres());
  }
  json.real("tres_weighted", weighted(node));
}

}  // namespace

void append_nodes_json(std::string& out, const v1::NodesResponse& nodes) {
  JsonWriter json(out);
  json.open_object();
  write_json_meta(json);
  json.open_list("nodes");
  for (const v1::NodeInfo& node : nodes.nodes()) {
    json.open_object();
    write_hardware(json, node);
    write_state(json, node);
    json.open_list("next_state_after_reboot_flags");
    json.close_list();
    write_use(json, node);
    json.close_object();
  }
  json.close_list();
  json.close_object();
}

}  // namespace grappe
