#include "sched/order.h"

#include <algorithm>

namespace grappe::sched {
namespace {

// Everything that decides the order, side by side, so that sorting touches no job.
struct Key {
  uint64_t rank;  // reservation, tier, priority: the greater first
  Time submit_time;
  uint64_t id_and_place;  // job id, then the place of the partition in the job's list
  Candidate candidate;
};

constexpr auto before = [](const Key& a, const Key& b) {
  if (a.rank != b.rank) return a.rank > b.rank;
  if (a.submit_time != b.submit_time) return a.submit_time < b.submit_time;
  return a.id_and_place < b.id_and_place;
};

uint64_t rank_of(const PendingJob& job, uint32_t place, const Partition& partition) {
  uint64_t tier = std::min(partition.priority_tier, 0x7fffffffu);
  const uint32_t priority = place < job.priorities.size() ? job.priorities[place] : job.priority;
  uint64_t reserved = job.reservation != UINT32_MAX ? 1 : 0;
  return reserved << 63 | tier << 32 | priority;
}

}  // namespace

uint64_t best_rank(const Snapshot& snapshot, const PendingJob& job) {
  uint64_t best = 0;
  for (uint32_t place = 0; place < job.partitions.size(); ++place) {
    best = std::max(best, rank_of(job, place, snapshot.partitions[job.partitions[place]]));
  }
  return best;
}

std::vector<Candidate> look_order(const Snapshot& snapshot) {
  std::vector<Key> keys;
  keys.reserve(snapshot.pending.size());
  for (uint32_t i = 0; i < snapshot.pending.size(); ++i) {
    const PendingJob& job = snapshot.pending[i];
    for (uint32_t place = 0; place < job.partitions.size(); ++place) {
      PartitionIndex p = job.partitions[place];
      keys.push_back({rank_of(job, place, snapshot.partitions[p]),
                      job.submit_time,
                      uint64_t{job.job_id} << 32 | place,
                      {i, p}});
    }
  }
  if (!std::is_sorted(keys.begin(), keys.end(), before)) {
    std::stable_sort(keys.begin(), keys.end(), before);
  }
  std::vector<Candidate> out;
  out.reserve(keys.size());
  for (const Key& key : keys) out.push_back(key.candidate);
  return out;
}

}  // namespace grappe::sched
