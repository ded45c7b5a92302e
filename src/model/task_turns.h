// How tasks are dealt to nodes with room for some number of tasks each: what a step gets, and
// what the environment of an allocation says beforehand.
#pragma once

#include <cstdint>
#include <vector>

namespace grappe {

// The node of each task: one on each node that has room, again and again; once all are full, one
// on every node. `room` is not empty.
std::vector<uint32_t> deal_tasks(uint32_t tasks, const std::vector<uint32_t>& room);

}  // namespace grappe
