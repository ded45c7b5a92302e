#include "model/config_keys.h"

#include <array>

#include "model/config_key_rows.h"
#include "model/config_memory_keys.h"
#include "model/config_settings.h"

namespace grappe::config_rows {

namespace {

using C = ClusterConfig;
using Accounting = AccountingConfig;
using Hooks = HooksConfig;
using Jobs = JobsConfig;
using Limits = LimitsConfig;
using Priority = PriorityConfig;
using Scheduling = SchedulingConfig;
using Service = ServiceConfig;

constexpr ConfigKey special(std::string_view name, ConfigKey::Set set, ConfigKey::Show show) {
  return {name, KeyRole::kSetting, set, show};
}

// Priority keys other than the type mean nothing to priority/basic, and Slurm leaves them out.
constexpr ConfigKey of_multifactor(ConfigKey key) {
  key.visible = [](const ClusterConfig& config) {
    return config.priority.type == "priority/multifactor";
  };
  return key;
}

Status set_memory(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                  ConfigKey::Warnings&) {
  return set_memory_rule(key.name, value, config.scheduling.memory).map([](bool) {});
}

// Listed under the name that fits the value (config_show.cpp).
std::string show_def_mem(const ConfigKey&, const C& config, const ConfigFacts&) {
  return show_default_memory(config.scheduling.memory).second;
}
std::string show_max_mem(const ConfigKey&, const C& config, const ConfigFacts&) {
  return show_max_memory(config.scheduling.memory).second;
}
std::string show_defaults(const ConfigKey&, const C& config, const ConfigFacts&) {
  return show_job_defaults(config.scheduling.memory);
}

// One row per host: "SlurmctldHost[0]" (config_show.cpp).
std::string show_first_controller(const ConfigKey&, const C& config, const ConfigFacts& facts) {
  if (config.service.controllers.empty()) return facts.host;
  const ControllerHost& host = config.service.controllers.front();
  return host.address.empty() ? host.name : fmt::format("{}({})", host.name, host.address);
}

constexpr std::string_view kNoPlugins =
    "programs of a site run as Prolog, Epilog and TaskProlog; "
    "a plugin of Slurm cannot be loaded, and leaving out its "
    "rules silently would be worse";
constexpr std::string_view kOwnRecords = "the service keeps its records itself";
constexpr std::string_view kNotMeasured = "energy and sensors are not measured";
constexpr std::string_view kKernelVouches = "the kernel says who calls";
constexpr std::string_view kOneMachine = "all nodes are this machine";
constexpr std::string_view kNoPower = "nodes are not switched off and on";
constexpr std::string_view kNoSlurmPlugins = "plugins of Slurm are not loaded";
constexpr std::string_view kOneLog =
    "there is one log, of SlurmctldLogFile, as detailed as SlurmctldDebug says";
constexpr std::string_view kAtTheStart = "it is decided where the service is started";
constexpr std::string_view kAllKept = "comments, scripts and environments of all jobs are kept";
constexpr std::string_view kNoVirtualLimit = "memory is limited by the cgroup, addresses are not";
constexpr std::string_view kOneMeasure =
    "a page that processes share counts for each of them; the cgroup ends what needs too much";
constexpr std::string_view kNoTimeSlices = "jobs do not take turns on the same CPUs";
constexpr std::string_view kNoFrontend = "there are no front end nodes on one machine";

std::string show_boot_time(const ConfigKey&, const C&, const ConfigFacts& f) {
  return f.boot_time;
}
std::string show_next_job(const ConfigKey&, const C&, const ConfigFacts& f) {
  return std::to_string(f.next_job_id);
}
std::string show_node_count(const ConfigKey&, const C&, const ConfigFacts& f) {
  return std::to_string(f.node_count);
}
std::string show_slurm_user(const ConfigKey&, const C&, const ConfigFacts& f) {
  return null_or(f.slurm_user);
}
std::string show_launcher_user(const ConfigKey&, const C&, const ConfigFacts& f) {
  return null_or(f.launcher_user);
}
std::string show_state_dir(const ConfigKey&, const C&, const ConfigFacts& f) {
  return null_or(f.state_dir);
}
std::string show_conf_path(const ConfigKey&, const C&, const ConfigFacts& f) {
  return null_or(f.conf_path);
}
std::string show_version(const ConfigKey&, const C&, const ConfigFacts& f) {
  return f.slurm_version;
}
std::string show_host(const ConfigKey&, const C&, const ConfigFacts& f) {
  return null_or(f.host);
}

constexpr ConfigKey kKeys[] = {
    no_effect("AccountingStorageBackupHost", kOwnRecords),
    special("AccountingStorageEnforce", set_accounting_enforce, show_accounting_enforce),
    known_fact("AccountingStorageHost", kOwnRecords, show_host),
    no_effect("AccountingStorageExternalHost", kOwnRecords),
    no_effect("AccountingStorageParameters", kOwnRecords),
    no_effect("AccountingStoragePort", kOwnRecords, "6819"),
    special("AccountingStorageTRES", set_list<&C::accounting, &Accounting::tres>,
            show_accounting_tres),
    fixed("AccountingStorageType", "accounting_storage/slurmdbd"),
    no_effect("AccountingStorageUser", kOwnRecords, "N/A"),
    idle(kAllKept,
         special("AccountingStoreFlags", set_accounting_store_flags, show_accounting_store_flags)),
    fixed("AcctGatherEnergyType", "acct_gather_energy/none"),
    fixed("AcctGatherFilesystemType", "acct_gather_filesystem/none"),
    fixed("AcctGatherInterconnectType", "acct_gather_interconnect/none"),
    no_effect("AcctGatherNodeFreq", kNotMeasured, "0 sec"),
    fixed("AcctGatherProfileType", "acct_gather_profile/none"),
    idle(
        "specialized cores are never given to jobs",
        yes_no<&C::scheduling, &Scheduling::allow_spec_resources_usage>("AllowSpecResourcesUsage")),
    no_effect("AuthAltTypes", kKernelVouches),
    no_effect("AuthAltParameters", kKernelVouches),
    special("AuthInfo", set_auth_info, show_text<&C::jobs, &Jobs::auth_info>),
    fixed("AuthType", "auth/munge"),
    idle("a script is started at once, or its job fails at once",
         seconds<&C::jobs, &Jobs::batch_start_timeout_s>("BatchStartTimeout")),
    idle("sbcast copies on one machine: only its own options count",
         text<&C::jobs, &Jobs::bcast_exclude>("BcastExclude")),
    idle("sbcast copies on one machine: only its own options count",
         special("BcastParameters", set_bcast, show_text<&C::jobs, &Jobs::bcast_parameters>)),
    fact("BOOT_TIME", show_boot_time),
    no_effect("BurstBufferType", "there are no burst buffers"),
    refused("CliFilterPlugins", kNoPlugins),
    text<&C::service, &Service::cluster_name>("ClusterName"),
    no_effect("CommunicationParameters", kOneMachine),
    idle("the next job starts when the resources of the last are free",
         seconds<&C::scheduling, &Scheduling::complete_wait_s>("CompleteWait")),
    fixed("CoreSpecPlugin", "core_spec/none"),
    no_effect("CpuFreqDef", "frequencies are not changed", "Unknown"),
    no_effect("CpuFreqGovernors", "frequencies are not changed", "OnDemand,Performance,UserSpace"),
    fixed("CredType", "cred/munge"),
    no_effect("DebugFlags", kOneLog),
    special("DefMemPerNode", set_memory, show_def_mem),
    special("DependencyParameters", set_dependency,
            show_text<&C::scheduling, &Scheduling::dependency_parameters>),
    yes_no<&C::jobs, &Jobs::disable_root_jobs>("DisableRootJobs"),
    no_effect("EioTimeout", kOneMachine, "60"),
    special("EnforcePartLimits", set_enforce_part_limits, show_enforce_part_limits),
    text<&C::hooks, &Hooks::epilog>("Epilog"),
    no_effect("EpilogMsgTime", kOneMachine, "2000 usec"),
    text<&C::hooks, &Hooks::epilog_slurmctld>("EpilogSlurmctld"),
    fixed("ExtSensorsType", "ext_sensors/none"),
    no_effect("ExtSensorsFreq", kNotMeasured, "0 sec"),
    number<&C::priority, &Priority::fair_share_dampening_factor>("FairShareDampeningFactor", 1,
                                                                 kMax16),
    no_effect("FederationParameters", kOneMachine),
    number<&C::limits, &Limits::first_job_id>("FirstJobId", 1, 0x03ffffff),
    idle("sbatch --get-user-env waits 8 seconds, or as long as it is told",
         seconds<&C::jobs, &Jobs::get_env_timeout_s>("GetEnvTimeout")),
    list<&C::gres_types>("GresTypes"),
    no_effect("GpuFreqDef", "frequencies are not changed", "high,memory=high"),
    idle("groups are looked up when a job is submitted",
         one_zero<&C::service, &Service::group_update_force>("GroupUpdateForce")),
    idle("groups are looked up when a job is submitted",
         seconds<&C::service, &Service::group_update_time_s>("GroupUpdateTime")),
    fact("HASH_VAL",
         [](const ConfigKey&, const C&, const ConfigFacts&) -> std::string { return "Match"; }),
    idle("no program is run on nodes beside the hooks of jobs",
         seconds<&C::hooks, &Hooks::health_check_interval_s>("HealthCheckInterval")),
    idle("no program is run on nodes beside the hooks of jobs",
         special("HealthCheckNodeState", set_health_check_state,
                 show_list<&C::hooks, &Hooks::health_check_node_state>)),
    idle("no program is run on nodes beside the hooks of jobs",
         text<&C::hooks, &Hooks::health_check_program>("HealthCheckProgram")),
    seconds<&C::jobs, &Jobs::inactive_limit_s>("InactiveLimit"),
    idle("salloc starts the user's shell",
         text<&C::jobs, &Jobs::interactive_step_options>("InteractiveStepOptions")),
    special("JobAcctGatherFrequency", set_gather_frequency,
            show_text<&C::accounting, &Accounting::gather_frequency>),
    choice<&C::accounting, &Accounting::gather_type>(
        "JobAcctGatherType", "jobacct_gather/cgroup jobacct_gather/linux jobacct_gather/none"),
    idle(kOneMeasure, special("JobAcctGatherParams", set_gather_params,
                              show_text<&C::accounting, &Accounting::gather_params>)),
    no_effect("JobCompHost", kOwnRecords, "localhost"),
    no_effect("JobCompLoc", kOwnRecords),
    no_effect("JobCompPort", kOwnRecords, "0"),
    fixed("JobCompType", "jobcomp/none"),
    no_effect("JobCompUser", kOwnRecords, "root"),
    choice<&C::service, &Service::job_container_type>("JobContainerType",
                                                      "job_container/tmpfs job_container/none"),
    no_effect("JobCredentialPrivateKey", kKernelVouches),
    no_effect("JobCredentialPublicCertificate", kKernelVouches),
    special("JobDefaults", set_memory, show_defaults),
    one_zero<&C::jobs, &Jobs::file_append>("JobFileAppend"),
    one_zero<&C::jobs, &Jobs::requeue>("JobRequeue"),
    refused("JobSubmitPlugins", kNoPlugins),
    one_zero<&C::jobs, &Jobs::kill_on_bad_exit>("KillOnBadExit"),
    seconds<&C::jobs, &Jobs::kill_wait_s>("KillWait"),
    special("LaunchParameters", set_launch, show_text<&C::jobs, &Jobs::launch_parameters>),
    fixed("LaunchType", "launch/slurm"),
    special("Licenses", set_licenses, show_licenses),
    no_effect("LogTimeFormat", kOneLog, "iso8601_ms"),
    text<&C::hooks, &Hooks::mail_domain>("MailDomain"),
    text<&C::hooks, &Hooks::mail_prog>("MailProg"),
    number<&C::limits, &Limits::max_array_size>("MaxArraySize", 1, 4000001),
    known_fact("MaxDBDMsgs", kOwnRecords, show_max_dbd_msgs),
    number<&C::limits, &Limits::max_job_count>("MaxJobCount", 1, kMax32),
    number<&C::limits, &Limits::max_job_id>("MaxJobId", 1, 0x03ffffff),
    special("MaxMemPerNode", set_memory, show_max_mem),
    known_fact("MaxNodeCount", kOneMachine, show_node_count),
    number<&C::limits, &Limits::max_step_count>("MaxStepCount", 1),
    idle("as many as the step asks for",
         number<&C::limits, &Limits::max_tasks_per_node>("MaxTasksPerNode", 1, kMax16)),
    fixed("MCSPlugin", "mcs/none"),
    no_effect("MCSParameters", kNoSlurmPlugins),
    idle("a command waits as long as the service works for it",
         seconds<&C::service, &Service::message_timeout_s>("MessageTimeout", 1)),
    special("MinJobAge", set_min_job_age,
            [](const ConfigKey&, const C& config, const ConfigFacts&) {
              return fmt::format("{} sec", config.limits.min_job_age_s);
            }),
    idle("only srun --mpi counts",
         choice<&C::jobs, &Jobs::mpi_default>("MpiDefault", "none pmi2 pmix")),
    idle("only srun --mpi counts", text<&C::jobs, &Jobs::mpi_params>("MpiParams")),
    fact("MULTIPLE_SLURMD",
         [](const ConfigKey&, const C&, const ConfigFacts&) -> std::string { return "Yes"; }),
    fact("NEXT_JOB_ID", show_next_job),
    no_effect("NodeFeaturesPlugins", kNoSlurmPlugins),
    minutes_or_unlimited<&C::scheduling, &Scheduling::over_time_limit_min>("OverTimeLimit"),
    no_effect("PluginDir", kNoSlurmPlugins),
    no_effect("PlugStackConfig", kNoSlurmPlugins),
    no_effect("PowerParameters", kNoPower),
    no_effect("PowerPlugin", kNoPower, ""),
    special("PreemptMode", set_preempt_mode, show_preempt_mode_key),
    choice<&C::scheduling, &Scheduling::preempt_type>(
        "PreemptType", "preempt/none preempt/partition_prio preempt/qos"),
    span<&C::scheduling, &Scheduling::preempt_exempt_time_s>("PreemptExemptTime"),
    no_effect("PrEpParameters", kNoSlurmPlugins),
    fixed("PrEpPlugins", "prep/script"),
    special("PriorityParameters", set_priority_parameters,
            show_text<&C::priority, &Priority::parameters>),
    no_effect("PrioritySiteFactorParameters", kNoSlurmPlugins),
    no_effect("PrioritySiteFactorPlugin", kNoSlurmPlugins),
    of_multifactor(span<&C::priority, &Priority::decay_half_life_s>("PriorityDecayHalfLife")),
    of_multifactor(span<&C::priority, &Priority::calc_period_s>("PriorityCalcPeriod")),
    of_multifactor(yes_no<&C::priority, &Priority::favor_small>("PriorityFavorSmall")),
    of_multifactor(special("PriorityFlags", set_priority_flags, show_priority_flags)),
    of_multifactor(span<&C::priority, &Priority::max_age_s>("PriorityMaxAge")),
    of_multifactor(special("PriorityUsageResetPeriod", set_usage_reset, show_usage_reset)),
    choice<&C::priority, &Priority::type>("PriorityType", "priority/multifactor priority/basic"),
    of_multifactor(number<&C::priority, &Priority::weight_age>("PriorityWeightAge")),
    of_multifactor(number<&C::priority, &Priority::weight_assoc>("PriorityWeightAssoc")),
    of_multifactor(number<&C::priority, &Priority::weight_fair_share>("PriorityWeightFairShare")),
    of_multifactor(number<&C::priority, &Priority::weight_job_size>("PriorityWeightJobSize")),
    of_multifactor(number<&C::priority, &Priority::weight_partition>("PriorityWeightPartition")),
    of_multifactor(number<&C::priority, &Priority::weight_qos>("PriorityWeightQOS")),
    of_multifactor(special("PriorityWeightTRES", set_priority_tres,
                           show_text<&C::priority, &Priority::weight_tres_text>)),
    special("PrivateData", set_private_data, show_private_data),
    fixed("ProctrackType", "proctrack/cgroup"),
    text<&C::hooks, &Hooks::prolog>("Prolog"),
    special("PrologEpilogTimeout", set_prolog_timeout, show_prolog_timeout),
    text<&C::hooks, &Hooks::prolog_slurmctld>("PrologSlurmctld"),
    special("PrologFlags", set_prolog_flags, show_prolog_flags),
    idle("tasks start with the priority of a login, less what --nice takes",
         number<&C::jobs, &Jobs::propagate_prio_process>("PropagatePrioProcess", 0, 2)),
    special("PropagateResourceLimits", set_propagate, show_propagate),
    special("PropagateResourceLimitsExcept", set_propagate_except,
            show_list<&C::jobs, &Jobs::propagate_limits_except>),
    idle("nodes are slices of this machine: reboot it as root",
         text<&C::hooks, &Hooks::reboot_program>("RebootProgram")),
    no_effect("ReconfigFlags",
              "a changed state of a node or partition is kept, and a changed file is read by "
              "scontrol reconfigure"),
    exit_codes<&C::jobs, &Jobs::requeue_exit>("RequeueExit"),
    exit_codes<&C::jobs, &Jobs::requeue_exit_hold>("RequeueExitHold"),
    no_effect("ResumeFailProgram", kNoPower),
    no_effect("ResumeProgram", kNoPower),
    no_effect("ResumeRate", kNoPower, "300 nodes/min"),
    no_effect("ResumeTimeout", kNoPower, "60 sec"),
    no_effect("ResvEpilog", "no program is run around reservations"),
    minutes_or_unlimited<&C::scheduling, &Scheduling::resv_over_run_min>("ResvOverRun"),
    no_effect("ResvProlog", "no program is run around reservations"),
    idle("a node is down only while it is said to be",
         number<&C::service, &Service::return_to_service>("ReturnToService", 0, 2)),
    fixed("RoutePlugin", "route/default"),
    special("SchedulerParameters", set_scheduler,
            show_text<&C::scheduling, &Scheduling::parameters, &SchedulerParameters::text>),
    idle(kNoTimeSlices,
         seconds<&C::scheduling, &Scheduling::time_slice_s>("SchedulerTimeSlice", 5)),
    fixed("SchedulerType", "sched/backfill"),
    no_effect("ScronParameters", "there is no scrontab"),
    fixed("SelectType", "select/cons_tres"),
    special("SelectTypeParameters", set_select, show_select_key),
    known_fact("SlurmUser", kAtTheStart, show_slurm_user),
    no_effect("SlurmctldAddr", kOneMachine),
    special("SlurmctldDebug", set_log_level, show_text<&C::service, &Service::slurmctld_debug>),
    special("SlurmctldHost", set_controller, show_first_controller),
    text<&C::service, &Service::slurmctld_log_file>("SlurmctldLogFile"),
    no_effect("SlurmctldPort", kOneMachine, "6817"),
    no_effect("SlurmctldSyslogDebug", kOneLog),
    no_effect("SlurmctldPrimaryOffProg", kOneMachine),
    no_effect("SlurmctldPrimaryOnProg", kOneMachine),
    no_effect("SlurmctldTimeout", kOneMachine, "120 sec"),
    special("SlurmctldParameters", set_slurmctld_parameters,
            show_text<&C::service, &Service::slurmctld_parameters>),
    no_effect("SlurmdDebug", kOneLog, "info"),
    no_effect("SlurmdLogFile", kOneLog),
    special("SlurmdParameters", set_slurmd_parameters,
            show_text<&C::service, &Service::slurmd_parameters>),
    no_effect("SlurmdPidFile", kAtTheStart),
    no_effect("SlurmdPort", kOneMachine, "6818"),
    known_fact("SlurmdSpoolDir", kAtTheStart, show_state_dir),
    no_effect("SlurmdSyslogDebug", kOneLog),
    no_effect("SlurmdTimeout", kOneMachine, "300 sec"),
    known_fact("SlurmdUser", kAtTheStart, show_launcher_user),
    no_effect("SlurmSchedLogFile", kOneLog),
    no_effect("SlurmSchedLogLevel", kOneLog, "0"),
    no_effect("SlurmctldPidFile", kAtTheStart),
    no_effect("SlurmctldPlugstack", kNoSlurmPlugins),
    fact("SLURM_CONF", show_conf_path),
    fact("SLURM_VERSION", show_version),
    text<&C::hooks, &Hooks::srun_epilog>("SrunEpilog"),
    no_effect("SrunPortRange", kOneMachine, "0-0"),
    text<&C::hooks, &Hooks::srun_prolog>("SrunProlog"),
    known_fact("StateSaveLocation", kAtTheStart, show_state_dir),
    no_effect("SuspendExcNodes", kNoPower),
    no_effect("SuspendExcParts", kNoPower),
    no_effect("SuspendProgram", kNoPower),
    no_effect("SuspendRate", kNoPower, "60 nodes/min"),
    no_effect("SuspendTime", kNoPower, "INFINITE"),
    no_effect("SuspendTimeout", kNoPower, "30 sec"),
    no_effect("SwitchParameters", kOneMachine),
    fixed("SwitchType", "switch/none"),
    text<&C::hooks, &Hooks::task_epilog>("TaskEpilog"),
    special("TaskPlugin", set_task_plugin, show_list<&C::jobs, &Jobs::task, &TaskConfig::plugins>),
    special("TaskPluginParam", set_task_params, show_task_params),
    text<&C::hooks, &Hooks::task_prolog>("TaskProlog"),
    no_effect("TCPTimeout", kOneMachine, "2 sec"),
    text<&C::jobs, &Jobs::tmp_fs>("TmpFS"),
    no_effect("TopologyParam", kOneMachine),
    fixed("TopologyPlugin", "topology/none"),
    yes_no<&C::accounting, &Accounting::track_wckey>("TrackWCKey"),
    no_effect("TreeWidth", kOneMachine, "50"),
    no_effect("UsePam", "jobs are started without PAM", "No"),
    text<&C::hooks, &Hooks::unkillable_step_program>("UnkillableStepProgram"),
    seconds<&C::jobs, &Jobs::unkillable_step_timeout_s>("UnkillableStepTimeout"),
    idle(kNoVirtualLimit, number<&C::accounting, &Accounting::vsize_factor_percent>(
                              "VSizeFactor", 0, kMax16, " percent")),
    seconds<&C::jobs, &Jobs::wait_time_s>("WaitTime"),
    no_effect("X11Parameters", "X11 is not forwarded"),

    // Read, but not listed: relatives of a listed key, older names, secrets.
    special("DefMemPerCPU", set_memory, nullptr),
    special("DefMemPerGPU", set_memory, nullptr),
    special("DefCpuPerGPU", set_memory, nullptr),
    special("MaxMemPerCPU", set_memory, nullptr),
    special("ControlMachine", set_controller, nullptr),
    refused("FrontendName", kNoFrontend),
    unlisted("AccountingStorageLoc", kOwnRecords),
    unlisted("AccountingStoragePass", kOwnRecords),
    unlisted("AccountingStoreJobComment", kOwnRecords),
    unlisted("BackupAddr", kOneMachine),
    unlisted("BackupController", kOneMachine),
    unlisted("CacheGroups", "nothing is decided by it in Slurm 22.05 either"),
    unlisted("CheckpointType", kNoSlurmPlugins),
    unlisted("ControlAddr", kOneMachine),
    unlisted("CryptoType", kKernelVouches),
    unlisted("DefaultStorageHost", kOwnRecords),
    unlisted("DefaultStorageLoc", kOwnRecords),
    unlisted("DefaultStoragePass", kOwnRecords),
    unlisted("DefaultStoragePort", kOwnRecords),
    unlisted("DefaultStorageType", kOwnRecords),
    unlisted("DefaultStorageUser", kOwnRecords),
    unlisted("FastSchedule", "nothing is decided by it in Slurm 22.05 either"),
    unlisted("JobCheckpointDir", kNoSlurmPlugins),
    unlisted("JobCompParams", kOwnRecords),
    unlisted("JobCompPass", kOwnRecords),
    unlisted("KeepAliveTime", kOneMachine),
    unlisted("LayoutsConf", kNoSlurmPlugins),
    unlisted("MemLimitEnforce", "nothing is decided by it in Slurm 22.05 either"),
    unlisted("MsgAggregationParams", kOneMachine),
    unlisted("SallocDefaultCommand", "salloc starts a shell on the node"),
    unlisted("SchedulerPort", kOneMachine),
    unlisted("SchedulerRootFilter", "nothing is decided by it in Slurm 22.05 either"),
};

}  // namespace

std::span<const ConfigKey> all_keys() {
  return kKeys;
}

}  // namespace grappe::config_rows

namespace grappe {

std::span<const ConfigKey> config_keys() {
  return config_rows::all_keys();
}

const ConfigKey* find_config_key(std::string_view name) {
  for (const ConfigKey& key : config_keys()) {
    if (key.role != KeyRole::kFact && iequals(key.name, name)) return &key;
  }
  return nullptr;
}

}  // namespace grappe
