#include "sched/pick_cpus.h"

#include <algorithm>

namespace grappe::sched {
namespace {

// Free cores by socket, ascending.
using Sockets = std::vector<std::vector<uint32_t>>;

Sockets by_socket(const NodeFacts& facts, const std::vector<uint32_t>& cores) {
  Sockets sockets(facts.sockets);
  for (uint32_t core : cores) sockets[core / facts.cores_per_socket()].push_back(core);
  return sockets;
}

// Takes `count` cores, a task's worth from each socket in turn; appends them to `out`.
void deal(Sockets sockets, uint32_t per_task, uint32_t count, std::vector<uint32_t>& out) {
  for (bool some = true; some && count > 0;) {
    some = false;
    for (std::vector<uint32_t>& socket : sockets) {
      uint32_t take = std::min({per_task, count, static_cast<uint32_t>(socket.size())});
      out.insert(out.end(), socket.begin(), socket.begin() + take);
      socket.erase(socket.begin(), socket.begin() + take);
      count -= take;
      some = some || take > 0;
    }
  }
}

// The CPUs near every device that says so; empty when none does.
Bitmap cpus_near(const Node& node, const std::vector<uint32_t>& devices) {
  Bitmap near;
  for (uint32_t d : devices) near |= node.devices[d].near_cpus;
  return near;
}

// The cores that so many jobs share already.
std::vector<uint32_t> cores_serving(uint32_t jobs, const Site& site, PartitionIndex partition) {
  if (jobs == 0) return free_cores(*site.facts, site.node->used_cpus);
  std::vector<uint32_t> out;
  for (uint32_t core = 0; core < site.facts->cores; ++core) {
    if (sharers_of(*site.facts, *site.node, partition, core) == jobs) out.push_back(core);
  }
  return out;
}

}  // namespace

std::optional<Bitmap> pick_cpus(const Needs& needs, const Site& site, const Piece& piece,
                                const std::vector<uint32_t>& devices, PartitionIndex partition) {
  const NodeFacts& facts = *site.facts;
  const uint32_t sharers = jobs_per_core(*site.partition, *needs.shape);
  const Bitmap near = cpus_near(*site.node, devices);
  const bool only_near = needs.shape->enforce_binding && !piece.whole;
  uint32_t per_task =
      std::max((needs.cpus_per_task + facts.cpus_per_core - 1) / facts.cpus_per_core, 1u);
  std::vector<uint32_t> cores;
  for (uint32_t others = 0; others < sharers && cores.size() < piece.cores; ++others) {
    std::vector<uint32_t> close = cores_serving(others, site, partition), away;
    if (near.any()) {
      auto split = std::stable_partition(close.begin(), close.end(), [&](uint32_t core) {
        return near.test(core * facts.cpus_per_core);
      });
      if (!only_near) away.assign(split, close.end());
      close.erase(split, close.end());
    }
    for (const std::vector<uint32_t>* some : {&close, &away}) {
      uint32_t missing = piece.cores - static_cast<uint32_t>(cores.size());
      deal(by_socket(facts, *some), per_task, missing, cores);
    }
  }
  if (cores.size() < piece.cores) return std::nullopt;
  Bitmap cpus;
  for (uint32_t core : cores) {
    for (uint32_t t = 0; t < facts.cpus_per_core; ++t) cpus.set(core * facts.cpus_per_core + t);
  }
  return cpus;
}

}  // namespace grappe::sched
