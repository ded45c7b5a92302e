// Nodes and partitions: what sinfo shows and scontrol changes.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

Result<v1::NodesResponse> list_nodes(const Core& core, const v1::NodesRequest& request);
Status update_nodes(Core& core, const Caller& caller, const v1::UpdateNodeRequest& request);
// What operators had set before a restart.
void restore_node(Core& core, const SavedSetting& setting);

}  // namespace grappe::embedded
