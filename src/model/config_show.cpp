#include "model/config_show.h"

#include <fmt/format.h>

#include "model/config_memory_keys.h"

namespace grappe {

namespace {

// The name a row is listed under; for some it depends on the value.
std::string listed_name(const ConfigKey& key, const ClusterConfig& config) {
  if (key.name == "DefMemPerNode") return show_default_memory(config.scheduling.memory).first;
  if (key.name == "MaxMemPerNode") return show_max_memory(config.scheduling.memory).first;
  if (key.name == "SlurmctldHost") return "SlurmctldHost[0]";
  return std::string(key.name);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> show_config(const ClusterConfig& config,
                                                             const ConfigFacts& facts) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const ConfigKey& key : config_keys()) {
    if (key.show == nullptr || key.name == "FrontendName") continue;
    if (key.visible != nullptr && !key.visible(config)) continue;
    lines.emplace_back(listed_name(key, config), key.show(key, config, facts));
  }
  return lines;
}

std::string show_controller(const ClusterConfig& config, const ConfigFacts& facts, bool up) {
  const auto& controllers = config.service.controllers;
  return fmt::format("Slurmctld(primary) at {} is {}",
                     controllers.empty() ? facts.host : controllers.front().name,
                     up ? "UP" : "DOWN");
}

}  // namespace grappe
