// -M, --clusters: there is one cluster here; its own name is accepted, every other is refused in
// Slurm's words.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/calls.h"
#include "cli/report.h"

namespace grappe {

// `names` as typed: "all", a name or a list of names, one of which must be ours.
Status check_cluster_name(Calls& calls, std::string_view names);

// The same; what is wrong has been said. Without any names nothing is.
bool knows_clusters(Calls& calls, std::string_view names, const Report& report);

// Our own, for "CLUSTER: name" above a table, if it is among those.
Result<std::string> cluster_name(Calls& calls, std::string_view names = "all");

}  // namespace grappe
