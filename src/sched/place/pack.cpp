#include "sched/place/pack.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "sched/place/search.h"

namespace grappe::sched {
namespace {

constexpr std::size_t kMostKinds = 32;

using KindKey = std::tuple<uint32_t, uint32_t, uint64_t>;  // GPUs, cores, MB on a node

// What a pending job takes of its first node, roughly; no GPUs: none of interest.
KindKey kind_of(const Snapshot& snapshot, const Shape& shape, const NodeFacts& facts) {
  const Needs needs = needs_of(snapshot, shape);
  const Partition anywhere;
  const Node node;
  DeviceCounts of_job{};
  for (std::size_t d = 0; d < needs.devices.size(); ++d) {
    const uint32_t nodes = std::max(shape.min_nodes, 1u);
    of_job[d] = (needs.devices[d].per_job + nodes - 1) / nodes;
  }
  const uint32_t tasks =
      needs.counts_tasks && shape.max_nodes == 1 ? needs.ntasks : needs.tasks_per_node;
  const Piece piece = piece_on(needs, {&node, &facts, &anywhere}, 0, tasks, of_job);
  uint32_t gpus = 0;
  for (std::size_t d = 0; d < needs.devices.size(); ++d) {
    if (needs.devices[d].gpu) gpus += piece.devices[d];
  }
  return {gpus, piece.cores, piece.memory_mb};
}

}  // namespace

Packing::Packing(const Snapshot& snapshot, const std::vector<NodeFacts>& facts) {
  const NodeFacts* typical = nullptr;
  for (NodeIndex n = 0; n < facts.size(); ++n) {
    uint64_t slots = 0;
    for (std::size_t k = 0; k < facts[n].kinds.size() && k < 64; ++k) {
      const GresKind kind = facts[n].kinds[k];
      if (kind < snapshot.gres_names.size() && snapshot.gres_names[kind] == "gpu") {
        slots |= uint64_t{1} << k;
      }
    }
    gpu_slots_.push_back(slots);
    if (slots && !typical) typical = &facts[n];
  }
  if (!typical) return;
  std::map<KindKey, double> counts;
  std::unordered_map<const Shape*, double> shapes;
  for (const PendingJob& job : snapshot.pending) shapes[job.shape] += job.copies;
  for (const auto& [shape, count] : shapes) {
    if (shape->sharing != Sharing::kExclusive) counts[kind_of(snapshot, *shape, *typical)] += count;
  }
  for (const RunningJob& job : snapshot.running) {
    if (job.exclusive || job.shares.empty()) continue;
    const NodeShare& share = job.shares[0];
    const NodeFacts& there = facts[share.node];
    uint32_t gpus = 0;
    for (uint32_t d : share.devices) {
      const std::size_t slot = there.slot(snapshot.nodes[share.node].devices[d].kind);
      gpus += slot < 64 ? gpu_slots_[share.node] >> slot & 1 : 0;
    }
    counts[{gpus, cores_of(there, share.cpus), share.memory_mb}] += 1;
  }
  double all = 0;
  for (const auto& [key, count] : counts) {
    const auto [gpus, cores, memory] = key;
    if (gpus == 0) continue;
    kinds_.push_back({gpus, cores, memory, count});
    all += count;
  }
  std::stable_sort(kinds_.begin(), kinds_.end(),
                   [](const Kind& a, const Kind& b) { return a.part > b.part; });
  if (kinds_.size() > kMostKinds) kinds_.resize(kMostKinds);
  for (Kind& kind : kinds_) kind.part /= all;
}

uint32_t Packing::free_gpus(NodeIndex node, std::span<const int64_t> free) const {
  int64_t sum = 0;
  for (std::size_t k = 0; gpu_slots_[node] >> k; ++k) {
    if (gpu_slots_[node] >> k & 1) sum += std::max<int64_t>(free[kDeviceColumn + k], 0);
  }
  return static_cast<uint32_t>(sum);
}

double Packing::fragmentation(int64_t gpus, int64_t cores, int64_t memory_mb) const {
  double unfit = 0;
  for (const Kind& kind : kinds_) {
    const bool fits = kind.gpus <= gpus && kind.cores <= cores &&
                      static_cast<int64_t>(kind.memory_mb) <= memory_mb;
    if (!fits) unfit += kind.part;
  }
  return unfit * static_cast<double>(gpus);
}

double Packing::growth(const Room& room, const Piece& piece, uint32_t gpus) const {
  const auto memory = static_cast<int64_t>(room.memory_mb);
  const double before = fragmentation(room.gpus, room.cores, memory);
  return fragmentation(int64_t{room.gpus} - gpus, int64_t{room.cores} - piece.cores,
                       memory - static_cast<int64_t>(piece.memory_mb)) -
         before;
}

bool choose_packed(Search& search, const std::vector<Room>& rooms) {
  const Packing* packing = search.ground().packing;
  if (!packing || !search.picks().empty()) return false;
  const Needs& needs = search.needs();
  DeviceCounts of_job{};
  for (std::size_t d = 0; d < needs.devices.size(); ++d) of_job[d] = needs.devices[d].per_job;
  const uint32_t tasks = needs.counts_tasks ? needs.ntasks : needs.tasks_per_node;
  using Rank = std::tuple<uint32_t, double, uint32_t, uint32_t>;  // the smallest is best
  const Room* best = nullptr;
  Rank least;
  for (const Room& room : rooms) {
    if (search.settled(room.node) || !search.enough(room)) continue;
    const Site site = search.ground().site(room.node);
    const Piece piece = piece_on(needs, site, room.node, tasks, of_job);
    uint32_t gpus = piece.whole ? room.gpus : 0;
    for (std::size_t d = 0; d < needs.devices.size() && !piece.whole; ++d) {
      if (needs.devices[d].gpu) gpus += piece.devices[d];
    }
    const Rank rank{site.node->weight, packing->growth(room, piece, gpus), room.gpus, room.cores};
    if (best && rank >= least) continue;
    best = &room;
    least = rank;
  }
  return best && search.take(*best);
}

}  // namespace grappe::sched
