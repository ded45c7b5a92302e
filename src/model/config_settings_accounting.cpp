// Settings of accounting, priority and scheduling.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "model/config_options.h"
#include "model/config_settings.h"
#include "model/config_values.h"

namespace grappe::config_rows {

namespace {

using Warnings = ConfigKey::Warnings;

constexpr std::array<FlagWord<AccountingEnforce>, 7> kEnforceWords = {{
    {"associations", &AccountingEnforce::associations},
    {"limits", &AccountingEnforce::limits},
    {"nojobs", &AccountingEnforce::nojobs},
    {"nosteps", &AccountingEnforce::nosteps},
    {"qos", &AccountingEnforce::qos},
    {"safe", &AccountingEnforce::safe},
    {"wckeys", &AccountingEnforce::wckeys},
}};

constexpr std::array<FlagWord<AccountingStoreFlags>, 3> kStoreWords = {{
    {"job_comment", &AccountingStoreFlags::job_comment},
    {"job_env", &AccountingStoreFlags::job_env},
    {"job_script", &AccountingStoreFlags::job_script},
}};

constexpr std::array<FlagWord<PriorityFlags>, 12> kPriorityWords = {{
    {"ACCRUE_ALWAYS", &PriorityFlags::accrue_always},
    {"SMALL_RELATIVE_TO_TIME", &PriorityFlags::small_relative_to_time},
    {"CALCULATE_RUNNING", &PriorityFlags::calculate_running},
    {"DEPTH_OBLIVIOUS", &PriorityFlags::depth_oblivious},
    {"NO_FAIR_TREE", &PriorityFlags::no_fair_tree},
    {"INCR_ONLY", &PriorityFlags::incr_only},
    {"MAX_TRES", &PriorityFlags::max_tres},
    {"MAX_TRES_GRES", &PriorityFlags::max_tres_gres},
    {"NO_NORMAL_ASSOC", &PriorityFlags::no_normal_assoc},
    {"NO_NORMAL_PART", &PriorityFlags::no_normal_part},
    {"NO_NORMAL_QOS", &PriorityFlags::no_normal_qos},
    {"NO_NORMAL_TRES", &PriorityFlags::no_normal_tres},
}};
constexpr std::string_view kNoNormalParts =
    "NO_NORMAL_ASSOC,NO_NORMAL_PART,NO_NORMAL_QOS,NO_NORMAL_TRES";

constexpr std::array<OptionWord<SchedulingConfig>, 3> kDependencyWords = {{
    {"disable_remote_singleton"},
    {"kill_invalid_depend", &SchedulingConfig::kill_invalid_depend},
    {"max_depend_depth", nullptr, &SchedulingConfig::max_depend_depth},
}};

constexpr std::array<OptionWord<AccountingConfig>, 3> kGatherWords = {{
    {"NoShared", &AccountingConfig::gather_no_shared},
    {"OverMemoryKill", &AccountingConfig::gather_over_memory_kill},
    {"UsePss", &AccountingConfig::gather_use_pss},
}};

constexpr std::array<std::string_view, 8> kCountedTres = {"cpu",     "mem",     "energy", "node",
                                                          "billing", "fs/disk", "vmem",   "pages"};

constexpr std::array<std::string_view, 7> kUsageResets = {"NONE",    "NOW",       "DAILY", "WEEKLY",
                                                          "MONTHLY", "QUARTERLY", "YEARLY"};

}  // namespace

Status set_accounting_enforce(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                              Warnings& warnings) {
  AccountingEnforce enforce;
  for (const std::string& item : read_list(value)) {
    const bool all = iequals(item, "all");
    if (iequals(item, "none") || item == "0") continue;
    Status set = read_flags<AccountingEnforce>(
        key.name, all ? "associations,limits,qos,safe,wckeys" : item, kEnforceWords, enforce);
    if (!set) return set;
  }
  enforce.limits |= enforce.safe;
  enforce.associations |= enforce.limits || enforce.qos || enforce.wckeys;
  enforce.nosteps |= enforce.nojobs;
  if (enforce.nojobs || enforce.nosteps) {
    warnings.push_back(
        "AccountingStorageEnforce: nojobs and nosteps have no effect: the history of jobs and "
        "steps "
        "is always kept");
  }
  config.accounting.enforce = enforce;
  if (enforce.wckeys) config.accounting.track_wckey = true;
  return {};
}
std::string show_accounting_enforce(const ConfigKey&, const ClusterConfig& config,
                                    const ConfigFacts&) {
  const std::string shown = show_flags<AccountingEnforce>(config.accounting.enforce, kEnforceWords);
  return shown.empty() ? "none" : shown;
}

Status set_accounting_store_flags(const ConfigKey& key, std::string_view value,
                                  ClusterConfig& config, Warnings&) {
  config.accounting.store_flags = {};
  if (iequals(value, "none")) return {};
  return read_flags<AccountingStoreFlags>(key.name, value, kStoreWords,
                                          config.accounting.store_flags);
}
std::string show_accounting_store_flags(const ConfigKey&, const ClusterConfig& config,
                                        const ConfigFacts&) {
  return null_or(show_flags<AccountingStoreFlags>(config.accounting.store_flags, kStoreWords));
}

std::string show_accounting_tres(const ConfigKey&, const ClusterConfig& config,
                                 const ConfigFacts&) {
  std::vector<std::string> shown(kCountedTres.begin(), kCountedTres.end());
  for (const std::string& tres : config.accounting.tres) {
    const bool known = std::find_if(shown.begin(), shown.end(), [&](const std::string& other) {
                         return iequals(other, tres);
                       }) != shown.end();
    if (!known) shown.push_back(tres);
  }
  return join(shown, ",");
}

Status set_dependency(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                      Warnings& warnings) {
  SchedulingConfig& scheduling = config.scheduling;
  scheduling.dependency_parameters = value;
  scheduling.kill_invalid_depend = false;
  scheduling.max_depend_depth = SchedulingConfig().max_depend_depth;
  return read_options<SchedulingConfig>(key.name, value, kDependencyWords, scheduling, warnings);
}

Status set_gather_frequency(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                            Warnings& warnings) {
  for (const std::string& item : read_list(value)) {
    const std::size_t equals = item.find('=');
    const bool named = equals != std::string::npos;
    const std::string kind = named ? to_lower(item.substr(0, equals)) : "task";
    Result<std::uint64_t> interval =
        read_number(key.name, named ? item.substr(equals + 1) : item, 0, kInfinite - 2);
    if (!interval) return tl::unexpected(interval.error());
    if (kind == "task") {
      config.accounting.gather_task_s = static_cast<std::uint32_t>(*interval);
    } else if (kind == "energy" || kind == "network" || kind == "filesystem") {
      if (*interval != 0) {
        warnings.push_back(fmt::format("{}: {} has no effect here", key.name, kind));
      }
    } else {
      return invalid_option(key.name, item);
    }
  }
  config.accounting.gather_frequency = value;
  return {};
}

Status set_gather_params(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                         Warnings& warnings) {
  AccountingConfig& accounting = config.accounting;
  accounting.gather_params = value;
  accounting.gather_no_shared = accounting.gather_over_memory_kill = accounting.gather_use_pss =
      false;
  return read_options<AccountingConfig>(key.name, value, kGatherWords, accounting, warnings);
}

Status set_licenses(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                    Warnings&) {
  auto licenses = read_licenses(key.name, value);
  if (!licenses) return tl::unexpected(licenses.error());
  config.licenses = std::move(*licenses);
  return {};
}
std::string show_licenses(const ConfigKey&, const ClusterConfig& config, const ConfigFacts&) {
  std::string shown;
  for (const LicenseConfig& license : config.licenses) {
    if (!shown.empty()) shown += ',';
    shown += license.total == 1 ? license.name : fmt::format("{}:{}", license.name, license.total);
  }
  return null_or(shown);
}

Status set_preempt_mode(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                        Warnings& warnings) {
  auto mode = read_preempt_mode(key.name, value);
  if (!mode) return tl::unexpected(mode.error());
  if (mode->gang) {
    warnings.push_back(
        "PreemptMode: GANG has no effect: jobs do not take turns on the same CPUs (no time "
        "slices)");
  }
  config.scheduling.preempt_mode = *mode;
  return {};
}
std::string show_preempt_mode_key(const ConfigKey&, const ClusterConfig& config,
                                  const ConfigFacts&) {
  return show_preempt_mode(config.scheduling.preempt_mode);
}

Status set_priority_flags(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                          Warnings&) {
  PriorityFlags flags;
  for (const std::string& item : read_list(value)) {
    const bool all = iequals(item, "NO_NORMAL_ALL");
    if (iequals(item, "FAIR_TREE")) continue;  // the default
    Status set =
        read_flags<PriorityFlags>(key.name, all ? kNoNormalParts : item, kPriorityWords, flags);
    if (!set) return set;
  }
  flags.no_fair_tree |= flags.depth_oblivious;
  config.priority.flags = flags;
  return {};
}
std::string show_priority_flags(const ConfigKey&, const ClusterConfig& config, const ConfigFacts&) {
  std::string shown = show_flags<PriorityFlags>(config.priority.flags, kPriorityWords);
  const std::size_t parts = shown.find(kNoNormalParts);
  if (parts != std::string::npos) shown.replace(parts, kNoNormalParts.size(), "NO_NORMAL_ALL");
  return shown;
}

// A word that we have not heard of is another plugin's.
Status set_priority_parameters(const ConfigKey&, std::string_view value, ClusterConfig& config,
                               Warnings&) {
  config.priority.parameters = value;
  config.priority.fair_tree_of_slurm = false;
  for (const std::string& item : read_list(value)) {
    config.priority.fair_tree_of_slurm |= iequals(item, "fair_tree=slurm");
  }
  return {};
}

Status set_priority_tres(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                         Warnings&) {
  auto weights = read_tres_weights(key.name, value);
  if (!weights) return tl::unexpected(weights.error());
  // In the order in which Slurm counts resources, which is that of its answers.
  auto place = [](const TresWeight& weight) {
    return std::find(kCountedTres.begin(), kCountedTres.end(), weight.tres) - kCountedTres.begin();
  };
  std::stable_sort(weights->begin(), weights->end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
  config.priority.weight_tres_text = value;
  config.priority.weight_tres = std::move(*weights);
  return {};
}

Status set_select(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                  Warnings& warnings) {
  auto select = read_select(key.name, value);
  if (!select) return tl::unexpected(select.error());
  SelectParameters given_out;
  given_out.unit = select->unit == ConsumableUnit::kCpu ? select->unit : given_out.unit;
  if (*select != given_out) {
    warnings.push_back(fmt::format("{}={}: CPUs and memory are given out as with CR_Core_Memory",
                                   key.name, value));
  }
  config.scheduling.select = *select;
  return {};
}
std::string show_select_key(const ConfigKey&, const ClusterConfig& config, const ConfigFacts&) {
  return show_select(config.scheduling.select);
}

Status set_usage_reset(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                       Warnings&) {
  for (std::size_t i = 0; i < kUsageResets.size(); ++i) {
    if (!iequals(value, kUsageResets[i])) continue;
    config.priority.usage_reset = static_cast<UsageReset>(i);
    return {};
  }
  return invalid_option(key.name, value);
}
std::string show_usage_reset(const ConfigKey&, const ClusterConfig& config, const ConfigFacts&) {
  return std::string(kUsageResets[static_cast<std::size_t>(config.priority.usage_reset)]);
}

// The number of records that Slurm queues for its database when nothing is set.
std::string show_max_dbd_msgs(const ConfigKey&, const ClusterConfig& config,
                              const ConfigFacts& facts) {
  const std::uint64_t messages =
      std::uint64_t{config.limits.max_job_count} * 2 + std::uint64_t{facts.node_count} * 4;
  return std::to_string(std::max<std::uint64_t>(10000, messages));
}

}  // namespace grappe::config_rows
