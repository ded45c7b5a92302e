// "12.batch.0" (job, step, restart): how the folders of a step are called.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "exec/executor.h"

namespace grappe::exec {

// "batch", "extern", "interactive", or the number.
std::string step_label(uint32_t step_id);

std::string step_name(StepKey key);

// None if `name` is not one that step_name makes.
std::optional<StepKey> parse_step_name(std::string_view name);

}  // namespace grappe::exec
