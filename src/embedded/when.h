// When a job will probably start, and how good such forecasts have been.
#pragma once

#include <functional>

#include "embedded/core.h"
#include "embedded/reports.h"

namespace grappe::embedded {

// Looks at the job now; what is returned runs the queue into the future, which may take a second,
// on any thread.
Result<std::function<v1::WhenResponse()>> look_ahead(Core& core, const Caller& caller,
                                                     const v1::WhenRequest& request);

// Of the forecasts that are written down; on any thread. `only`: of this user, if not empty.
Result<v1::ScoreResponse> score_forecasts(Store& store, v1::ScoreRequest request, int64_t now,
                                          const std::string& only);

}  // namespace grappe::embedded
