// Which CPUs of a node a job gets when it starts now: whole free cores, the lowest first, dealt
// over the sockets task by task, near the job's devices where there is a choice. Where jobs share
// cores, those that serve the fewest are taken after the free ones.
#pragma once

#include <optional>
#include <vector>

#include "sched/place/room.h"

namespace grappe::sched {

// Nothing when not enough cores are free (or, with enforce_binding, free near the devices).
std::optional<Bitmap> pick_cpus(const Needs& needs, const Site& site, const Piece& piece,
                                const std::vector<uint32_t>& devices, PartitionIndex partition);

}  // namespace grappe::sched
