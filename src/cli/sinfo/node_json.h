// sinfo --json: every node with every member, as Slurm 22.05 (OpenAPI v0.0.38) writes them.
#pragma once

#include <string>

#include "grappe/v1/cluster.pb.h"

namespace grappe {

void append_nodes_json(std::string& out, const v1::NodesResponse& nodes);

}  // namespace grappe
