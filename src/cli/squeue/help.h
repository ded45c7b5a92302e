// The texts of squeue --help and --usage.
#pragma once

#include <string_view>

namespace grappe {

extern const std::string_view kSqueueHelp;
extern const std::string_view kSqueueUsage;

}  // namespace grappe
