// The rules of placement that can be switched, each in a file of its own.
#pragma once

#include <cstdint>

namespace grappe::sched {

struct PlacementRules {
  // Per cent of its equal part of the node's cores and memory that each free GPU keeps from jobs
  // without GPUs (hold_back.h). 0: nothing is kept.
  uint32_t gpu_hold_back = 0;
  // A job that fits on one node goes where it leaves the most GPUs of use (place/pack.h).
  bool gpu_pack = false;
  // GPUs that talk fast to each other go together (pick_devices.h).
  bool gpu_links = true;
};

}  // namespace grappe::sched
