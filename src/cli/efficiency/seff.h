// seff: the report of an ended job that guides of many sites show.
#pragma once

#include <string>

#include "cli/calls.h"
#include "grappe/v1/history.pb.h"

namespace grappe {

std::string seff_text(const v1::JobRecord& job, int64_t now);
// -d: the figures behind it, two lines.
std::string seff_raw_text(const v1::JobRecord& job, int64_t now);

int seff(const std::string& id, bool raw, Calls& calls);

}  // namespace grappe
