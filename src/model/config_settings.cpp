// Settings of the service, of jobs and of the programs around them.
#include "model/config_settings.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "model/config_options.h"
#include "model/config_values.h"

namespace grappe::config_rows {

namespace {

using Warnings = ConfigKey::Warnings;

constexpr std::array<FlagWord<PrivateData>, 8> kPrivateWords = {{
    {"accounts", &PrivateData::accounts},
    {"events", &PrivateData::events},
    {"jobs", &PrivateData::jobs},
    {"nodes", &PrivateData::nodes},
    {"partitions", &PrivateData::partitions},
    {"reservations", &PrivateData::reservations},
    {"usage", &PrivateData::usage},
    {"users", &PrivateData::users},
}};

constexpr std::array<FlagWord<PrologFlags>, 6> kPrologWords = {{
    {"Alloc", &PrologFlags::alloc},
    {"Contain", &PrologFlags::contain},
    {"DeferBatch", &PrologFlags::defer_batch},
    {"NoHold", &PrologFlags::nohold},
    {"Serial", &PrologFlags::serial},
    {"X11", &PrologFlags::x11},
}};

constexpr std::array<OptionWord<JobsConfig>, 11> kLaunchWords = {{
    {"batch_step_set_cpu_freq"},
    {"cray_net_exclusive"},
    {"enable_nss_slurm"},
    {"lustre_no_flush"},
    {"mem_sort"},
    {"mpir_use_nodeaddr"},
    {"disable_send_gids"},
    {"slurmstepd_memlock"},
    {"slurmstepd_memlock_all"},
    {"test_exec"},
    {"use_interactive_step"},
}};

constexpr std::array<OptionWord<JobsConfig>, 4> kAuthWords = {{
    {"cred_expire", nullptr, &JobsConfig::cred_expire_s},
    {"socket"},
    {"ttl"},
    {"use_client_ids"},
}};

constexpr std::array<OptionWord<JobsConfig>, 3> kBcastWords = {{
    {"Compression"},
    {"DestDir", nullptr, nullptr, &JobsConfig::bcast_dest_dir},
    {"send_libs", &JobsConfig::bcast_send_libs},
}};

constexpr std::array<OptionWord<ServiceConfig>, 13> kSlurmctldWords = {{
    {"allow_user_triggers"},
    {"cloud_dns"},
    {"cloud_reg_addrs"},
    {"enable_configless"},
    {"enable_rpc_queue"},
    {"idle_on_node_suspend"},
    {"max_dbd_msg_action"},
    {"node_reg_mem_percent"},
    {"power_save_interval"},
    {"power_save_min_interval"},
    {"preempt_send_user_signal"},
    {"reboot_from_controller"},
    {"user_resv_delete", &ServiceConfig::user_resv_delete},
}};

constexpr std::array<OptionWord<ServiceConfig>, 4> kSlurmdWords = {{
    {"config_overrides", &ServiceConfig::config_overrides},
    {"l3cache_as_socket"},
    {"numa_node_as_socket"},
    {"shutdown_on_reboot"},
}};

// Slurm's order of showing, with ANY as the absence of the others.
constexpr std::array<std::string_view, 5> kHealthStates = {"ANY", "CYCLE", "IDLE", "ALLOC",
                                                           "MIXED"};

constexpr std::array<std::string_view, 10> kLogLevels = {
    "quiet", "fatal", "error", "info", "verbose", "debug", "debug2", "debug3", "debug4", "debug5"};

constexpr std::array<std::string_view, 12> kResourceLimits = {"ALL",    "NONE",  "AS",    "CORE",
                                                              "CPU",    "DATA",  "FSIZE", "MEMLOCK",
                                                              "NOFILE", "NPROC", "RSS",   "STACK"};

// The words of `value` in capitals, each one of `known`.
template <std::size_t n>
Result<std::vector<std::string>> read_words(std::string_view key, std::string_view value,
                                            const std::array<std::string_view, n>& known) {
  std::vector<std::string> words;
  for (const std::string& item : read_list(value)) {
    auto word = std::find_if(known.begin(), known.end(),
                             [&](std::string_view w) { return iequals(w, item); });
    if (word == known.end()) return invalid_option(key, item);
    words.emplace_back(*word);
  }
  return words;
}

}  // namespace

Status set_auth_info(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                     Warnings& warnings) {
  config.jobs.auth_info = value;
  config.jobs.cred_expire_s = JobsConfig().cred_expire_s;
  return read_options<JobsConfig>(key.name, value, kAuthWords, config.jobs, warnings);
}

Status set_bcast(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                 Warnings& warnings) {
  config.jobs.bcast_parameters = value;
  config.jobs.bcast_dest_dir.clear();
  config.jobs.bcast_send_libs = false;
  return read_options<JobsConfig>(key.name, value, kBcastWords, config.jobs, warnings);
}

Status set_controller(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                      Warnings& warnings) {
  const std::size_t open = value.find('(');
  ControllerHost host{std::string(value.substr(0, open)), {}};
  if (open != std::string_view::npos) {
    if (!value.ends_with(')')) return invalid_option(key.name, value);
    host.address = value.substr(open + 1, value.size() - open - 2);
  }
  if (!config.service.controllers.empty()) {
    warnings.push_back(
        fmt::format("{}={} has no effect: there is no backup controller", key.name, host.name));
  }
  config.service.controllers.push_back(std::move(host));
  return {};
}

Status set_enforce_part_limits(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                               Warnings&) {
  PartLimitsPolicy& policy = config.jobs.enforce_part_limits;
  if (iequals(value, "ALL")) {
    policy = PartLimitsPolicy::kAll;
  } else if (iequals(value, "ANY") || iequals(value, "YES")) {
    policy = PartLimitsPolicy::kAny;
  } else if (iequals(value, "NO")) {
    policy = PartLimitsPolicy::kNo;
  } else {
    return invalid_option(key.name, value);
  }
  return {};
}
std::string show_enforce_part_limits(const ConfigKey&, const ClusterConfig& config,
                                     const ConfigFacts&) {
  constexpr std::array<std::string_view, 3> kNames = {"NO", "ANY", "ALL"};
  return std::string(kNames[static_cast<std::size_t>(config.jobs.enforce_part_limits)]);
}

Status set_health_check_state(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                              Warnings&) {
  auto words = read_words(key.name, value, kHealthStates);
  if (!words) return tl::unexpected(words.error());
  std::vector<std::string>& states = config.hooks.health_check_node_state;
  states.clear();
  for (std::string_view word : kHealthStates) {
    if (std::find(words->begin(), words->end(), word) != words->end()) states.emplace_back(word);
  }
  return {};
}

Status set_launch(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                  Warnings& warnings) {
  JobsConfig& jobs = config.jobs;
  jobs.launch_parameters = value;
  return read_options<JobsConfig>(key.name, value, kLaunchWords, jobs, warnings);
}

Status set_log_level(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                     Warnings&) {
  auto level = parse_uint(value, kLogLevels.size() - 1);
  for (std::size_t i = 0; i < kLogLevels.size() && !level; ++i) {
    if (iequals(value, kLogLevels[i])) level = i;
  }
  if (!level) return invalid_option(key.name, value);
  config.service.slurmctld_debug = kLogLevels[*level];
  return {};
}

Status set_min_job_age(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                       Warnings& warnings) {
  Result<std::uint64_t> age = read_number(key.name, value, 0, kInfinite - 2);
  if (!age) return tl::unexpected(age.error());
  if (*age < 2) warnings.push_back("MinJobAge must be at least 2");
  config.limits.min_job_age_s = std::max<std::uint32_t>(2, static_cast<std::uint32_t>(*age));
  return {};
}

Status set_private_data(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                        Warnings& warnings) {
  PrivateData data;
  for (const std::string& item : read_list(value)) {
    if (iequals(item, "none")) continue;
    if (iequals(item, "cloud")) {
      warnings.push_back(fmt::format("{}: cloud has no effect here", key.name));
      continue;
    }
    Status set =
        read_flags<PrivateData>(key.name,
                                iequals(item, "all") ? "accounts,events,jobs,nodes,partitions,"
                                                       "reservations,usage,users"
                                                     : std::string_view(item),
                                kPrivateWords, data);
    if (!set) return set;
  }
  config.service.private_data = data;
  return {};
}
std::string show_private_data(const ConfigKey&, const ClusterConfig& config, const ConfigFacts&) {
  const std::string shown = show_flags<PrivateData>(config.service.private_data, kPrivateWords);
  return shown.empty() ? "none" : shown;
}

Status set_prolog_flags(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                        Warnings& warnings) {
  PrologFlags flags;
  if (Status set = read_flags<PrologFlags>(key.name, value, kPrologWords, flags); !set) return set;
  if (flags.nohold && (flags.contain || flags.x11)) {
    return fail(
        "PrologFlags invalid combination: NoHold cannot be combined with Contain and/or X11");
  }
  flags.contain |= flags.x11;
  flags.alloc |= flags.contain || flags.nohold || flags.defer_batch;
  config.hooks.prolog_flags = flags;
  if (flags != PrologFlags()) {
    warnings.push_back(fmt::format(
        "{}={} has no effect: the prolog runs before the first step of a job", key.name, value));
  }
  return {};
}
std::string show_prolog_flags(const ConfigKey&, const ClusterConfig& config, const ConfigFacts&) {
  return null_or(show_flags<PrologFlags>(config.hooks.prolog_flags, kPrologWords));
}

Status set_prolog_timeout(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                          Warnings&) {
  Result<std::uint64_t> seconds = read_number(key.name, value, 0, 65534);
  if (!seconds) return tl::unexpected(seconds.error());
  config.hooks.prolog_epilog_timeout_s.reset();
  if (*seconds != 65534) {
    config.hooks.prolog_epilog_timeout_s = static_cast<std::uint32_t>(*seconds);
  }
  return {};
}
std::string show_prolog_timeout(const ConfigKey&, const ClusterConfig& config, const ConfigFacts&) {
  return std::to_string(config.hooks.prolog_epilog_timeout_s.value_or(65534));
}

Status set_propagate(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                     Warnings&) {
  auto words = read_words(key.name, value, kResourceLimits);
  if (!words) return tl::unexpected(words.error());
  config.jobs.propagate_limits = std::move(*words);
  config.jobs.propagate_limits_except.clear();
  return {};
}
Status set_propagate_except(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                            Warnings&) {
  auto words = read_words(key.name, value, kResourceLimits);
  if (!words) return tl::unexpected(words.error());
  config.jobs.propagate_limits_except = std::move(*words);
  config.jobs.propagate_limits = {"ALL"};
  return {};
}
// Slurm shows only one of the two.
std::string show_propagate(const ConfigKey&, const ClusterConfig& config, const ConfigFacts&) {
  if (!config.jobs.propagate_limits_except.empty()) return "(null)";
  return null_or(join(config.jobs.propagate_limits, ","));
}

Status set_slurmctld_parameters(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                                Warnings& warnings) {
  ServiceConfig& service = config.service;
  service.slurmctld_parameters = value;
  service.user_resv_delete = false;
  return read_options<ServiceConfig>(key.name, value, kSlurmctldWords, service, warnings);
}

Status set_slurmd_parameters(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                             Warnings& warnings) {
  ServiceConfig& service = config.service;
  service.slurmd_parameters = value;
  service.config_overrides = false;
  return read_options<ServiceConfig>(key.name, value, kSlurmdWords, service, warnings);
}

Status set_task_plugin(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                       Warnings&) {
  TaskConfig& task = config.jobs.task;
  std::vector<std::string> plugins;
  bool affinity = false;
  bool cgroup = false;
  for (const std::string& item : read_list(value)) {
    const std::string name = to_lower(istarts_with(item, "task/") ? item.substr(5) : item);
    if (name != "affinity" && name != "cgroup" && name != "none") {
      return invalid_option(key.name, item);
    }
    affinity |= name == "affinity";
    cgroup |= name == "cgroup";
    plugins.push_back("task/" + name);
  }
  task.plugins = std::move(plugins);
  task.affinity = affinity;
  task.cgroup = cgroup;
  return {};
}

Status set_task_params(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                       Warnings&) {
  TaskConfig task = config.jobs.task;
  task.verbose = task.slurmd_off_spec = false;
  task.cpu_bind = task.autobind = CpuBindDefault::kUnset;
  for (const std::string& item : read_list(value)) {
    const std::string word = to_lower(item);
    const bool automatic = word.starts_with("autobind=");
    if (word == "verbose") {
      task.verbose = true;
    } else if (word == "slurmdoffspec") {
      task.slurmd_off_spec = true;
    } else {
      auto bind = read_cpu_bind(key.name, automatic ? word.substr(9) : word);
      if (!bind) return invalid_option(key.name, item);
      CpuBindDefault& which = automatic ? task.autobind : task.cpu_bind;
      if (which != CpuBindDefault::kUnset) {
        return fail(
            fmt::format("{} can have only one of None, Sockets, Cores and Threads", key.name));
      }
      which = *bind;
    }
  }
  config.jobs.task = std::move(task);
  return {};
}
std::string show_task_params(const ConfigKey&, const ClusterConfig& config, const ConfigFacts&) {
  const TaskConfig& task = config.jobs.task;
  std::vector<std::string> words;
  if (task.verbose) words.emplace_back("verbose");
  if (task.cpu_bind != CpuBindDefault::kUnset) words.emplace_back(show_cpu_bind(task.cpu_bind));
  if (task.autobind != CpuBindDefault::kUnset) {
    words.push_back(fmt::format("autobind={}", show_cpu_bind(task.autobind)));
  }
  return words.empty() ? "(null type)" : join(words, ",");
}

}  // namespace grappe::config_rows
