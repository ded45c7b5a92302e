// Cores and memory that are kept for the free GPUs of a node, so that jobs without GPUs don't leave
// them without anything to run on.
//
// Of a node with G GPUs each free one keeps a per cent of 1/G of its cores and memory. What is left
// is the slack: all that jobs without GPUs may use. Jobs with GPUs may use everything, but not so
// that the planned start of a job without would have to wait.
//
// The slack is kept in columns of the node's calendar beside the counts that it follows from. In
// the course of a plan it only gets less: the slack that a job leaves which needs less than its
// GPUs keep is there for the next plan.
#pragma once

#include <cstdint>
#include <span>

#include "sched/machine.h"
#include "sched/needs.h"

namespace grappe::sched {

// The GPUs that a job has at least on each of its nodes; UINT32_MAX: the node is its own.
uint32_t least_gpus(const Needs& needs, const Partition& partition);

class HoldBack {
 public:
  static constexpr std::size_t kColumns = 3;  // slack of cores, of memory, jobs planned by it

  HoldBack() = default;
  HoldBack(const Snapshot& snapshot, const Node& node, const NodeFacts& facts, uint32_t percent);

  // Whether there are such columns at all.
  bool any() const { return gpus_ > 0; }

  // Each of these has the columns of a calendar, those of the slack beginning at `first`.
  // Sets the slack of these counts, free or given back.
  void follow(std::span<int64_t> counts, std::size_t first) const;
  // Sets what this booking of a job takes of the slack.
  void book(std::span<int64_t> delta, std::size_t first, uint32_t gpus, bool planned) const;
  // Lessens the free cores and memory to what a job with so many GPUs may use.
  void limit(std::span<int64_t> free, std::size_t first, uint32_t gpus) const;

 private:
  int64_t free_gpus(std::span<const int64_t> counts) const;

  int64_t gpus_ = 0;
  int64_t percent_ = 0;
  int64_t cores_ = 0, memory_mb_ = 0;
  uint64_t is_gpu_ = 0;  // by place of the kind among those of the node
};

}  // namespace grappe::sched
