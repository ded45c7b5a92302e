// The commands of sreport: kinds of reports with their names, and what changes the session.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace grappe::sreport {

// The end of --help: commands and reports.
std::string commands_help();
// For the manual: "cluster Utilization" and what it shows.
std::vector<std::pair<std::string, std::string>> report_names();

Error unknown_time_form(std::string_view text);
// -s: true by name, false by time.
Result<bool> parse_sort(std::string_view text);

}  // namespace grappe::sreport
