#include "sched/why.h"

#include <algorithm>

#include "sched/backfill.h"
#include "sched/feasible/feasible.h"
#include "sched/gate.h"
#include "sched/remedies.h"

namespace grappe::sched {
namespace {

constexpr size_t kMostAhead = 5;

std::vector<int64_t> totals_of(const Node& node, const NodeFacts& facts) {
  std::vector<int64_t> out{facts.cores, static_cast<int64_t>(node.memory_mb)};
  for (uint32_t count : facts.counts) out.push_back(count);
  return out;
}

// With everything else to be had, what is free in this column is not enough.
bool is_short(const Needs& needs, const Site& site, NodeIndex index, std::vector<int64_t> columns,
              size_t column, int64_t free) {
  const uint32_t most = needs.counts_tasks ? needs.ntasks : needs.tasks_per_node;
  const uint32_t all = std::min(room_on(needs, site, index, columns).tasks, most);
  columns[column] = free;
  return room_on(needs, site, index, columns).tasks < all;
}

// --gpus counts for the whole job: a node may lack some and still take tasks.
bool lacks_job_devices(const Needs& needs, GresKind kind, uint64_t free, uint64_t total) {
  return std::any_of(needs.devices.begin(), needs.devices.end(), [&](const DeviceNeed& need) {
    return need.takes(kind) && free < std::min<uint64_t>(need.per_job, total);
  });
}

bool asks_for(const Needs& needs, GresKind kind) {
  return std::any_of(needs.devices.begin(), needs.devices.end(),
                     [&](const DeviceNeed& need) { return need.takes(kind); });
}

NodeView view_of(const Snapshot& snapshot, const Timeline& timeline, const Needs& needs,
                 PartitionIndex partition, NodeIndex n) {
  const NodeFacts& facts = timeline.facts()[n];
  const Site site{&snapshot.nodes[n], &facts, &snapshot.partitions[partition]};
  const std::vector<int64_t> totals = totals_of(*site.node, facts);
  std::vector<int64_t> free;
  timeline.lowest(n, partition, 1, free);
  const Calendar& calendar = timeline.calendar(n);
  calendar.hold_back().limit(free, calendar.slack_column(),
                             least_gpus(needs, snapshot.partitions[partition]));
  NodeView out{n, site.node->available, {}};
  auto add = [&](Supply::What what, size_t column, GresKind kind) {
    const uint64_t now = static_cast<uint64_t>(std::max<int64_t>(free[column], 0));
    const uint64_t all = static_cast<uint64_t>(totals[column]);
    const bool lacks = is_short(needs, site, n, totals, column, free[column]) ||
                       (column >= kDeviceColumn && lacks_job_devices(needs, kind, now, all));
    out.supplies.push_back({what, kind, now, all, lacks});
  };
  add(Supply::What::kCores, kCoreColumn, 0);
  add(Supply::What::kMemory, kMemoryColumn, 0);
  for (size_t k = 0; k < facts.kinds.size(); ++k) {
    if (asks_for(needs, facts.kinds[k])) {
      add(Supply::What::kDevices, kDeviceColumn + k, facts.kinds[k]);
    }
  }
  return out;
}

void add_ahead(const Snapshot& snapshot, uint32_t index, Explanation& out) {
  Bitmap wanted;
  const auto& own = snapshot.pending[index].partitions;
  for (size_t i = 0; i < own.size(); ++i) wanted |= snapshot.partitions[own[i]].nodes;
  std::vector<bool> counted(snapshot.pending.size());
  for (const Candidate& candidate : look_order(snapshot)) {
    if (candidate.job == index) return;
    const Partition& partition = snapshot.partitions[candidate.partition];
    if (counted[candidate.job] || !partition.nodes.intersects(wanted)) continue;
    counted[candidate.job] = true;
    ++out.ahead_count;
    if (out.ahead.size() < kMostAhead) out.ahead.push_back(candidate.job);
  }
}

void add_reserved(const Snapshot& snapshot, const PendingJob& job, const Bitmap& nodes,
                  Explanation& out) {
  const Time run = longest_run(job, snapshot.partitions[job.partitions[0]], snapshot.now);
  for (uint32_t r = 0; r < snapshot.reservations.size(); ++r) {
    const Reservation& reservation = snapshot.reservations[r];
    const Bitmap taken = reservation.nodes & nodes;
    const bool meets = reservation.start < snapshot.now + run && reservation.end > snapshot.now;
    if (r != job.reservation && meets && taken.any()) out.reserved.push_back({r, taken.members()});
  }
}

void add_nodes(const Snapshot& snapshot, const Timeline& timeline, const PendingJob& job,
               Explanation& out) {
  const PartitionIndex partition = job.partitions[0];
  const Needs needs = needs_of(snapshot, *job.shape);
  Bitmap nodes = suitable_nodes(snapshot, timeline.facts(), needs, partition);
  for (NodeIndex n : nodes.members()) {
    out.nodes.push_back(view_of(snapshot, timeline, needs, partition, n));
  }
  add_reserved(snapshot, job, nodes, out);
  for (NodeIndex n : nodes.members()) {
    if (!snapshot.nodes[n].available) nodes.clear(n);
  }
  Request request;
  request.needs = &needs;
  request.nodes = &nodes;
  request.client = {partition, job.user, job.reservation};
  request.client.gpus = least_gpus(needs, snapshot.partitions[partition]);
  request.licenses = &job.licenses;
  request.duration = longest_run(job, snapshot.partitions[partition], snapshot.now);
  out.fits_now = timeline.licenses_at(request, snapshot.now) &&
                 timeline.place_at(request, snapshot.now).has_value();
}

void add_running(const Snapshot& snapshot, Explanation& out) {
  if (!out.expected_start) return;
  for (uint32_t i = 0; i < snapshot.running.size(); ++i) {
    const RunningJob& job = snapshot.running[i];
    const bool there = std::any_of(job.shares.begin(), job.shares.end(), [&](const auto& share) {
      return std::find(out.expected_nodes.begin(), out.expected_nodes.end(), share.node) !=
             out.expected_nodes.end();
    });
    if (there && job.end <= out.expected_start) out.waits_for.push_back(i);
  }
  std::stable_sort(out.waits_for.begin(), out.waits_for.end(), [&](uint32_t a, uint32_t b) {
    return snapshot.running[a].end < snapshot.running[b].end;
  });
}

}  // namespace

bool NodeView::is_short() const {
  return std::any_of(supplies.begin(), supplies.end(), [](const Supply& s) { return s.is_short; });
}

Explanation explain(const Snapshot& snapshot, const Policy& policy, uint32_t index,
                    const std::vector<PartitionIndex>& partitions) {
  const PendingJob& job = snapshot.pending[index];
  Explanation out;
  Waiting waiting = start_of(snapshot, policy, index);
  out.reason = waiting.reason;
  out.detail = std::move(waiting.detail);
  out.expected_start = waiting.expected_start;
  out.expected_nodes = std::move(waiting.expected_nodes);
  out.kept = waiting.kept;
  if (job.partitions.empty()) return out;
  add_ahead(snapshot, index, out);
  add_nodes(snapshot, Timeline(snapshot, policy.placement), job, out);
  add_running(snapshot, out);
  out.remedies = find_remedies(snapshot, policy, index, partitions, out);
  return out;
}

}  // namespace grappe::sched
