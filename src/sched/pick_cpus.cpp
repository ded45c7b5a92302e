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

}  // namespace

std::optional<Bitmap> pick_cpus(const Needs& needs, const Site& site, const Piece& piece,
                                const std::vector<uint32_t>& devices) {
  const NodeFacts& facts = *site.facts;
  std::vector<uint32_t> close = free_cores(facts, site.node->used_cpus), away;
  Bitmap near = cpus_near(*site.node, devices);
  if (near.any()) {
    auto split = std::stable_partition(close.begin(), close.end(), [&](uint32_t core) {
      return near.test(core * facts.cpus_per_core);
    });
    if (!needs.shape->enforce_binding || piece.whole) away.assign(split, close.end());
    close.erase(split, close.end());
  }
  uint32_t per_task =
      std::max((needs.cpus_per_task + facts.cpus_per_core - 1) / facts.cpus_per_core, 1u);
  std::vector<uint32_t> cores;
  deal(by_socket(facts, close), per_task, piece.cores, cores);
  deal(by_socket(facts, away), per_task, piece.cores - static_cast<uint32_t>(cores.size()), cores);
  if (cores.size() < piece.cores) return std::nullopt;
  Bitmap cpus;
  for (uint32_t core : cores) {
    for (uint32_t t = 0; t < facts.cpus_per_core; ++t) cpus.set(core * facts.cpus_per_core + t);
  }
  return cpus;
}

}  // namespace grappe::sched
