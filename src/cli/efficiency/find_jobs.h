// Jobs by their ids, with their steps; of those that still run with what they use now.
#pragma once

#include <string>
#include <vector>

#include "cli/calls.h"
#include "grappe/v1/history.pb.h"

namespace grappe {

// "12", "12_3"; an array's id is each of its tasks.
Result<v1::HistoryResponse> find_jobs(Calls& calls, const std::vector<std::string>& ids);

// The books hear of what a step used when it ends: of running jobs that the caller may look into,
// what they use now is added.
void add_running_use(Calls& calls, v1::HistoryResponse& found);

}  // namespace grappe
