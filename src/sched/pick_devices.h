// Which devices of a node a job gets when it starts now.
//
// Devices that talk fast to each other go together: the smallest group of links that is enough,
// so that larger groups stay whole for larger jobs. Groups whose CPUs are all taken come last;
// otherwise the lowest index. Not `by_links`: the lowest index, nothing else.
#pragma once

#include <optional>
#include <vector>

#include "sched/place/room.h"

namespace grappe::sched {

// Indexes into Node::devices, ascending; nothing when they are not free.
std::optional<std::vector<uint32_t>> pick_devices(const Needs& needs, const Site& site,
                                                  const Piece& piece, bool by_links = true);

}  // namespace grappe::sched
