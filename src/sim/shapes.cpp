#include "sim/shapes.h"

#include <algorithm>

#include "sched/plan.h"

namespace grappe::sim {
namespace {

// GPUs of one job are on as few nodes as can be, as many on each.
void ask_gpus(uint32_t gpus, uint32_t per_node, sched::Shape& shape) {
  uint32_t most = std::max(per_node, 1u);
  uint32_t nodes = (gpus + most - 1) / most;
  shape.min_nodes = shape.max_nodes = nodes;
  shape.per_node.push_back({0, "gpu", true, nodes > 1 ? most : gpus});
}

}  // namespace

Shapes::Shapes(const Machine& machine)
    : gpus_per_node_(machine.gpus_per_node()), counts_memory_(machine.counts_memory()) {}

const sched::Shape* Shapes::of(const TraceJob& job) {
  uint64_t memory = counts_memory_ ? (job.memory_mb + job.cpus - 1) / job.cpus : 0;
  const sched::Shape*& known = known_[{job.cpus, job.gpus, memory}];
  if (known) return known;
  sched::Shape& shape = shapes_.emplace_back();
  shape.max_nodes = UINT32_MAX;
  shape.mem_per_cpu_mb = memory;
  if (job.gpus) ask_gpus(job.gpus, gpus_per_node_, shape);
  if (shape.max_nodes == UINT32_MAX) {
    shape.ntasks = job.cpus;
    shape.ntasks_given = true;
  } else {
    shape.min_cpus_per_node = std::max(job.cpus / shape.max_nodes, 1u);
  }
  return known = &shape;
}

bool Shapes::fits(const sched::Snapshot& machine, const sched::Shape* shape) {
  auto [known, added] = fits_.try_emplace(shape);
  if (added) known->second = sched::feasible(machine, *shape, 0) == Reason::kNone;
  return known->second;
}

}  // namespace grappe::sim
