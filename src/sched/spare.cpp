#include "sched/spare.h"

#include <algorithm>
#include <bit>

namespace grappe::sched {

Spare::Spare(const Snapshot& snapshot, const Timeline& timeline, PartitionIndex partition,
             Time duration)
    : snapshot_(snapshot), partition_(snapshot.partitions[partition]) {
  std::vector<int64_t> free;
  for (NodeIndex n : partition_.nodes.members()) {
    if (!snapshot.nodes[n].available) continue;
    const NodeFacts& facts = timeline.facts()[n];
    timeline.lowest(n, partition, duration, free);
    if (free[kCoreColumn] <= 0 || free[kMemoryColumn] < 0) continue;
    uint64_t cores = static_cast<uint64_t>(free[kCoreColumn]);
    nodes_.push_back({cores * facts.cpus_per_core, static_cast<uint64_t>(free[kMemoryColumn]),
                      cores >= facts.cores});
    cpus_ += nodes_.back().cpus;
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

bool Spare::lacks_devices(const Shape& shape) const {
  auto lacking = [&](const GresNeed& need) { return need.count > free_devices(need); };
  return std::any_of(shape.per_node.begin(), shape.per_node.end(), lacking) ||
         std::any_of(shape.per_job.begin(), shape.per_job.end(), lacking) ||
         std::any_of(shape.per_task.begin(), shape.per_task.end(), lacking);
}

bool Spare::rules_out(const Shape& shape) const {
  uint32_t min_nodes =
      shape.ntasks_given ? std::min(shape.min_nodes, shape.ntasks) : shape.min_nodes;
  if (nodes_.size() < min_nodes) return true;
  uint64_t task_cpus = shape.overcommit ? 1 : std::max(shape.cpus_per_task, 1u);
  uint64_t tasks = shape.ntasks_given && !shape.overcommit ? std::max(shape.ntasks, 1u) : 1;
  if (tasks * task_cpus > cpus_ || lacks_devices(shape)) return true;
  bool whole = shape.sharing == Sharing::kExclusive || partition_.whole_nodes;
  uint64_t least_cpus = std::max<uint64_t>(task_cpus, shape.min_cpus_per_node);
  uint64_t least_memory =
      std::max(shape.mem_per_node_mb, shape.overcommit ? 0 : shape.mem_per_cpu_mb * task_cpus);
  uint64_t found_tasks = 0;
  uint32_t found_nodes = 0;
  for (const Open& node : nodes_) {
    if (node.cpus < least_cpus || node.memory_mb < least_memory || (whole && !node.idle)) continue;
    ++found_nodes;
    uint64_t here = node.cpus / task_cpus;
    if (shape.max_nodes > 1 || here >= tasks) found_tasks += here;
    if (found_tasks >= tasks && found_nodes >= min_nodes) return false;
  }
  return true;
}

SpareViews::SpareViews(const Snapshot& snapshot, const Timeline& timeline)
    : snapshot_(snapshot), timeline_(timeline), views_(snapshot.partitions.size() * kLengths) {}

bool SpareViews::rules_out(const Shape& shape, PartitionIndex partition, Time duration) {
  uint64_t seconds = static_cast<uint64_t>(std::max<Time>(duration, 1));
  int length = std::bit_width(seconds) - 1;
  std::unique_ptr<Spare>& view = views_[partition * kLengths + static_cast<uint32_t>(length)];
  if (!view) {
    view = std::make_unique<Spare>(snapshot_, timeline_, partition, Time{1} << length);
  }
  return view->rules_out(shape);
}

void SpareViews::clear() {
  for (std::unique_ptr<Spare>& view : views_) view.reset();
}

}  // namespace grappe::sched
