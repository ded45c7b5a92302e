// Settings of slurm.conf that are more than one number or word: lists of flags, lists of options.
//
// Functions for the rows of config_keys.cpp; their signatures are ConfigKey's.
#pragma once

#include "model/config_keys.h"

namespace grappe::config_rows {

extern ConfigKey::SetFunction set_accounting_enforce, set_accounting_store_flags, set_auth_info,
    set_bcast, set_controller, set_dependency, set_enforce_part_limits, set_gather_frequency,
    set_gather_params, set_health_check_state, set_launch, set_licenses, set_log_level,
    set_min_job_age, set_preempt_mode, set_priority_flags, set_priority_parameters,
    set_priority_tres, set_private_data, set_prolog_flags, set_prolog_timeout, set_propagate,
    set_propagate_except, set_scheduler, set_select, set_slurmctld_parameters,
    set_slurmd_parameters, set_task_params, set_task_plugin, set_usage_reset;

extern ConfigKey::ShowFunction show_accounting_enforce, show_accounting_store_flags,
    show_accounting_tres, show_enforce_part_limits, show_licenses, show_preempt_mode_key,
    show_priority_flags, show_private_data, show_prolog_flags, show_prolog_timeout, show_propagate,
    show_select_key, show_task_params, show_usage_reset, show_max_dbd_msgs;

// The options of SchedulerParameters that something follows from.
std::vector<std::string_view> obeyed_scheduler_words();

}  // namespace grappe::config_rows
