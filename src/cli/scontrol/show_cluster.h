// Nodes, partitions, reservations, licenses and steps as `scontrol show` writes them.
#pragma once

#include <string>

#include "cli/scontrol/record.h"
#include "grappe/v1/cluster.pb.h"
#include "grappe/v1/jobs.pb.h"

namespace grappe::scontrol {

std::string format_node(const v1::NodeInfo& node, const Style& style);
std::string format_partition(const v1::PartitionInfo& partition, const Style& style);
std::string format_reservation(const v1::ReservationInfo& reservation, const Style& style);
std::string format_license(const v1::LicenseInfo& license, const Style& style);
std::string format_step(const v1::StepInfo& step, const Style& style);
// All of `scontrol show config`.
std::string format_config(const v1::ConfigResponse& config, const Style& style);

}  // namespace grappe::scontrol
