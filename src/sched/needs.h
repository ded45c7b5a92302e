// What a shape asks of devices, with names turned into kinds: "gpu" without a type is any kind
// of that name.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sched/snapshot.h"

namespace grappe::sched {

// A request may name this many different devices; more is refused as BadConstraints.
inline constexpr std::size_t kMaxDeviceNeeds = 8;
using DeviceCounts = std::array<uint32_t, kMaxDeviceNeeds>;  // parallel to Needs::devices

// All that is asked of one sort of device. 0: not asked that way.
struct DeviceNeed {
  std::vector<GresKind> kinds;
  bool gpu = false;
  uint32_t per_node = 0, per_job = 0, per_task = 0, per_socket = 0;

  bool takes(GresKind kind) const;
};

struct Needs {
  const Shape* shape = nullptr;
  std::vector<DeviceNeed> devices;
  bool too_many = false;      // more than kMaxDeviceNeeds
  bool counts_tasks = false;  // `ntasks` are to be placed; else as many as there are nodes
  uint32_t ntasks = 1;
  uint32_t tasks_per_node = 1;  // when tasks are not counted
  uint32_t sockets = 1;         // that per_socket counts on each node
  uint32_t cpus_per_task = 1;
  uint32_t min_cpus = 1;    // on each node
  uint32_t least_cpus = 1;  // a node with fewer free is of no use

  bool wants_job_devices() const;
};

Needs needs_of(const Snapshot& snapshot, const Shape& shape);

}  // namespace grappe::sched
