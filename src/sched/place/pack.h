// Packing by fragmentation: a job that fits on one node goes where it leaves the most GPUs of use
// to jobs like those that are about.
//
// A free GPU of a node is of no use to a job that does not fit there: too few GPUs are free, or
// too few cores or too little memory for them. The fragmentation of a node is the number of such
// GPUs, averaged over the jobs with GPUs that wait and run; the job goes to the node, among the
// lightest, where it grows least (Weng et al., "Beware of Fragmentation", ATC'23). GPUs count
// alike, whatever their type.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sched/machine.h"
#include "sched/place/room.h"
#include "sched/snapshot.h"

namespace grappe::sched {

class Packing {
 public:
  Packing(const Snapshot& snapshot, const std::vector<NodeFacts>& facts);

  // Of the columns of a calendar.
  uint32_t free_gpus(NodeIndex node, std::span<const int64_t> free) const;
  // GPUs of no use in a node with so much free.
  double fragmentation(int64_t gpus, int64_t cores, int64_t memory_mb) const;
  // By how much that grows when this piece is taken from this room.
  double growth(const Room& room, const Piece& piece, uint32_t gpus) const;

 private:
  // What jobs of one sort take of a node, and their part of all.
  struct Kind {
    uint32_t gpus;
    uint32_t cores;
    uint64_t memory_mb;
    double part;
  };

  std::vector<Kind> kinds_;          // the most common first
  std::vector<uint64_t> gpu_slots_;  // by node: which of its kinds of devices are GPUs
};

}  // namespace grappe::sched
