// Why a job waits: what the engine knows of it, and what planning again finds out.
#pragma once

#include <functional>

#include "embedded/core.h"

namespace grappe::embedded {

// Looks at the job now; what is returned plans, which may take a while, on any thread.
Result<std::function<v1::WhyResponse()>> look_into(const Core& core, const Caller& caller,
                                                   const v1::WhyRequest& request);

}  // namespace grappe::embedded
