#include "embedded/nodes.h"

#include <fmt/core.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include <algorithm>
#include <map>

#include "base/hostlist.h"
#include "base/index_set.h"
#include "base/memory_size.h"
#include "base/text.h"
#include "embedded/finish.h"
#include "embedded/shrink.h"
#include "model/node_state.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

Result<std::vector<uint32_t>> nodes_named(const Cluster& cluster, const std::string& hostlist) {
  std::vector<uint32_t> out;
  if (hostlist.empty() || iequals(hostlist, "ALL")) {
    for (uint32_t i = 0; i < cluster.nodes.size(); ++i) out.push_back(i);
    return out;
  }
  auto names = expand_hostlist(hostlist);
  if (!names) return slurm_fail(kErrInvalidNodeName);
  for (const std::string& name : *names) {
    auto found = cluster.node_index.find(name);
    if (found == cluster.node_index.end()) return slurm_fail(kErrInvalidNodeName);
    out.push_back(found->second);
  }
  return out;
}

// "gpu:a100:2" and, with indexes, "gpu:a100:2(IDX:0-1)".
struct GresTexts {
  std::string used, used_detail;
};

GresTexts gres_used(const ClusterNode& node) {
  std::map<std::string, std::vector<uint32_t>> used;
  for (uint32_t i = 0; i < node.machine.devices.size(); ++i) {
    const MachineDevice& device = node.machine.devices[i];
    std::string name = device.type.empty() ? device.name : device.name + ":" + device.type;
    auto& indexes = used[name];
    if (node.used_devices.test(i)) indexes.push_back(device.index);
  }
  GresTexts out;
  for (const auto& [name, indexes] : used) {
    std::string separator = out.used.empty() ? "" : ",";
    std::string list;
    for (uint32_t index : indexes) list += (list.empty() ? "" : ",") + std::to_string(index);
    out.used += fmt::format("{}{}:{}", separator, name, indexes.size());
    out.used_detail += fmt::format("{}{}:{}(IDX:{})", separator, name, indexes.size(),
                                   list.empty() ? "N/A" : list);
  }
  return out;
}

std::string node_tres(const ClusterNode& node, bool allocated) {
  const MachineNode& machine = node.machine;
  uint64_t cpus = allocated ? node.used_cpus.count() : machine.topology.cpus;
  uint64_t memory = allocated ? node.used_memory_mb : machine.memory_mb;
  std::map<std::string, uint64_t> gres;
  for (uint32_t i = 0; i < machine.devices.size(); ++i) {
    if (allocated && !node.used_devices.test(i)) continue;
    const MachineDevice& device = machine.devices[i];
    ++gres["gres/" + device.name];
    if (!device.type.empty()) ++gres["gres/" + device.name + ":" + device.type];
  }
  if (allocated && cpus == 0 && memory == 0 && gres.empty()) return "";
  std::string out = fmt::format("cpu={}", cpus);
  if (memory) out += ",mem=" + format_megabytes(memory);
  if (!allocated) out += fmt::format(",billing={}", cpus);
  for (const auto& [name, count] : gres) out += fmt::format(",{}={}", name, count);
  return out;
}

void fill_machine(const Core& core, v1::NodeInfo& out) {
  static const std::pair<std::string, std::string> kSystem = [] {
    utsname name{};
    uname(&name);
    return std::pair<std::string, std::string>(
        fmt::format("{} {} {}", name.sysname, name.release, name.version), name.machine);
  }();
  out.set_os(kSystem.first);
  out.set_arch(kSystem.second);
  struct sysinfo info {};
  sysinfo(&info);
  out.set_free_memory_mb(info.freeram * info.mem_unit >> 20);
  out.set_cpu_load_hundredths(static_cast<uint32_t>(info.loads[0] * 100 / 65536));
  out.set_boot_time(core.now - info.uptime);
  out.set_start_time(core.counters.since);
  out.set_version("22.05.8");
}

void fill_node(const Core& core, const ClusterNode& node, v1::NodeInfo& out) {
  const MachineNode& machine = node.machine;
  fill_machine(core, out);
  out.set_name(machine.name);
  out.set_hostname(machine.hostname);
  out.set_address(machine.address);
  out.set_port(static_cast<uint32_t>(parse_uint(machine.port, 65535).value_or(0)));
  out.set_cpus(machine.topology.cpus);
  out.set_boards(machine.topology.boards);
  out.set_sockets(machine.topology.sockets);
  out.set_cores_per_socket(machine.topology.cores_per_socket);
  out.set_threads_per_core(machine.topology.threads_per_core);
  out.set_memory_mb(machine.memory_mb);
  out.set_tmp_mb(machine.tmp_mb);
  out.set_weight(machine.weight);
  out.set_features(join(machine.features, ","));
  out.set_active_features(join(machine.active_features(), ","));
  out.set_gres(machine.gres);
  GresTexts used = gres_used(node);
  out.set_gres_used(used.used);
  out.set_gres_used_detail(used.used_detail);
  out.set_gres_drain("N/A");
  out.set_state(node.state());
  out.set_reason(node.reason);
  out.set_reason_uid(node.reason_uid);
  out.set_reason_user(node.reason_user);
  out.set_reason_time(node.reason_time);
  out.set_alloc_cpus(node.used_cpus.count());
  out.set_alloc_mem_mb(node.used_memory_mb);
  out.set_alloc_tres(node_tres(node, true));
  out.set_cfg_tres(node_tres(node, false));
  out.set_last_busy(node.last_busy ? node.last_busy : core.counters.since);
  out.set_comment(node.comment);
  out.set_extra(node.extra);
  out.set_cpu_spec_list(format_index_set(machine.spec_cpus));
  out.set_mem_spec_mb(machine.mem_spec_mb);
  for (const std::string& sentence : core.unconfined) out.add_unconfined(sentence);
  for (const ClusterPartition& partition : core.state.cluster.partitions) {
    const auto& members = partition.nodes;
    uint32_t index = core.state.cluster.node_index.at(machine.name);
    if (std::find(members.begin(), members.end(), index) != members.end()) {
      out.add_partitions(partition.config.name);
    }
  }
}

void save_node(Core& core, const ClusterNode& node) {
  v1::UpdateNodeRequest kept;
  kept.set_state(
      fmt::format("{}:{}", node.down ? 1 : 0, node.flags & ~(kNodeReserved | kNodeMaint)));
  kept.set_reason(node.reason);
  kept.set_comment(node.comment);
  kept.set_extra(node.extra);
  kept.set_weight(node.machine.weight);
  kept.set_features(join(node.machine.features, ","));
  // Who and when, in fields that a saved node has no other use for.
  kept.set_hostname(fmt::format("{}:{}:{}", node.reason_uid, node.reason_time, node.reason_user));
  core.state.save_setting({"node", node.machine.name, kept.SerializeAsString()});
}

void end_jobs_on(Core& core, uint32_t index) {
  std::vector<uint32_t> active(core.state.active().begin(), core.state.active().end());
  for (uint32_t id : active) {
    const Job* job = core.state.find(id);
    bool here = std::any_of(job->allocation.begin(), job->allocation.end(),
                            [&](const NodeAllocation& share) { return share.node == index; });
    if (!here || job->finished()) continue;
    if (job->spec->no_kill() && survive_node(core, id, index)) continue;
    bool again = job->spec->batch() && (!job->spec->has_requeue() || job->spec->requeue());
    if (again) core.state.edit(id).requeue_after = true;
    end_job(core, id, JobState::kNodeFail, Reason::kNodeDown, 0);
  }
}

void forget_reason(ClusterNode& node) {
  node.reason.clear();
  node.reason_time = 0;
  node.reason_user.clear();
}

// The words of `scontrol update NodeName=... State=...`.
Status set_state(Core& core, uint32_t index, const std::string& word, bool has_reason) {
  ClusterNode& node = core.state.cluster.nodes.at(index);
  if (iequals(word, "drain") || iequals(word, "draining")) {
    if (!has_reason && node.reason.empty()) return slurm_fail(kErrInvalidNodeState);
    node.flags |= kNodeDrain;
  } else if (iequals(word, "undrain")) {
    node.flags &= ~kNodeDrain;
    if (!node.down && !(node.flags & kNodeFailing)) forget_reason(node);
  } else if (iequals(word, "resume") && !node.down && !(node.flags & (kNodeDrain | kNodeFailing))) {
    return slurm_fail(kErrInvalidNodeState);
  } else if (iequals(word, "resume") || iequals(word, "idle")) {
    node.flags &= ~(kNodeDrain | kNodeFailing);
    node.down = false;
    forget_reason(node);
  } else if (iequals(word, "down")) {
    node.down = true;
    end_jobs_on(core, index);
  } else if (iequals(word, "fail")) {
    node.flags |= kNodeFailing;
  } else {
    return slurm_fail(kErrInvalidNodeState);
  }
  core.plan_wanted = true;
  return {};
}

std::vector<std::string> feature_names(const std::string& text) {
  std::vector<std::string> names;
  for (std::string_view name : split_words(text, ",")) names.emplace_back(name);
  return names;
}

// What a node can have, and what of it it has. New ones that it can have it has at once, but never
// does it lose one that is active by the way.
Status set_features(const v1::UpdateNodeRequest& request, MachineNode& node) {
  if (!request.has_features() && !request.has_active_features()) return {};
  const auto available = request.has_features() ? feature_names(request.features()) : node.features;
  const auto active = request.has_active_features() ? feature_names(request.active_features())
                                                    : node.active_features();
  for (const std::string& name : active) {
    if (std::find(available.begin(), available.end(), name) == available.end()) {
      return slurm_fail(kErrActiveFeatures);
    }
  }
  node.features = available;
  node.chosen_features.reset();
  if (request.has_active_features()) node.chosen_features = active;
  return {};
}

}  // namespace

Result<v1::NodesResponse> list_nodes(const Core& core, const v1::NodesRequest& request) {
  auto indexes = nodes_named(core.state.cluster, request.nodes());
  if (!indexes) return tl::unexpected(indexes.error());
  v1::NodesResponse response;
  response.set_now(core.now);
  for (uint32_t i : *indexes) fill_node(core, core.state.cluster.nodes[i], *response.add_nodes());
  return response;
}

Status update_nodes(Core& core, const Caller& caller, const v1::UpdateNodeRequest& request) {
  if (!caller.is_operator) return slurm_fail(kErrUserId);
  if (request.action() != v1::UpdateNodeRequest::UPDATE) {
    return slurm_fail(kErrNotSupported,
                      "nodes are added and removed in slurm.conf, then scontrol reconfigure");
  }
  auto indexes = nodes_named(core.state.cluster, request.nodes());
  if (!indexes) return tl::unexpected(indexes.error());
  Status outcome;  // one node that is refused does not keep the others from being changed
  for (uint32_t i : *indexes) {
    ClusterNode& node = core.state.cluster.nodes[i];
    if (request.has_reason() && !request.reason().empty()) {
      node.reason = request.reason();
      node.reason_uid = caller.uid;
      node.reason_user = caller.user;
      node.reason_time = core.now;
    }
    if (!request.state().empty()) {
      Status done = set_state(core, i, request.state(), request.has_reason());
      if (!done) {
        outcome = done;
        continue;
      }
    }
    if (request.has_comment()) node.comment = request.comment();
    if (request.has_extra()) node.extra = request.extra();
    if (request.has_weight()) node.machine.weight = request.weight();
    if (Status done = set_features(request, node.machine); !done) {
      outcome = done;
      continue;
    }
    if (request.has_features()) derive(core.state.cluster);
    if (request.has_gres()) {
      return slurm_fail(kErrInvalidGres,
                        "the Gres of a node is what gres.conf and the hardware "
                        "say: it can't be set");
    }
    save_node(core, node);
  }
  return outcome;
}

void drain_node(Core& core, uint32_t index, const std::string& reason) {
  ClusterNode& node = core.state.cluster.nodes.at(index);
  node.flags |= kNodeDrain;
  node.reason = reason;
  node.reason_time = core.now;
  node.reason_uid = core.site.owner;
  node.reason_user = core.site.owner_name;
  save_node(core, node);
}

void restore_node(Core& core, const SavedSetting& setting) {
  auto found = core.state.cluster.node_index.find(setting.name);
  v1::UpdateNodeRequest kept;
  if (found == core.state.cluster.node_index.end() || !kept.ParseFromString(setting.data)) return;
  ClusterNode& node = core.state.cluster.nodes[found->second];
  auto state = split(kept.state(), ':');
  if (state.size() == 2) {
    node.down = state[0] == "1";
    node.flags = static_cast<uint32_t>(parse_uint(state[1]).value_or(0));
  }
  node.reason = kept.reason();
  node.comment = kept.comment();
  node.extra = kept.extra();
  auto who = split(kept.hostname(), ':');
  if (who.size() == 3) {
    node.reason_uid = static_cast<uid_t>(parse_uint(who[0]).value_or(0));
    node.reason_time = static_cast<int64_t>(parse_uint(who[1]).value_or(0));
    node.reason_user = who[2];
  }
}

}  // namespace grappe::embedded
