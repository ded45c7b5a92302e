// Partitions: what sinfo and scontrol show.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

Result<v1::PartitionsResponse> list_partitions(const Core& core, const Caller& caller,
                                               const v1::PartitionsRequest& request);

}  // namespace grappe::embedded
