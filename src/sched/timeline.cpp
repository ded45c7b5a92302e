#include "sched/timeline.h"

#include <algorithm>

#include "sched/place/search.h"

namespace grappe::sched {
namespace {

// Whether any job may claim a node for its user: only then are occupants worth keeping.
bool users_matter(const Snapshot& snapshot) {
  auto by_partition = [](const Partition& p) { return p.exclusive_user; };
  auto by_node = [](const Node& n) { return n.owner != UINT32_MAX; };
  auto by_job = [](const PendingJob& j) { return j.shape->sharing == Sharing::kUser; };
  return std::any_of(snapshot.partitions.begin(), snapshot.partitions.end(), by_partition) ||
         std::any_of(snapshot.nodes.begin(), snapshot.nodes.end(), by_node) ||
         std::any_of(snapshot.pending.begin(), snapshot.pending.end(), by_job);
}

std::vector<int64_t> free_licenses(const Snapshot& snapshot) {
  std::vector<int64_t> out;
  for (const License& l : snapshot.licenses) {
    out.push_back(static_cast<int64_t>(l.total) - static_cast<int64_t>(l.used));
  }
  return out;
}

std::vector<int64_t> license_counts(const std::vector<LicenseNeed>& needs, std::size_t width) {
  std::vector<int64_t> out(width);
  for (const LicenseNeed& need : needs) out[need.license] += need.count;
  return out;
}

Time end_of(const Request& request, Time start) {
  return request.duration >= kForever - start ? kForever : start + request.duration;
}

// The rooms of the nodes a job may use, kept as an upper bound while the start moves on, so that
// most instants are dismissed without placing anything.
class Sweep {
 public:
  Sweep(const Needs& needs, const Ground& ground)
      : fewest_(fewest_nodes(needs, *ground.partition)) {
    if (needs.counts_tasks) {
      tasks_ = needs.ntasks;
      if (most_nodes(needs, *ground.partition) == 1) per_node_ = needs.ntasks;
    } else {
      per_node_ = needs.tasks_per_node;
    }
  }

  void set(std::size_t i, const Room& room) {
    if (i >= rooms_.size()) rooms_.resize(i + 1);
    count(rooms_[i], false);
    rooms_[i] = room;
    count(room, true);
  }
  bool promising() const { return good_ >= fewest_ && sum_ >= tasks_; }
  std::vector<Room> usable() const {
    std::vector<Room> out;
    for (const Room& room : rooms_) {
      if (room.tasks > 0) out.push_back(room);
    }
    return out;
  }

 private:
  void count(const Room& room, bool in) {
    if (room.tasks == 0) return;
    sum_ += in ? room.tasks : -uint64_t{room.tasks};
    if (room.tasks >= per_node_) good_ += in ? 1 : -1;
  }

  uint64_t fewest_, tasks_ = 0;
  uint32_t per_node_ = 1;
  uint64_t sum_ = 0, good_ = 0;
  std::vector<Room> rooms_;
};

}  // namespace

Timeline::Timeline(const Snapshot& snapshot, const PlacementRules& rules)
    : snapshot_(snapshot),
      track_users_(users_matter(snapshot)),
      licenses_(snapshot.now, free_licenses(snapshot)) {
  facts_.reserve(snapshot.nodes.size());
  for (const Node& node : snapshot.nodes) facts_.push_back(facts_of(node));
  calendars_.reserve(snapshot.nodes.size());
  for (NodeIndex n = 0; n < snapshot.nodes.size(); ++n) {
    const HoldBack hold_back(snapshot, snapshot.nodes[n], facts_[n], rules.gpu_hold_back);
    calendars_.emplace_back(snapshot, n, facts_[n], track_users_, hold_back);
  }
  if (rules.gpu_pack) packing_.emplace(snapshot, facts_);
  add_reservations();
  add_running();
  auto earlier = [](const Event& a, const Event& b) { return a.at < b.at; };
  std::stable_sort(events_.begin(), events_.end(), earlier);
}

void Timeline::add_running() {
  std::vector<const RunningJob*> jobs;
  for (const RunningJob& job : snapshot_.running) jobs.push_back(&job);
  // Ends in order: each then only appends to the tables.
  auto ends_first = [](const RunningJob* a, const RunningJob* b) { return a->end < b->end; };
  std::stable_sort(jobs.begin(), jobs.end(), ends_first);
  for (const RunningJob* job : jobs) {
    // A job past its limit is about to be ended, but not yet gone.
    Time end = std::max(job->end, snapshot_.now + 1);
    for (const NodeShare& share : job->shares) {
      calendars_[share.node].running(snapshot_.nodes[share.node], *job, share, snapshot_.now, end);
      if (end < kForever) events_.push_back({end, share.node});
    }
    if (job->licenses.empty() || end >= kForever) continue;
    licenses_.add(end, kForever, license_counts(job->licenses, licenses_.width()));
    events_.push_back({end, kAnyNode});
  }
}

void Timeline::add_reservations() {
  for (uint32_t r = 0; r < snapshot_.reservations.size(); ++r) {
    const Reservation& reservation = snapshot_.reservations[r];
    held_licenses_.emplace_back(licenses_.width());
    if (reservation.end <= snapshot_.now) continue;
    if (!reservation.licenses.empty()) hold_licenses(reservation, r);
    std::size_t place = 0;
    for (NodeIndex n : reservation.nodes.members()) {
      bool whole = reservation.cpus_per_node.empty();
      uint32_t cpus = whole ? snapshot_.nodes[n].cpus : reservation.cpus_per_node[place++];
      uint32_t cores = (cpus + facts_[n].cpus_per_core - 1) / facts_[n].cpus_per_core;
      calendars_[n].close(r, reservation.start, reservation.end, cores, whole);
      if (reservation.start > snapshot_.now) events_.push_back({reservation.start, n});
      if (reservation.end < kForever) events_.push_back({reservation.end, n});
    }
  }
}

void Timeline::hold_licenses(const Reservation& reservation, uint32_t index) {
  std::vector<int64_t> held = license_counts(reservation.licenses, licenses_.width());
  for (const RunningJob& job : snapshot_.running) {
    if (job.reservation != index) continue;
    for (const LicenseNeed& need : job.licenses) {
      held[need.license] -= std::min<int64_t>(held[need.license], need.count);
    }
  }
  held_licenses_[index] = held;
  for (int64_t& count : held) count = -count;
  licenses_.add(std::max(reservation.start, snapshot_.now), reservation.end, held);
  if (reservation.end < kForever) events_.push_back({reservation.end, kAnyNode});
}

Ground Timeline::ground(const Request& request) const {
  return {&snapshot_.nodes, &facts_, &snapshot_.partitions[request.client.partition],
          packing_ ? &*packing_ : nullptr};
}

Site Timeline::site(const Request& request, NodeIndex node) const {
  return {&snapshot_.nodes[node], &facts_[node], &snapshot_.partitions[request.client.partition]};
}

Room Timeline::room(const Request& request, NodeIndex node, Time start, Probe& probe) const {
  Time end = end_of(request, start);
  if (!calendars_[node].free(request.client, start, end, probe, scratch_)) return Room{node};
  Room out = room_on(*request.needs, site(request, node), node, scratch_);
  if (packing_ && out.tasks > 0) out.gpus = packing_->free_gpus(node, scratch_);
  return out;
}

bool Timeline::licenses_at(const Request& request, Time start) const {
  if (request.licenses->empty()) return true;
  std::vector<int64_t> free(licenses_.width());
  licenses_.lowest(start, end_of(request, start), free);
  if (request.client.reservation < held_licenses_.size()) {
    const std::vector<int64_t>& held = held_licenses_[request.client.reservation];
    for (std::size_t i = 0; i < free.size(); ++i) free[i] += held[i];
  }
  for (const LicenseNeed& need : *request.licenses) {
    if (free[need.license] < need.count) return false;
  }
  return true;
}

std::optional<Placement> Timeline::place_at(const Request& request, Time start) const {
  std::vector<Room> rooms;
  for (NodeIndex n = request.nodes->next(0); n != UINT32_MAX; n = request.nodes->next(n + 1)) {
    Probe probe{floor_on(*request.needs, site(request, n))};
    Room r = room(request, n, start, probe);
    if (r.tasks > 0) rooms.push_back(r);
  }
  if (rooms.empty()) return std::nullopt;
  return choose(*request.needs, ground(request), std::move(rooms));
}

std::optional<Slot> Timeline::earliest(const Request& request, Time from, Time until) const {
  Sweep sweep(*request.needs, ground(request));
  std::vector<NodeIndex> nodes = request.nodes->members();
  std::vector<uint32_t> place(snapshot_.nodes.size(), UINT32_MAX);
  std::vector<Probe> probes(nodes.size());
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    place[nodes[i]] = i;
    probes[i].floor = floor_on(*request.needs, site(request, nodes[i]));
  }
  auto refresh = [&](Time at) {
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      sweep.set(i, room(request, nodes[i], at, probes[i]));
    }
  };
  auto attempt = [&](Time at) -> std::optional<Placement> {
    if (!licenses_at(request, at)) return std::nullopt;
    refresh(at);
    if (!sweep.promising()) return std::nullopt;
    return choose(*request.needs, ground(request), sweep.usable());
  };
  refresh(from);
  if (sweep.promising()) {
    if (std::optional<Placement> found = attempt(from)) return Slot{from, std::move(*found)};
  }
  auto later = [](Time at, const Event& e) { return at < e.at; };
  auto event = std::upper_bound(events_.begin(), events_.end(), from, later);
  while (event != events_.end() && event->at <= until) {
    Time at = event->at;
    for (; event != events_.end() && event->at == at; ++event) {
      uint32_t i = event->node == kAnyNode ? UINT32_MAX : place[event->node];
      if (i != UINT32_MAX) sweep.set(i, room(request, event->node, at, probes[i]));
    }
    if (!sweep.promising()) continue;
    if (std::optional<Placement> found = attempt(at)) return Slot{at, std::move(*found)};
  }
  return std::nullopt;
}

void Timeline::move_end(const RunningJob& job, Time from, Time to) {
  for (const NodeShare& share : job.shares) {
    calendars_[share.node].move_end(snapshot_.nodes[share.node], job, share, from, to);
    if (to < from) add_event(to, share.node);
  }
}

void Timeline::release_early(const RunningJob& job, Time at) {
  move_end(job, std::max(job.end, snapshot_.now + 1), at);
}

void Timeline::hold_again(const RunningJob& job, Time at) {
  move_end(job, at, std::max(job.end, snapshot_.now + 1));
}

Time Timeline::next_release(Time after) const {
  auto later = [](Time at, const Event& e) { return at < e.at; };
  auto event = std::upper_bound(events_.begin(), events_.end(), after, later);
  return event == events_.end() ? kForever : event->at;
}

void Timeline::add_event(Time at, NodeIndex node) {
  if (at >= kForever) return;
  auto later = [](Time t, const Event& e) { return t < e.at; };
  auto where = std::upper_bound(events_.begin(), events_.end(), at, later);
  events_.insert(where, {at, node});
}

Kept Timeline::keep(const Request& request, const Placement& placement, Time start,
                    bool whole_nodes) {
  Kept kept{request.client, start, end_of(request, start)};
  for (const Piece& piece : placement.pieces) {
    Calendar& calendar = calendars_[piece.node];
    Booking booking = calendar.booking(request.client, *request.needs, piece, kept.from, kept.to);
    if (whole_nodes) calendar.widen(booking);
    calendar.book(request.client, booking, kept.from, kept.to);
    add_event(kept.to, piece.node);
    kept.bookings.push_back(std::move(booking));
  }
  if (!request.licenses->empty()) {
    kept.licenses = license_counts(*request.licenses, licenses_.width());
    for (int64_t& count : kept.licenses) count = -count;
    licenses_.add(kept.from, kept.to, kept.licenses);
    add_event(kept.to, kAnyNode);
  }
  return kept;
}

void Timeline::give_back(const Kept& kept) {
  for (const Booking& booking : kept.bookings) {
    calendars_[booking.node].cancel(kept.client, booking, kept.from, kept.to);
    add_event(kept.from, booking.node);
  }
  if (kept.licenses.empty()) return;
  std::vector<int64_t> back = kept.licenses;
  for (int64_t& count : back) count = -count;
  licenses_.add(kept.from, kept.to, back);
  add_event(kept.from, kAnyNode);
}

void Timeline::lowest(NodeIndex node, PartitionIndex partition, Time duration,
                      std::vector<int64_t>& out) const {
  calendars_[node].lowest(partition, snapshot_.now,
                          snapshot_.now + std::min(duration, kForever / 2), out);
}

}  // namespace grappe::sched
