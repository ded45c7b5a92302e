// SchedulerParameters: the options of sched/backfill.
#include <algorithm>
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
constexpr Word text(std::string_view name, std::string P::*member) {
  return {name, nullptr, nullptr, member};
}
constexpr Word none(std::string_view name) {
  return {name, nullptr, nullptr, nullptr};
}

constexpr std::array kWords = {
    none("allow_zero_lic"),
    flag("assoc_limit_stop", &P::assoc_limit_stop),
    none("batch_sched_delay"),
    none("bb_array_stage_cnt"),
    none("bf_busy_nodes"),
    flag("bf_by_pool", &P::bf_by_pool),
    none("bf_continue"),
    none("bf_hetjob_immediate"),
    none("bf_hetjob_prio"),
    none("bf_interval"),
    number("bf_job_part_count_reserve", &P::bf_job_part_count_reserve),
    none("bf_licenses"),
    number("bf_max_job_array_resv", &P::bf_max_job_array_resv),
    none("bf_max_job_assoc"),
    none("bf_max_job_part"),
    none("bf_max_job_start"),
    number("bf_max_job_test", &P::bf_max_job_test),
    none("bf_max_job_user"),
    none("bf_max_job_user_part"),
    none("bf_max_time"),
    none("bf_min_age_reserve"),
    none("bf_min_prio_reserve"),
    none("bf_node_space_size"),
    none("bf_one_resv_per_job"),
    text("bf_order", &P::bf_order),
    none("bf_resolution"),
    none("bf_running_job_reserve"),
    number("bf_window", &P::bf_window_min),
    none("bf_window_linear"),
    none("bf_yield_interval"),
    none("bf_yield_sleep"),
    none("build_queue_timeout"),
    none("correspond_after_task_cnt"),
    none("default_queue_depth"),
    none("defer"),
    none("delay_boot"),
    none("disable_job_shrink"),
    none("disable_hetjob_steps"),
    none("enable_hetjob_steps"),
    flag("enable_user_top", &P::enable_user_top),
    number("gpu_hold_back", &P::gpu_hold_back),
    flag("gpu_ignore_links", &P::gpu_ignore_links),
    flag("gpu_pack", &P::gpu_pack),
    none("Ignore_NUMA"),
    none("ignore_prefer_validation"),
    number("max_array_tasks", &P::max_array_tasks),
    none("max_rpc_cnt"),
    none("max_sched_time"),
    number("max_script_size", &P::max_script_size),
    none("max_switch_wait"),
    none("no_backup_scheduling"),
    none("no_env_cache"),
    flag("nohold_on_prolog_fail", &P::nohold_on_prolog_fail),
    none("pack_serial_at_end"),
    none("partition_job_depth"),
    none("preempt_reorder_count"),
    none("preempt_strict_order"),
    flag("preempt_youngest_first", &P::preempt_youngest_first),
    none("reduce_completing_frag"),
    none("requeue_setup_env_fail"),
    none("salloc_wait_nodes"),
    none("sbatch_wait_nodes"),
    none("sched_interval"),
    none("sched_max_job_start"),
    none("sched_min_interval"),
    flag("spec_cores_first", &P::spec_cores_first),
    none("step_retry_count"),
    none("step_retry_time"),
    none("whole_hetjob"),
};

Status check(std::string_view key, const P& parameters) {
  if (parameters.gpu_hold_back > 100) {
    return fail(fmt::format("{}: gpu_hold_back is a per cent, 0 to 100", key));
  }
  constexpr std::array<std::string_view, 3> kOrders = {"priority", "small", "limit"};
  if (parameters.bf_order.empty()) return {};
  if (std::find(kOrders.begin(), kOrders.end(), parameters.bf_order) == kOrders.end()) {
    return fail(fmt::format("{}: bf_order is priority, small or limit", key));
  }
  if (parameters.bf_job_part_count_reserve == 0) {
    return fail(
        fmt::format("{}: bf_order is for jobs whose planned start is not kept: "
                    "bf_job_part_count_reserve says for how many it is",
                    key));
  }
  return {};
}

}  // namespace

std::vector<std::string_view> obeyed_scheduler_words() {
  std::vector<std::string_view> words;
  for (const Word& word : kWords) {
    if (word.flag || word.number || word.text) words.push_back(word.name);
  }
  return words;
}

Status set_scheduler(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                     ConfigKey::Warnings& warnings) {
  SchedulerParameters& parameters = config.scheduling.parameters;
  parameters = {};
  parameters.text = value;
  if (Status read = read_options<P>(key.name, value, kWords, parameters, warnings); !read) {
    return read;
  }
  return check(key.name, parameters);
}

}  // namespace grappe::config_rows
