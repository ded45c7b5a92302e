#include "sched/protection.h"

#include <algorithm>

namespace grappe::sched {
namespace {

bool has_gpus(const Snapshot& snapshot, const Node& node) {
  return std::any_of(node.devices.begin(), node.devices.end(), [&](const GresDevice& device) {
    return snapshot.gres_names[device.kind] == "gpu";
  });
}

// Also of nodes that are down: a rule that changes with each repair could not be explained.
std::vector<bool> pools_with_gpus(const Snapshot& snapshot, const std::vector<uint32_t>& pools) {
  std::vector<bool> out(pools.size());
  Bitmap nodes;
  for (NodeIndex n = 0; n < snapshot.nodes.size(); ++n) {
    if (has_gpus(snapshot, snapshot.nodes[n])) nodes.set(n);
  }
  for (PartitionIndex p = 0; p < pools.size(); ++p) {
    if (snapshot.partitions[p].nodes.intersects(nodes)) out[pools[p]] = true;
  }
  return out;
}

Protection as_written(const Policy& policy) {
  return {policy.protected_jobs, policy.backfill_order, policy.window};
}

}  // namespace

std::vector<Protection> protections(const Snapshot& snapshot, const Policy& policy,
                                    const std::vector<uint32_t>& pools) {
  std::vector<Protection> out(pools.size(), as_written(policy));
  if (!policy.by_pool) return out;
  const std::vector<bool> gpus = pools_with_gpus(snapshot, pools);
  for (std::size_t pool = 0; pool < out.size(); ++pool) {
    if (!gpus[pool]) out[pool] = as_written(first_in_line_policy());
  }
  return out;
}

}  // namespace grappe::sched
