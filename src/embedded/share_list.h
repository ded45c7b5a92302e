// What sshare is told.
#pragma once

#include "embedded/core.h"
#include "grappe/v1/share.pb.h"

namespace grappe::embedded {

Result<v1::SharesResponse> list_shares(Core& core, const Caller& caller,
                                       const v1::SharesRequest& request);

}  // namespace grappe::embedded
