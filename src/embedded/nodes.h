// Nodes and partitions: what sinfo shows and scontrol changes.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

Result<v1::NodesResponse> list_nodes(const Core& core, const v1::NodesRequest& request);
Status update_nodes(Core& core, const Caller& caller, const v1::UpdateNodeRequest& request);
// Nothing new starts there until an operator has looked.
void drain_node(Core& core, uint32_t node, const std::string& reason);
// What operators had set before a restart.
void restore_node(Core& core, const SavedSetting& setting);

}  // namespace grappe::embedded
