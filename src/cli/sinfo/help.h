// The texts of sinfo --help and --usage.
#pragma once

#include <string_view>

namespace grappe {

extern const std::string_view kSinfoHelp;
extern const std::string_view kSinfoUsage;

}  // namespace grappe
