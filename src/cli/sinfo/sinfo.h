// sinfo: from options and the service's answers to text.
#pragma once

#include "cli/calls.h"
#include "cli/format/output.h"
#include "cli/sinfo/options.h"
#include "grappe/v1/cluster.pb.h"

namespace grappe {

// The whole command behind its options; the result is the exit code.
int sinfo(const SinfoOptions& options, Calls& calls);

// Header and lines.
void print_nodes(const v1::NodesResponse& nodes, const v1::PartitionsResponse& partitions,
                 const SinfoOptions& options, Output& output);
// -T
void print_reservations(const v1::ReservationsResponse& reservations, const SinfoOptions& options,
                        Output& output);

}  // namespace grappe
