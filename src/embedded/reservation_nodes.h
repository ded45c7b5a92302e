// Which nodes a reservation gets.
#pragma once

#include <vector>

#include "embedded/state.h"

namespace grappe::embedded {

// May the reservation have the nodes (and cores) that it names? Slurm's error if another
// reservation has them in its time, or (`of_jobs`) a job that runs would still be there.
Status check_nodes_free(const State& state, const ClusterReservation& reservation, bool of_jobs);

// Finds nodes for it in its partition (the default one when it has none). `count` nodes; with
// `cores`, one number: that many in all, several: of each node. 0 nodes: as many as the cores need.
Status find_nodes(const State& state, ClusterReservation& reservation, uint32_t count,
                  const std::vector<uint32_t>& cores);

// Puts an idle node in the place of each that is down or drained (REPLACE: or busy). True if
// something has changed.
bool replace_nodes(const State& state, ClusterReservation& reservation);

uint32_t cores_of(const ClusterNode& node);

}  // namespace grappe::embedded
