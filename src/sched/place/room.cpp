#include "sched/place/room.h"

#include <algorithm>

namespace grappe::sched {
namespace {

uint32_t div_up(uint32_t a, uint32_t b) {
  return (a + b - 1) / b;
}

// The threads of a core that count as CPUs: --threads-per-core=1 (--hint=nomultithread) takes
// whole cores but counts one CPU of each.
uint32_t threads_used(const Needs& needs, const NodeFacts& facts) {
  uint32_t wanted = needs.shape->threads_per_core;
  return wanted ? std::min(wanted, facts.cpus_per_core) : facts.cpus_per_core;
}

uint32_t gpus_in(const Needs& needs, const DeviceCounts& counts) {
  uint32_t gpus = 0;
  for (std::size_t d = 0; d < needs.devices.size(); ++d) {
    if (needs.devices[d].gpu) gpus += counts[d];
  }
  return gpus;
}

DeviceCounts devices_for(const Needs& needs, uint32_t tasks, const DeviceCounts& job_devices) {
  DeviceCounts out{};
  for (std::size_t d = 0; d < needs.devices.size(); ++d) {
    const DeviceNeed& need = needs.devices[d];
    if (need.per_node) {
      out[d] = need.per_node;
    } else if (need.per_task) {
      out[d] = need.per_task * tasks;
    } else if (need.per_socket) {
      out[d] = need.per_socket * needs.sockets;
    } else {
      out[d] = job_devices[d];
    }
  }
  return out;
}

uint32_t cores_for(const Needs& needs, const Site& site, uint32_t tasks, uint32_t gpus) {
  const Shape& shape = *needs.shape;
  if (takes_whole_node(needs, *site.partition)) return site.facts->cores;
  uint32_t cpus = shape.overcommit ? 1 : tasks * needs.cpus_per_task;
  cpus = std::max({cpus, needs.min_cpus, gpus * shape.cpus_per_gpu});
  uint32_t cores = div_up(cpus, threads_used(needs, *site.facts));
  if (shape.ntasks_per_core && !shape.overcommit) {
    cores = std::max(cores, div_up(tasks, shape.ntasks_per_core));
  }
  return cores;
}

// All that the node has.
uint32_t gpus_of(const Needs& needs, const NodeFacts& facts) {
  uint32_t gpus = 0;
  for (std::size_t k = 0; k < facts.kinds.size(); ++k) {
    for (const DeviceNeed& need : needs.devices) {
      if (!need.gpu || !need.takes(facts.kinds[k])) continue;
      gpus += facts.counts[k];
      break;
    }
  }
  return gpus;
}

uint64_t memory_for(const Needs& needs, const Site& site, uint32_t cores, uint32_t gpus) {
  const Shape& shape = *needs.shape;
  if (shape.all_memory) return site.node->memory_mb;
  if (shape.mem_per_gpu_mb) {
    // Who has the node has all of its GPUs.
    const bool whole = takes_whole_node(needs, *site.partition);
    return shape.mem_per_gpu_mb * (whole ? gpus_of(needs, *site.facts) : gpus);
  }
  if (shape.mem_per_node_mb) return shape.mem_per_node_mb;
  return shape.mem_per_cpu_mb * cores * threads_used(needs, *site.facts);
}

// The most tasks that the number of CPUs and the wishes about their layout allow.
uint32_t tasks_by_layout(const Needs& needs, const NodeFacts& facts, uint32_t cores) {
  const Shape& shape = *needs.shape;
  uint32_t most = UINT32_MAX;
  if (!shape.overcommit) {
    most = cores * threads_used(needs, facts) / needs.cpus_per_task;
    if (shape.ntasks_per_core) most = std::min(most, cores * shape.ntasks_per_core);
  }
  if (shape.ntasks_per_node) most = std::min(most, shape.ntasks_per_node);
  if (shape.ntasks_per_socket) most = std::min(most, shape.ntasks_per_socket * facts.sockets);
  return needs.counts_tasks ? std::min(most, needs.ntasks) : std::min(most, needs.tasks_per_node);
}

// Counts the free devices, and what of them CPUs and memory let the job use. False when a node
// can't serve one of the needs at all.
bool count_devices(const Needs& needs, const Site& site, std::span<const int64_t> free,
                   Room& room) {
  const Shape& shape = *needs.shape;
  for (std::size_t d = 0; d < needs.devices.size(); ++d) {
    const DeviceNeed& need = needs.devices[d];
    int64_t count = 0;
    for (std::size_t k = 0; k < site.facts->kinds.size(); ++k) {
      if (need.takes(site.facts->kinds[k])) count += std::max<int64_t>(free[kDeviceColumn + k], 0);
    }
    uint64_t most = static_cast<uint64_t>(count);
    if (need.gpu && shape.cpus_per_gpu) {
      most = std::min<uint64_t>(most,
                                room.cores * threads_used(needs, *site.facts) / shape.cpus_per_gpu);
    }
    if (need.gpu && shape.mem_per_gpu_mb)
      most = std::min(most, room.memory_mb / shape.mem_per_gpu_mb);
    room.devices[d] = static_cast<uint32_t>(most);
    uint32_t least = std::max({need.per_node, need.per_task, need.per_socket * needs.sockets,
                               std::min(need.per_job, 1u)});
    if (most < least) return false;
    if (need.per_task) {
      room.tasks = std::min(room.tasks, static_cast<uint32_t>(most / need.per_task));
    }
  }
  return true;
}

// The layout's number of tasks, brought down to what cores and memory can pay for.
uint32_t most_that_fit(const Needs& needs, const Site& site, const Room& room) {
  DeviceCounts least{};
  for (std::size_t d = 0; d < needs.devices.size(); ++d) least[d] = 1;
  auto fit = [&](uint32_t tasks) {
    return fits(piece_on(needs, site, room.node, tasks, least), room);
  };
  if (fit(room.tasks)) return room.tasks;
  uint32_t low = 0, high = room.tasks;  // low fits (or is none), high doesn't
  while (low + 1 < high) {
    uint32_t middle = low + (high - low) / 2;
    (fit(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

bool takes_whole_node(const Needs& needs, const Partition& partition) {
  return needs.shape->sharing == Sharing::kExclusive || partition.whole_nodes;
}

std::array<int64_t, 2> floor_on(const Needs& needs, const Site& site) {
  uint32_t cores = takes_whole_node(needs, *site.partition)
                       ? site.facts->cores
                       : div_up(needs.least_cpus, site.facts->cpus_per_core);
  const Shape& shape = *needs.shape;
  uint64_t memory = shape.all_memory ? site.node->memory_mb
                                     : std::max(shape.mem_per_node_mb, shape.mem_per_cpu_mb);
  return {cores, static_cast<int64_t>(memory)};
}

Room room_on(const Needs& needs, const Site& site, NodeIndex index, std::span<const int64_t> free) {
  Room room{index};
  if (free[kCoreColumn] <= 0 || free[kMemoryColumn] < 0) return room;
  room.cores = static_cast<uint32_t>(free[kCoreColumn]);
  room.memory_mb = static_cast<uint64_t>(free[kMemoryColumn]);
  if (takes_whole_node(needs, *site.partition) && room.cores < site.facts->cores) return room;
  room.tasks = tasks_by_layout(needs, *site.facts, room.cores);
  if (!count_devices(needs, site, free, room)) room.tasks = 0;
  if (room.tasks > 0) room.tasks = most_that_fit(needs, site, room);
  return room;
}

Piece piece_on(const Needs& needs, const Site& site, NodeIndex index, uint32_t tasks,
               const DeviceCounts& job_devices) {
  Piece piece{index, tasks};
  piece.devices = devices_for(needs, tasks, job_devices);
  piece.whole = takes_whole_node(needs, *site.partition);
  uint32_t gpus = gpus_in(needs, piece.devices);
  piece.cores = cores_for(needs, site, tasks, gpus);
  piece.memory_mb = memory_for(needs, site, piece.cores, gpus);
  return piece;
}

bool fits(const Piece& piece, const Room& room) {
  if (piece.cores > room.cores || piece.memory_mb > room.memory_mb) return false;
  for (std::size_t d = 0; d < kMaxDeviceNeeds; ++d) {
    if (piece.devices[d] > room.devices[d]) return false;
  }
  return true;
}

}  // namespace grappe::sched
