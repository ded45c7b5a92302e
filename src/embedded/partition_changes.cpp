#include "embedded/partition_changes.h"

#include <algorithm>

#include "base/hostlist.h"
#include "base/log.h"
#include "base/text.h"
#include "model/config_partition_lines.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

using Request = v1::ChangePartitionRequest;

bool has_node_set(const Cluster& cluster, const std::string& name) {
  const auto& sets = cluster.config.node_sets;
  return std::any_of(sets.begin(), sets.end(),
                     [&](const NodeSetConfig& set) { return set.name == name; });
}

Status check_nodes(const Cluster& cluster, const std::string& hostlist) {
  if (hostlist.empty() || iequals(hostlist, "ALL")) return {};
  auto names = expand_hostlist(hostlist);
  if (!names) return slurm_fail(kErrInvalidNodeName);
  for (const std::string& name : *names) {
    if (!cluster.node(name) && !has_node_set(cluster, name)) {
      return slurm_fail(kErrInvalidNodeName);
    }
  }
  return {};
}

Status apply(const Cluster& cluster, const Request& request, PartitionConfig& config) {
  auto keys = partition_line_keys();
  auto default_time = config.default_time_min;
  for (const v1::Setting& setting : request.settings()) {
    auto key = std::find_if(keys.begin(), keys.end(),
                            [&](const auto& k) { return iequals(k.name, setting.key()); });
    if (key == keys.end()) return fail(kErrGeneric, "partitions have no setting " + setting.key());
    if (iequals(key->name, "PartitionName")) continue;
    if (!key->set) {
      return slurm_fail(kErrNotSupported, setting.key() + " of a partition has no effect here");
    }
    if (Status done = key->set(*key, setting.value(), config); !done) {
      return fail(kErrGeneric, done.error().message);
    }
  }
  if (Status known = check_nodes(cluster, config.nodes); !known) return known;
  // As in Slurm, a default that the limit forbids leaves the old one.
  if (config.default_time_min && *config.default_time_min > config.max_time_min) {
    config.default_time_min = default_time;
  }
  return {};
}

bool in_use(const State& state, const std::string& name) {
  auto asks = [&](uint32_t id) {
    const auto& asked = state.find(id)->partitions;
    return std::find(asked.begin(), asked.end(), name) != asked.end();
  };
  // Jobs that only clean up need it no more, as long as there is another one to count them in.
  const bool last = state.cluster.partitions.size() == 1;
  auto runs = [&](uint32_t id) { return asks(id) && (last || !state.find(id)->finished()); };
  const auto& reservations = state.cluster.reservations;
  const std::vector<uint32_t> pending = state.pending();
  return std::any_of(pending.begin(), pending.end(), asks) ||
         std::any_of(state.active().begin(), state.active().end(), runs) ||
         std::any_of(reservations.begin(), reservations.end(),
                     [&](const auto& r) { return r.second.partition == name; });
}

Status put(Cluster& cluster, const Request& request) {
  ClusterPartition* existing = cluster.partition(request.name());
  PartitionConfig config;
  if (request.action() == Request::CREATE) {
    config.name = request.name();
    config.min_nodes = 1;
  } else if (existing) {
    config = existing->config;
  } else {
    return slurm_fail(kErrInvalidPartition);
  }
  if (Status done = apply(cluster, request, config); !done) return done;
  if (config.is_default) {
    for (ClusterPartition& other : cluster.partitions) other.config.is_default = false;
  }
  (existing ? *existing : cluster.partitions.emplace_back()).config = std::move(config);
  derive(cluster);
  return {};
}

void remove(Cluster& cluster, const std::string& name) {
  std::erase_if(cluster.partitions, [&](const auto& p) { return p.config.name == name; });
}

// One record holds all that was changed of a partition, the last value of each key.
void remember(Core& core, const Request& request) {
  std::string& saved = core.state.cluster.partition_changes[request.name()];
  Request all;
  bool goes_on =
      request.action() == Request::UPDATE && !saved.empty() && all.ParseFromString(saved);
  if (!goes_on) {
    all = request;
  } else {
    for (const v1::Setting& setting : request.settings()) {
      auto& list = *all.mutable_settings();
      auto same = std::find_if(list.begin(), list.end(), [&](const v1::Setting& old) {
        return iequals(old.key(), setting.key());
      });
      if (same != list.end()) list.erase(same);
      *list.Add() = setting;
    }
  }
  saved = all.SerializeAsString();
  core.state.save_setting({"partition", request.name(), saved});
}

}  // namespace

Status change_partition(Core& core, const Caller& caller, const Request& request) {
  if (!caller.is_operator) return slurm_fail(kErrUserId);
  Cluster& cluster = core.state.cluster;
  bool exists = cluster.partition(request.name()) != nullptr;
  if (request.name().empty() || iequals(request.name(), "DEFAULT") ||
      exists != (request.action() != Request::CREATE)) {
    return slurm_fail(kErrInvalidPartition);
  }
  if (request.action() == Request::DELETE) {
    if (in_use(core.state, request.name())) return slurm_fail(kErrPartitionInUse);
    remove(cluster, request.name());
  } else if (Status done = put(cluster, request); !done) {
    return done;
  }
  remember(core, request);
  forget_arrivals(core);
  core.state.renew_limits();
  core.plan_wanted = true;
  log_info("partition {} {} by {}", request.name(),
           request.action() == Request::DELETE ? "deleted" : "changed", caller.user);
  return {};
}

void restore_partition(Core& core, const SavedSetting& setting) {
  Request request;
  if (!request.ParseFromString(setting.data)) return;
  Cluster& cluster = core.state.cluster;
  if (request.action() == Request::DELETE) {
    remove(cluster, request.name());
  } else if (Status done = put(cluster, request); !done) {
    log_warn("partition {}: {}", setting.name, done.error().message);
    return;
  }
  cluster.partition_changes[setting.name] = setting.data;
}

void forget_partition_changes(Core& core, const std::map<std::string, std::string>& changes) {
  for (const auto& [name, data] : changes) core.state.save_setting({"partition", name, ""});
}

}  // namespace grappe::embedded
