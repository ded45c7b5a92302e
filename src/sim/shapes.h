// What jobs of a trace ask for, as the scheduler reads it: one shape for all that ask the same.
#pragma once

#include <deque>
#include <map>
#include <tuple>
#include <unordered_map>

#include "sched/snapshot.h"
#include "sim/machine.h"
#include "sim/trace.h"

namespace grappe::sim {

class Shapes {
 public:
  explicit Shapes(const Machine& machine);

  // Lives as long as this.
  const sched::Shape* of(const TraceJob& job);
  // Whether it could run if the machine were empty.
  bool fits(const sched::Snapshot& machine, const sched::Shape* shape);

 private:
  uint32_t gpus_per_node_;
  bool counts_memory_;
  std::deque<sched::Shape> shapes_;
  std::unordered_map<const sched::Shape*, bool> fits_;
  std::map<std::tuple<uint32_t, uint32_t, uint64_t>, const sched::Shape*> known_;
};

}  // namespace grappe::sim
