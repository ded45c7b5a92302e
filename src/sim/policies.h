// The ways of scheduling that can be compared, each a setting of the one scheduler.
#pragma once

#include <span>
#include <string_view>

#include "sched/plan.h"

namespace grappe::sim {

struct PolicyRow {
  std::string_view name;
  std::string_view says;
  sched::Policy policy;
};

std::span<const PolicyRow> policies();
// Null when there is none of this name.
const PolicyRow* find_policy(std::string_view name);

}  // namespace grappe::sim
