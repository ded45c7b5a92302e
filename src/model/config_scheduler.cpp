// SchedulerParameters: the options of sched/backfill.
#include <array>

#include "model/config_options.h"
#include "model/config_settings.h"

namespace grappe::config_rows {

namespace {

using P = SchedulerParameters;
using Word = OptionWord<P>;

constexpr Word flag(std::string_view name, bool P::*member) {
  return {name, member, nullptr, nullptr};
}
constexpr Word number(std::string_view name, std::uint32_t P::*member) {
  return {name, nullptr, member, nullptr};
}
constexpr Word none(std::string_view name) {
  return {name, nullptr, nullptr, nullptr};
}

constexpr std::array kWords = {
    flag("allow_zero_lic", &P::allow_zero_lic),
    flag("assoc_limit_stop", &P::assoc_limit_stop),
    number("batch_sched_delay", &P::batch_sched_delay_s),
    none("bb_array_stage_cnt"),
    flag("bf_busy_nodes", &P::bf_busy_nodes),
    flag("bf_continue", &P::bf_continue),
    none("bf_hetjob_immediate"),
    none("bf_hetjob_prio"),
    number("bf_interval", &P::bf_interval_s),
    number("bf_job_part_count_reserve", &P::bf_job_part_count_reserve),
    flag("bf_licenses", &P::bf_licenses),
    number("bf_max_job_array_resv", &P::bf_max_job_array_resv),
    number("bf_max_job_assoc", &P::bf_max_job_assoc),
    number("bf_max_job_part", &P::bf_max_job_part),
    number("bf_max_job_start", &P::bf_max_job_start),
    number("bf_max_job_test", &P::bf_max_job_test),
    number("bf_max_job_user", &P::bf_max_job_user),
    number("bf_max_job_user_part", &P::bf_max_job_user_part),
    number("bf_max_time", &P::bf_max_time_s),
    number("bf_min_age_reserve", &P::bf_min_age_reserve_s),
    number("bf_min_prio_reserve", &P::bf_min_prio_reserve),
    none("bf_node_space_size"),
    flag("bf_one_resv_per_job", &P::bf_one_resv_per_job),
    number("bf_resolution", &P::bf_resolution_s),
    flag("bf_running_job_reserve", &P::bf_running_job_reserve),
    number("bf_window", &P::bf_window_min),
    none("bf_window_linear"),
    none("bf_yield_interval"),
    none("bf_yield_sleep"),
    none("build_queue_timeout"),
    number("correspond_after_task_cnt", &P::correspond_after_task_cnt),
    number("default_queue_depth", &P::default_queue_depth),
    flag("defer", &P::defer),
    none("delay_boot"),
    flag("disable_job_shrink", &P::disable_job_shrink),
    none("disable_hetjob_steps"),
    none("enable_hetjob_steps"),
    flag("enable_user_top", &P::enable_user_top),
    none("Ignore_NUMA"),
    flag("ignore_prefer_validation", &P::ignore_prefer_validation),
    number("max_array_tasks", &P::max_array_tasks),
    none("max_rpc_cnt"),
    none("max_sched_time"),
    number("max_script_size", &P::max_script_size),
    number("max_switch_wait", &P::max_switch_wait_s),
    none("no_backup_scheduling"),
    flag("no_env_cache", &P::no_env_cache),
    flag("nohold_on_prolog_fail", &P::nohold_on_prolog_fail),
    flag("pack_serial_at_end", &P::pack_serial_at_end),
    number("partition_job_depth", &P::partition_job_depth),
    number("preempt_reorder_count", &P::preempt_reorder_count),
    flag("preempt_strict_order", &P::preempt_strict_order),
    flag("preempt_youngest_first", &P::preempt_youngest_first),
    flag("reduce_completing_frag", &P::reduce_completing_frag),
    flag("requeue_setup_env_fail", &P::requeue_setup_env_fail),
    none("salloc_wait_nodes"),
    none("sbatch_wait_nodes"),
    number("sched_interval", &P::sched_interval_s),
    number("sched_max_job_start", &P::sched_max_job_start),
    none("sched_min_interval"),
    flag("spec_cores_first", &P::spec_cores_first),
    none("step_retry_count"),
    none("step_retry_time"),
    none("whole_hetjob"),
};

}  // namespace

Status set_scheduler(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                     ConfigKey::Warnings& warnings) {
  SchedulerParameters& parameters = config.scheduling.parameters;
  parameters = {};
  parameters.text = value;
  return read_options<P>(key.name, value, kWords, parameters, warnings);
}

}  // namespace grappe::config_rows
