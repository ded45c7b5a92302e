#include "sched/machine.h"

#include <algorithm>

namespace grappe::sched {

std::size_t NodeFacts::slot(GresKind kind) const {
  return static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin());
}

NodeFacts facts_of(const Node& node) {
  NodeFacts facts;
  uint32_t cores = node.sockets * node.cores_per_socket;
  // A node may be declared with fewer CPUs than its geometry has threads: then each is a core.
  bool threaded = node.threads_per_core > 1 && cores * node.threads_per_core == node.cpus;
  facts.cpus_per_core = threaded ? node.threads_per_core : 1;
  facts.cores = std::max(node.cpus / facts.cpus_per_core, 1u);
  bool regular = node.sockets > 0 && facts.cores % node.sockets == 0;
  facts.sockets = regular ? node.sockets : 1;
  for (const GresDevice& device : node.devices) {
    std::size_t slot = facts.slot(device.kind);
    if (slot == facts.kinds.size()) {
      facts.kinds.push_back(device.kind);
      facts.counts.push_back(0);
    }
    ++facts.counts[slot];
  }
  return facts;
}

uint32_t cores_of(const NodeFacts& facts, const Bitmap& cpus) {
  if (facts.cpus_per_core == 1) return cpus.count();
  uint32_t cores = 0;
  for (uint32_t cpu = cpus.next(0); cpu != UINT32_MAX;) {
    ++cores;
    cpu = cpus.next((cpu / facts.cpus_per_core + 1) * facts.cpus_per_core);
  }
  return cores;
}

std::vector<uint32_t> free_cores(const NodeFacts& facts, const Bitmap& used_cpus) {
  std::vector<uint32_t> out;
  for (uint32_t core = 0; core < facts.cores; ++core) {
    bool used = false;
    for (uint32_t thread = 0; thread < facts.cpus_per_core; ++thread) {
      used = used || used_cpus.test(core * facts.cpus_per_core + thread);
    }
    if (!used) out.push_back(core);
  }
  return out;
}

}  // namespace grappe::sched
