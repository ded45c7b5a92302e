// Times as traces write them: "2017-10-09 06:07:06", with a blank or a T. They are read as if
// there were no time zones, so that a trace means the same everywhere.
#pragma once

#include <optional>
#include <string_view>

#include "sched/snapshot.h"

namespace grappe::sim {

std::optional<sched::Time> parse_stamp(std::string_view text);

}  // namespace grappe::sim
