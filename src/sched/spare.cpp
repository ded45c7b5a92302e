#include "sched/spare.h"

#include <algorithm>

namespace grappe::sched {

Spare::Spare(const Snapshot& snapshot, const Timeline& timeline, PartitionIndex partition)
    : snapshot_(snapshot), partition_(snapshot.partitions[partition]) {
  for (NodeIndex n : partition_.nodes.members()) {
    if (!snapshot.nodes[n].available) continue;
    const NodeFacts& facts = timeline.facts()[n];
    std::span<const int64_t> free = timeline.free_now(n);
    if (free[kCoreColumn] <= 0) continue;
    ++nodes_;
    uint64_t cores = static_cast<uint64_t>(free[kCoreColumn]);
    if (cores >= facts.cores) ++idle_nodes_;
    most_cpus_ = std::max(most_cpus_, cores * facts.cpus_per_core);
    cpus_ += cores * facts.cpus_per_core;
    most_memory_mb_ = std::max(most_memory_mb_, free[kMemoryColumn]);
    for (std::size_t k = 0; k < facts.kinds.size(); ++k) {
      if (devices_.size() <= facts.kinds[k]) devices_.resize(facts.kinds[k] + 1u);
      devices_[facts.kinds[k]] +=
          static_cast<uint32_t>(std::max<int64_t>(free[kDeviceColumn + k], 0));
    }
  }
}

uint32_t Spare::free_devices(const GresNeed& need) const {
  uint32_t count = need.kind < devices_.size() ? devices_[need.kind] : 0;
  if (!need.any_type) return count;
  for (std::size_t k = 0; k < devices_.size() && k < snapshot_.gres_names.size(); ++k) {
    if (k != need.kind && snapshot_.gres_names[k] == need.name) count += devices_[k];
  }
  return count;
}

bool Spare::rules_out(const Shape& shape) const {
  if (nodes_ < shape.min_nodes) return true;
  bool whole = shape.sharing == Sharing::kExclusive || partition_.whole_nodes;
  if (whole && idle_nodes_ < shape.min_nodes) return true;
  if (!shape.overcommit) {
    if (std::max(shape.cpus_per_task, shape.min_cpus_per_node) > most_cpus_) return true;
    if (shape.ntasks_given && uint64_t{shape.ntasks} * shape.cpus_per_task > cpus_) return true;
  }
  int64_t memory = static_cast<int64_t>(std::max(shape.mem_per_node_mb, shape.mem_per_cpu_mb));
  if (memory > most_memory_mb_) return true;
  auto lacking = [&](const GresNeed& need) { return need.count > free_devices(need); };
  return std::any_of(shape.per_node.begin(), shape.per_node.end(), lacking) ||
         std::any_of(shape.per_job.begin(), shape.per_job.end(), lacking) ||
         std::any_of(shape.per_task.begin(), shape.per_task.end(), lacking);
}

}  // namespace grappe::sched
