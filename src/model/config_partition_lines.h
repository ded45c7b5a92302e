// The PartitionName= lines of slurm.conf.
#pragma once

#include <span>

#include "model/config_line_keys.h"
#include "model/config_nodes.h"

namespace grappe {

std::span<const LineKey<PartitionConfig>> partition_line_keys();

}  // namespace grappe
