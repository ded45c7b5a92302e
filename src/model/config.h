// What slurm.conf, gres.conf and cgroup.conf say, as plain typed values with Slurm's defaults.
//
// The keys of Slurm 22.05 that mean something on one machine are here, grouped by who reads
// them: a function takes the group that it needs (`const PriorityConfig&`), not the whole.
// Times carry their unit in the name; an absent limit is kInfinite or an empty optional.
// model/config_parse.h fills this from text, model/config_show.h prints it as
// `scontrol show config` does; both from the table in model/config_keys.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/config_nodes.h"

namespace grappe {

// SchedulerParameters: the text for show, and the options that our scheduler obeys.
struct SchedulerParameters {
  std::string text;

  std::uint32_t bf_window_min = 1440;
  std::uint32_t bf_max_job_test = 500;
  std::uint32_t bf_max_job_array_resv = 20;
  std::uint32_t bf_job_part_count_reserve = 0;      // 0: all
  std::string bf_order;                             // priority, small, limit; ours
  bool bf_by_pool = false;                          // ours
  std::uint32_t gpu_hold_back = 0;                  // per cent; ours
  std::uint32_t max_array_tasks = 0;                // 0: MaxArraySize
  std::uint32_t max_script_size = 4 * 1024 * 1024;  // bytes
  bool assoc_limit_stop = false;
  bool enable_user_top = false;
  bool gpu_ignore_links = false;  // ours
  bool gpu_pack = false;          // ours
  bool nohold_on_prolog_fail = false;
  bool preempt_youngest_first = false;
  bool spec_cores_first = false;
};

struct SchedulingConfig {
  SchedulerParameters parameters;
  SelectParameters select;
  MemoryRules memory;
  std::uint32_t time_slice_s = 30;
  PreemptMode preempt_mode;
  std::string preempt_type = "preempt/none";  // or preempt/partition_prio, preempt/qos
  std::uint32_t preempt_exempt_time_s = 0;
  std::uint32_t complete_wait_s = 0;
  std::string dependency_parameters;
  bool kill_invalid_depend = false;     // DependencyParameters=kill_invalid_depend
  std::uint32_t max_depend_depth = 10;  // DependencyParameters=max_depend_depth=
  std::uint32_t over_time_limit_min = 0;
  std::uint32_t resv_over_run_min = 0;
  bool allow_spec_resources_usage = false;
};

// PriorityFlags of priority/multifactor.
struct PriorityFlags {
  bool accrue_always = false;
  bool calculate_running = false;
  bool depth_oblivious = false;
  bool no_fair_tree = false;
  bool incr_only = false;
  bool max_tres = false;
  bool max_tres_gres = false;  // of Slurm after 22.05
  bool no_normal_assoc = false;
  bool no_normal_part = false;
  bool no_normal_qos = false;
  bool no_normal_tres = false;
  bool small_relative_to_time = false;
};

enum class UsageReset { kNone, kNow, kDaily, kWeekly, kMonthly, kQuarterly, kYearly };

struct PriorityConfig {
  std::string type = "priority/basic";  // or priority/multifactor
  std::uint32_t decay_half_life_s = 7 * 24 * 3600;
  std::uint32_t calc_period_s = 300;
  bool favor_small = false;
  PriorityFlags flags;
  std::string parameters;
  bool fair_tree_of_slurm =
      false;  // PriorityParameters=fair_tree=slurm: as it ships, not as documented
  std::uint32_t max_age_s = 7 * 24 * 3600;
  UsageReset usage_reset = UsageReset::kNone;
  std::uint32_t weight_age = 0;
  std::uint32_t weight_assoc = 0;
  std::uint32_t weight_fair_share = 0;
  std::uint32_t weight_job_size = 0;
  std::uint32_t weight_partition = 0;
  std::uint32_t weight_qos = 0;
  std::string weight_tres_text;
  std::vector<TresWeight> weight_tres;
  std::uint32_t fair_share_dampening_factor = 1;
};

// AccountingStorageEnforce. Slurm's implications are applied: safe sets limits and associations,
// limits and qos and wckeys set associations.
struct AccountingEnforce {
  bool associations = false;
  bool limits = false;
  bool nojobs = false;
  bool nosteps = false;
  bool qos = false;
  bool safe = false;
  bool wckeys = false;
};

struct AccountingStoreFlags {
  bool job_comment = false;
  bool job_env = false;
  bool job_script = false;
};

struct AccountingConfig {
  AccountingEnforce enforce;
  std::vector<std::string> tres;  // AccountingStorageTRES beyond the built-in ones
  AccountingStoreFlags store_flags;
  bool place_for_all = false;  // who is in nobody's books gets a place there with the first job
  bool track_wckey = false;
  std::string gather_type = "jobacct_gather/cgroup";  // or jobacct_gather/linux, /none
  std::string gather_frequency = "30";                // as written
  std::uint32_t gather_task_s = 30;                   // 0: only when a task ends
  std::string gather_params;                          // NoShared, UsePss, OverMemoryKill
  bool gather_over_memory_kill = false;
  bool gather_use_pss = false;
  bool gather_no_shared = false;
  std::uint32_t vsize_factor_percent = 0;
};

struct LimitsConfig {
  std::uint32_t max_array_size = 1001;
  std::uint32_t max_job_count = 10000;
  std::uint32_t first_job_id = 1;
  std::uint32_t max_job_id = 0x03ff0000;
  std::uint32_t max_step_count = 40000;
  std::uint32_t max_tasks_per_node = 512;
  std::uint32_t min_job_age_s = 300;
};

// EnforcePartLimits.
enum class PartLimitsPolicy { kNo, kAny, kAll };

struct PrologFlags {
  bool alloc = false;
  bool contain = false;
  bool defer_batch = false;
  bool nohold = false;
  bool serial = false;
  bool x11 = false;

  bool operator==(const PrologFlags&) const = default;
};

// Programs around a job and its steps. Prolog and Epilog may be file name patterns
// ("/etc/prolog.d/*").
struct HooksConfig {
  std::string prolog;
  std::string epilog;
  std::string prolog_slurmctld;  // run by the service, as its own user
  std::string epilog_slurmctld;
  std::string unkillable_step_program;  // the same
  std::string task_prolog;
  std::string task_epilog;
  std::string srun_prolog;
  std::string srun_epilog;
  PrologFlags prolog_flags;
  std::optional<std::uint32_t> prolog_epilog_timeout_s;  // absent: waits as long as it takes
  std::string health_check_program;
  std::uint32_t health_check_interval_s = 0;
  std::vector<std::string> health_check_node_state = {"ANY"};
  std::string reboot_program;
  std::string mail_prog = "/bin/mail";
  std::string mail_domain;
};

// TaskPluginParam, and which plugins bind tasks.
struct TaskConfig {
  std::vector<std::string> plugins = {"task/cgroup", "task/affinity"};
  bool affinity = true;  // the same as two answers
  bool cgroup = true;
  CpuBindDefault cpu_bind = CpuBindDefault::kUnset;
  CpuBindDefault autobind = CpuBindDefault::kUnset;
  bool verbose = false;
  bool slurmd_off_spec = false;
};

// Rules of one job's life.
struct JobsConfig {
  std::uint32_t batch_start_timeout_s = 10;
  std::uint32_t inactive_limit_s = 0;
  std::uint32_t kill_wait_s = 30;
  std::uint32_t unkillable_step_timeout_s = 60;  // after SIGKILL
  std::uint32_t wait_time_s = 0;
  std::uint32_t get_env_timeout_s = 2;
  std::string auth_info;
  std::uint32_t cred_expire_s = 1;  // AuthInfo=cred_expire=: how long a requeued job waits
  bool kill_on_bad_exit = false;
  bool requeue = true;
  bool file_append = false;
  bool disable_root_jobs = false;
  PartLimitsPolicy enforce_part_limits = PartLimitsPolicy::kNo;
  std::vector<int> requeue_exit;
  std::vector<int> requeue_exit_hold;
  std::vector<std::string> propagate_limits = {"ALL"};  // ALL, NONE, AS, CORE, ...
  std::vector<std::string> propagate_limits_except;
  std::uint32_t propagate_prio_process = 0;
  std::string mpi_default = "none";
  std::string mpi_params;
  std::string tmp_fs = "/tmp";
  std::string interactive_step_options = "--interactive --preserve-env --pty $SHELL";
  std::string launch_parameters;
  std::string bcast_exclude = "/lib,/usr/lib,/lib64,/usr/lib64";
  std::string bcast_parameters;
  std::string bcast_dest_dir;  // BcastParameters=DestDir=
  bool bcast_send_libs = false;
  TaskConfig task;
};

// PrivateData: what a user does not see of others.
struct PrivateData {
  bool accounts = false;
  bool events = false;
  bool jobs = false;
  bool nodes = false;
  bool partitions = false;
  bool reservations = false;
  bool usage = false;
  bool users = false;
};

// SlurmctldHost=name(address).
struct ControllerHost {
  std::string name;
  std::string address;
};

struct ServiceConfig {
  std::string cluster_name;                 // empty: daemon/config/load.h names it after the host
  std::vector<ControllerHost> controllers;  // the first is this machine; others do not apply
  PrivateData private_data;
  std::uint32_t return_to_service = 0;
  std::uint32_t message_timeout_s = 10;
  std::string slurmctld_debug = "info";
  std::string slurmctld_log_file;
  std::string slurmctld_parameters;
  bool user_resv_delete = false;  // SlurmctldParameters=user_resv_delete
  std::string slurmd_parameters;
  bool config_overrides = false;  // SlurmdParameters=config_overrides
  std::uint32_t group_update_time_s = 600;
  bool group_update_force = true;
  // job_container/tmpfs: each job has its own /tmp and /dev/shm; job_container/none, as in Slurm,
  // it shares them, so that a job submitted from a folder below /tmp finds it.
  std::string job_container_type = "job_container/none";
};

// cgroup.conf. Confinement is on unless a site turns it off: Slurm's own defaults are "no", but a
// service that shares GPUs between strangers has to confine.
struct CgroupConfig {
  bool constrain_cores = true;
  bool constrain_devices = true;
  bool constrain_ram_space = true;
  bool constrain_swap_space = false;
  double allowed_ram_space_percent = 100;
  double allowed_swap_space_percent = 0;
  double max_ram_percent = 100;
  double max_swap_percent = 100;
  std::uint64_t min_ram_space_mb = 30;
  std::optional<std::uint32_t> memory_swappiness;
  std::string mountpoint = "/sys/fs/cgroup";
  std::string plugin = "autodetect";  // or cgroup/v1, cgroup/v2
  bool ignore_systemd = false;
  bool ignore_systemd_on_failure = false;
};

// A Licenses= entry: "matlab:5" or, with a server, "matlab@flex:5".
struct LicenseConfig {
  std::string name;
  std::uint32_t total = 1;

  bool operator==(const LicenseConfig&) const = default;
};

struct ClusterConfig {
  ServiceConfig service;
  SchedulingConfig scheduling;
  PriorityConfig priority;
  AccountingConfig accounting;
  LimitsConfig limits;
  HooksConfig hooks;
  JobsConfig jobs;
  CgroupConfig cgroup;
  std::vector<std::string> gres_types;
  std::vector<LicenseConfig> licenses;

  std::vector<NodeConfig> nodes;
  std::vector<NodeSetConfig> node_sets;
  std::vector<DownNodesConfig> down_nodes;
  std::vector<PartitionConfig> partitions;
  std::vector<GresConfig> gres;
};

}  // namespace grappe
