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

uint32_t jobs_per_core(const Partition& partition, const Shape& shape) {
  if (partition.whole_nodes || shape.sharing == Sharing::kExclusive) return 1;
  bool shares = partition.oversubscribe_forced || shape.sharing == Sharing::kOversubscribe;
  return shares ? std::max(partition.oversubscribe, 1u) : 1;
}

void add_sharer(Node& node, PartitionIndex partition, const Bitmap& cpus) {
  auto same = [&](const Sharers& s) { return s.partition == partition; };
  auto found = std::find_if(node.sharers.begin(), node.sharers.end(), same);
  if (found == node.sharers.end()) {
    found = node.sharers.insert(found, {partition, std::vector<uint16_t>(node.cpus)});
  }
  for (uint32_t cpu : cpus.members()) ++found->jobs.at(cpu);
}

std::optional<uint32_t> sharers_of(const NodeFacts& facts, const Node& node,
                                   PartitionIndex partition, uint32_t core) {
  const Sharers* sharers = nullptr;
  for (const Sharers& candidate : node.sharers) {
    if (candidate.partition == partition) sharers = &candidate;
  }
  uint32_t jobs = 0;
  for (uint32_t t = 0; t < facts.cpus_per_core; ++t) {
    uint32_t cpu = core * facts.cpus_per_core + t;
    if (!node.used_cpus.test(cpu)) continue;
    uint32_t here = sharers && cpu < sharers->jobs.size() ? sharers->jobs[cpu] : 0;
    if (here == 0) return std::nullopt;
    jobs = std::max(jobs, here);
  }
  return jobs;
}

}  // namespace grappe::sched
