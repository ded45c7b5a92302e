// How much of a job one node could take, given what is free on it, and what a number of tasks
// there costs.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "sched/machine.h"
#include "sched/needs.h"
#include "sched/snapshot.h"

namespace grappe::sched {

// Free on a node, as the columns of its StepTable: cores, MB, then each kind of its devices.
inline constexpr std::size_t kCoreColumn = 0;
inline constexpr std::size_t kMemoryColumn = 1;
inline constexpr std::size_t kDeviceColumn = 2;

// A node as a job sees it.
struct Site {
  const Node* node = nullptr;
  const NodeFacts* facts = nullptr;
  const Partition* partition = nullptr;
};

struct Room {
  NodeIndex node = 0;
  uint32_t tasks = 0;  // at most; 0: of no use to this job
  uint32_t cores = 0;
  uint64_t memory_mb = 0;
  DeviceCounts devices{};  // at most
  uint32_t gpus = 0;       // free, whether the job wants them or not; only for packing (pack.h)
};

// What a job takes of a node, in counts.
struct Piece {
  NodeIndex node = 0;
  uint32_t tasks = 0;
  uint32_t cores = 0;
  uint64_t memory_mb = 0;
  DeviceCounts devices{};
  bool whole = false;  // every device of the node goes with it
};

// The node is the job's alone.
bool takes_whole_node(const Needs& needs, const Partition& partition);

// Fewer cores and less memory than this are of no use to the job.
std::array<int64_t, 2> floor_on(const Needs& needs, const Site& site);

Room room_on(const Needs& needs, const Site& site, NodeIndex index, std::span<const int64_t> free);

// The cost of `tasks` tasks; `job_devices` says how many of the devices counted for the whole job
// are on this node.
Piece piece_on(const Needs& needs, const Site& site, NodeIndex index, uint32_t tasks,
               const DeviceCounts& job_devices);

bool fits(const Piece& piece, const Room& room);

}  // namespace grappe::sched
