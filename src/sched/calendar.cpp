#include "sched/calendar.h"

#include <algorithm>
#include <array>
#include <limits>

namespace grappe::sched {
namespace {

std::vector<PartitionIndex> quotas_on(const Snapshot& snapshot, NodeIndex index) {
  std::vector<PartitionIndex> out;
  for (PartitionIndex p = 0; p < snapshot.partitions.size(); ++p) {
    const Partition& partition = snapshot.partitions[p];
    if (partition.max_cpus_per_node != UINT32_MAX && partition.nodes.test(index)) out.push_back(p);
  }
  return out;
}

bool overlap(Time a_from, Time a_to, Time b_from, Time b_to) {
  return a_from < b_to && b_from < a_to;
}

}  // namespace

std::vector<Calendar::Shared> Calendar::shared_on(const Snapshot& snapshot, NodeIndex index) {
  std::vector<Shared> out;
  for (PartitionIndex p = 0; p < snapshot.partitions.size(); ++p) {
    const Partition& partition = snapshot.partitions[p];
    if (partition.oversubscribe > 1 && !partition.whole_nodes && partition.nodes.test(index)) {
      out.push_back({p, partition.oversubscribe});
    }
  }
  return out;
}

std::vector<int64_t> Calendar::free_now(const Snapshot& snapshot, NodeIndex index,
                                        const NodeFacts& facts, const HoldBack& hold_back) {
  const Node& node = snapshot.nodes[index];
  std::vector<int64_t> out;
  out.push_back(static_cast<int64_t>(free_cores(facts, node.used_cpus).size()));
  if (node.exclusive) out[kCoreColumn] = 0;
  out.push_back(static_cast<int64_t>(node.memory_mb) - static_cast<int64_t>(node.used_memory_mb));
  for (uint32_t count : facts.counts) out.push_back(count);
  for (uint32_t d = 0; d < node.devices.size(); ++d) {
    if (node.used_devices.test(d)) --out[kDeviceColumn + facts.slot(node.devices[d].kind)];
  }
  for (PartitionIndex p : quotas_on(snapshot, index)) {
    out.push_back(snapshot.partitions[p].max_cpus_per_node / facts.cpus_per_core);
  }
  for (const Shared& shared : shared_on(snapshot, index)) {
    int64_t places = 0;
    for (uint32_t core = 0; core < facts.cores && !node.exclusive; ++core) {
      auto jobs = sharers_of(facts, node, shared.partition, core);
      if (jobs) places += std::max<int64_t>(shared.per_core - *jobs, 0);
    }
    out.push_back(places);
  }
  if (hold_back.any()) {
    const std::size_t first = out.size();
    out.resize(first + HoldBack::kColumns);
    hold_back.follow(out, first);
  }
  return out;
}

Calendar::Calendar(const Snapshot& snapshot, NodeIndex index, const NodeFacts& facts,
                   bool track_users, const HoldBack& hold_back)
    : facts_(&facts),
      hold_back_(hold_back),
      table_(snapshot.now, free_now(snapshot, index, facts, hold_back)),
      quotas_(quotas_on(snapshot, index)),
      shared_(shared_on(snapshot, index)),
      track_users_(track_users) {}

std::size_t Calendar::slack_column() const {
  return kDeviceColumn + facts_->kinds.size() + quotas_.size() + shared_.size();
}

std::size_t Calendar::quota_column(PartitionIndex partition) const {
  if (quotas_.empty()) return 0;
  auto found = std::find(quotas_.begin(), quotas_.end(), partition);
  if (found == quotas_.end()) return 0;
  return kDeviceColumn + facts_->kinds.size() + static_cast<std::size_t>(found - quotas_.begin());
}

std::size_t Calendar::shared_column(PartitionIndex partition) const {
  for (std::size_t i = 0; i < shared_.size(); ++i) {
    if (shared_[i].partition == partition) {
      return kDeviceColumn + facts_->kinds.size() + quotas_.size() + i;
    }
  }
  return 0;
}

void Calendar::take_places(PartitionIndex partition, bool shares, int64_t cores,
                           std::vector<int64_t>& delta) const {
  for (std::size_t i = 0; i < shared_.size(); ++i) {
    bool one_place = shares && shared_[i].partition == partition;
    delta[kDeviceColumn + facts_->kinds.size() + quotas_.size() + i] -=
        one_place ? cores : cores * shared_[i].per_core;
  }
}

bool Calendar::shut_out(const Client& client, Time from, Time to) const {
  auto in_the_way = [&](const Occupant& o) {
    return o.user != client.user && (o.alone || client.alone) && overlap(o.from, o.to, from, to);
  };
  return std::any_of(occupants_.begin(), occupants_.end(), in_the_way);
}

bool Calendar::free(const Client& client, Time from, Time to, Probe& probe,
                    std::vector<int64_t>& out) const {
  out.resize(table_.width());
  const std::size_t places = client.shares_cpus ? shared_column(client.partition) : 0;
  std::array<int64_t, 2> floor = probe.floor;
  if (places) floor[kCoreColumn] = std::numeric_limits<int64_t>::min();
  if (!table_.lowest(from, to, floor, out, probe.row)) return false;
  hold_back_.limit(out, slack_column(), client.gpus);
  int64_t& cores = out[kCoreColumn];
  if (places) cores = std::min<int64_t>(out[places], facts_->cores);
  if (std::size_t quota = quota_column(client.partition)) cores = std::min(cores, out[quota]);
  for (const Closed& closed : closed_) {
    if (client.anyway || !overlap(closed.from, closed.to, from, to)) continue;
    bool member = closed.reservation == client.reservation;
    if (member && closed.whole) continue;
    std::array<int64_t, 2> held{};  // less the most, the least
    closed.held.lowest(from, to, held);
    if (member) {
      cores = std::min(cores, held[1]);
    } else {
      cores = closed.whole ? 0 : cores + held[0];
    }
  }
  return cores >= probe.floor[kCoreColumn] && !(track_users_ && shut_out(client, from, to));
}

void Calendar::lowest(PartitionIndex partition, Time from, Time to,
                      std::vector<int64_t>& out) const {
  out.resize(table_.width());
  table_.lowest(from, to, out);
  if (std::size_t places = shared_column(partition)) {
    out[kCoreColumn] = std::max(out[kCoreColumn], std::min<int64_t>(out[places], facts_->cores));
  }
}

Booking Calendar::booking(const Client& client, const Needs& needs, const Piece& piece, Time from,
                          Time to) const {
  Booking out{piece.node, std::vector<int64_t>(table_.width())};
  out.delta[kCoreColumn] = -static_cast<int64_t>(piece.cores);
  out.delta[kMemoryColumn] = -static_cast<int64_t>(piece.memory_mb);
  if (std::size_t quota = quota_column(client.partition)) out.delta[quota] = out.delta[kCoreColumn];
  take_places(client.partition, client.shares_cpus, piece.cores, out.delta);
  std::vector<int64_t> left(table_.width());
  table_.lowest(from, to, left);
  for (std::size_t k = 0; k < facts_->kinds.size(); ++k) {
    if (piece.whole) out.delta[kDeviceColumn + k] = -left[kDeviceColumn + k];
  }
  for (std::size_t d = 0; d < needs.devices.size() && !piece.whole; ++d) {
    int64_t count = piece.devices[d];
    for (std::size_t k = 0; k < facts_->kinds.size() && count > 0; ++k) {
      if (!needs.devices[d].takes(facts_->kinds[k])) continue;
      int64_t take = std::clamp<int64_t>(left[kDeviceColumn + k], 0, count);
      out.delta[kDeviceColumn + k] -= take;
      left[kDeviceColumn + k] -= take;
      count -= take;
    }
  }
  hold_back_.book(out.delta, slack_column(), client.gpus, from > table_.start());
  return out;
}

void Calendar::widen(Booking& booking) const {
  booking.delta[kCoreColumn] = -static_cast<int64_t>(facts_->cores);
  for (std::size_t i = 0; i < shared_.size(); ++i) {
    booking.delta[kDeviceColumn + facts_->kinds.size() + quotas_.size() + i] =
        -static_cast<int64_t>(facts_->cores) * shared_[i].per_core;
  }
}

// A job inside a reservation uses what was held for it.
void Calendar::unhold(const Client& client, Time from, Time to, int64_t cores) {
  std::array<int64_t, 2> delta{cores, -cores};
  for (Closed& closed : closed_) {
    if (closed.reservation != client.reservation || closed.whole) continue;
    Time first = std::max(from, closed.from), last = std::min(to, closed.to);
    closed.held.add(first, last, delta);
  }
}

void Calendar::book(const Client& client, const Booking& booking, Time from, Time to) {
  table_.add(from, to, booking.delta);
  unhold(client, from, to, -booking.delta[kCoreColumn]);
  if (track_users_) occupants_.push_back({from, to, client.user, client.alone});
}

void Calendar::cancel(const Client& client, const Booking& booking, Time from, Time to) {
  std::vector<int64_t> back = booking.delta;
  for (int64_t& value : back) value = -value;
  table_.add(from, to, back);
  unhold(client, from, to, booking.delta[kCoreColumn]);
  auto same = [&](const Occupant& o) {
    return o.from == from && o.to == to && o.user == client.user && o.alone == client.alone;
  };
  auto found = std::find_if(occupants_.begin(), occupants_.end(), same);
  if (found != occupants_.end()) occupants_.erase(found);
}

int64_t Calendar::cores_held(const RunningJob& job, const NodeShare& share) const {
  if (job.suspended) return 0;
  return job.exclusive ? facts_->cores : cores_of(*facts_, share.cpus);
}

std::vector<int64_t> Calendar::share_of(const Node& node, const RunningJob& job,
                                        const NodeShare& share) const {
  std::vector<int64_t> out(table_.width());
  const int64_t cores = cores_held(job, share);
  out[kCoreColumn] = cores;
  take_places(job.partition, job.shares_cpus, -cores, out);
  out[kMemoryColumn] = static_cast<int64_t>(share.memory_mb);
  for (uint32_t d : share.devices) ++out[kDeviceColumn + facts_->slot(node.devices[d].kind)];
  hold_back_.follow(out, slack_column());
  return out;
}

void Calendar::running(const Node& node, const RunningJob& job, const NodeShare& share, Time now,
                       Time end) {
  const int64_t cores = cores_held(job, share);
  table_.add(end, kForever, share_of(node, job, share));
  if (std::size_t quota = quota_column(job.partition)) {
    std::vector<int64_t> taken(table_.width());
    taken[quota] = -cores;
    table_.add(now, end, taken);
  }
  unhold({job.partition, job.user, job.reservation}, now, end, cores);
  if (track_users_) occupants_.push_back({now, end, job.user, node.owner != UINT32_MAX});
}

void Calendar::move_end(const Node& node, const RunningJob& job, const NodeShare& share, Time from,
                        Time to) {
  const bool sooner = to < from;
  const int64_t cores = cores_held(job, share);
  std::vector<int64_t> moved = share_of(node, job, share);
  if (job.eviction == Eviction::kSuspend) {
    moved[kMemoryColumn] = 0;
    std::fill_n(moved.begin() + kDeviceColumn, facts_->kinds.size(), 0);
    hold_back_.follow(moved, slack_column());
  }
  if (std::size_t quota = quota_column(job.partition)) moved[quota] = cores;
  if (!sooner) {
    for (int64_t& value : moved) value = -value;
  }
  const Time first = std::min(from, to), last = std::max(from, to);
  table_.add(first, last, moved);
  unhold({job.partition, job.user, job.reservation}, first, last, sooner ? -cores : cores);
  for (Occupant& o : occupants_) {
    if (o.to != from || o.user != job.user) continue;
    o.to = to;
    break;
  }
}

void Calendar::close(uint32_t reservation, Time from, Time to, uint32_t cores, bool whole) {
  Closed closed{reservation, from, to, whole, StepTable(table_.start(), {0, 0})};
  std::array<int64_t, 2> held{-static_cast<int64_t>(cores), static_cast<int64_t>(cores)};
  closed.held.add(std::max(from, table_.start()), to, held);
  closed_.push_back(std::move(closed));
}

}  // namespace grappe::sched
