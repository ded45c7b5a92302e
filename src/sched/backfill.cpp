#include "sched/backfill.h"

#include <algorithm>

#include "base/hostlist.h"
#include "sched/feasible/feasible.h"
#include "sched/pick_cpus.h"
#include "sched/pick_devices.h"

namespace grappe::sched {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

Time shortest(const PendingJob& job) {
  return job.time_min > 0 ? std::min(job.time_min, job.time_limit) : job.time_limit;
}

std::string names_of(const Snapshot& snapshot, const Bitmap& nodes) {
  std::vector<std::string> names;
  for (NodeIndex n : nodes.members()) names.push_back(snapshot.nodes[n].name);
  return fold_hostlist(names);
}

Bitmap available_nodes(const Snapshot& snapshot) {
  Bitmap out;
  for (NodeIndex n = 0; n < snapshot.nodes.size(); ++n) {
    if (snapshot.nodes[n].available) out.set(n);
  }
  return out;
}

}  // namespace

Planner::Planner(const Snapshot& snapshot, const Policy& policy)
    : snapshot_(snapshot),
      policy_(policy),
      timeline_(snapshot),
      nodes_(snapshot.nodes),
      spare_(snapshot.partitions.size()),
      waiting_at_(snapshot.pending.size(), kNone),
      blocked_(snapshot.partitions.size()),
      users_matter_(timeline_.tracks_users()) {
  copies_left_.reserve(snapshot.pending.size());
  for (const PendingJob& job : snapshot.pending) copies_left_.push_back(job.copies);
}

Plan Planner::run(uint32_t always_plan) {
  always_plan_ = always_plan;
  std::vector<Candidate> order = look_order(snapshot_);
  plan_.waiting.reserve(order.size());
  for (const Candidate& candidate : order) {
    if (plan_.tested >= policy_.depth && candidate.job != always_plan_) continue;
    if (copies_left_[candidate.job] > 0) look(candidate);
  }
  // A job that started in a later partition of its list waits no more.
  std::erase_if(plan_.waiting, [](const Waiting& w) { return w.reason == Reason::kNone; });
  return std::move(plan_);
}

void Planner::look(const Candidate& candidate) {
  const PendingJob& job = snapshot_.pending[candidate.job];
  ++plan_.tested;
  if (Reason reason = gate(job, snapshot_.partitions[candidate.partition]);
      reason != Reason::kNone) {
    wait(candidate, reason);
    return;
  }
  bool may_reserve = policy_.backfill &&
                     (plan_.reserved < policy_.max_reservations || candidate.job == always_plan_);
  if (!may_reserve && ruled_out(job, candidate.partition)) {
    block(candidate, wait(candidate, order_reason(candidate.partition)));
    return;
  }
  Needs* needs = nullptr;
  Known& known = this->known(job, candidate.partition, needs);
  if (known.never != Reason::kNone) {
    wait(candidate, known.never);
    return;
  }
  if (unavailable(candidate, known)) return;
  Bitmap nodes = known.usable;
  if (job.reservation != kNone && !snapshot_.reservations[job.reservation].flexible) {
    nodes &= snapshot_.reservations[job.reservation].nodes;
  }
  nodes -= closed_nodes_;
  bool alone = snapshot_.partitions[candidate.partition].exclusive_user ||
               job.shape->sharing == Sharing::kUser;
  Request request{needs,
                  &nodes,
                  {candidate.partition, job.user, job.reservation, alone},
                  &job.licenses,
                  job.time_limit};
  if (!timeline_.licenses_at(request, snapshot_.now)) {
    Waiting& waiting = wait(candidate, Reason::kLicenses);
    if (may_reserve) reserve(candidate, request, known, waiting);
    return;
  }
  if (start_copies(candidate, request, known)) return;
  Waiting& waiting = wait(candidate, order_reason(candidate.partition));
  if (may_reserve) reserve(candidate, request, known, waiting);
  block(candidate, waiting);
}

Reason Planner::gate(const PendingJob& job, const Partition& partition) const {
  if (!partition.up)
    return partition.inactive ? Reason::kPartitionInactive : Reason::kPartitionDown;
  if (shortest(job) > partition.max_time) return Reason::kPartitionTimeLimit;
  if (job.deadline && snapshot_.now + shortest(job) > job.deadline) return Reason::kDeadLine;
  return reservation_gate(job);
}

Reason Planner::reservation_gate(const PendingJob& job) const {
  if (job.reservation == kNone) return Reason::kNone;
  if (job.reservation >= snapshot_.reservations.size()) return Reason::kReservationDeleted;
  const Reservation& r = snapshot_.reservations[job.reservation];
  if (r.end <= snapshot_.now) return Reason::kReservation;
  if (r.flexible) return Reason::kNone;
  if (r.start > snapshot_.now) return Reason::kReservation;
  return shortest(job) > r.end - snapshot_.now ? Reason::kReservation : Reason::kNone;
}

Planner::Known& Planner::known(const PendingJob& job, PartitionIndex partition, Needs*& needs) {
  std::unique_ptr<ShapeKnown>& shape = shapes_[job.shape];
  if (!shape) {
    shape = std::make_unique<ShapeKnown>();
    shape->needs = needs_of(snapshot_, *job.shape);
  }
  needs = &shape->needs;
  for (Known& known : shape->partitions) {
    if (known.partition == partition) return known;
  }
  Known known{partition};
  known.suitable = suitable_nodes(snapshot_, timeline_.facts(), *needs, partition);
  known.never = feasible_on(snapshot_, timeline_.facts(), *needs, partition, known.suitable);
  known.usable = known.suitable & available_nodes(snapshot_);
  return shape->partitions.emplace_back(std::move(known));
}

bool Planner::ruled_out(const PendingJob& job, PartitionIndex partition) {
  if (!policy_.backfill && blocked_[partition]) return true;
  std::unique_ptr<Spare>& spare = spare_[partition];
  if (!spare) spare = std::make_unique<Spare>(snapshot_, timeline_, partition);
  return spare->rules_out(*job.shape);
}

bool Planner::unavailable(const Candidate& candidate, const Known& known) {
  const PendingJob& job = snapshot_.pending[candidate.job];
  const Bitmap& required = job.shape->required_nodes;
  if (required.none() || known.usable.contains(required)) return false;
  std::string down = names_of(snapshot_, required - known.usable);
  wait(candidate, Reason::kReqNodeNotAvail, "ReqNodeNotAvail, UnavailableNodes:" + down);
  return true;
}

bool Planner::memo_holds(const PendingJob& job) const {
  return !users_matter_ && job.reservation == kNone && job.licenses.empty();
}

void Planner::forget_failures() {
  for (auto& [shape, known] : shapes_) {
    for (Known& k : known->partitions) k.fails_now = k.fails_long = kForever;
  }
}

bool Planner::start_copies(const Candidate& candidate, Request& request, Known& known) {
  uint32_t& left = copies_left_[candidate.job];
  while (left > 0 && start_one(candidate, request, known)) --left;
  if (left > 0) return false;
  if (uint32_t at = waiting_at_[candidate.job]; at != kNone) {
    plan_.waiting[at].reason = Reason::kNone;
  }
  auto kept = kept_.find(candidate.job);
  if (kept != kept_.end()) {
    for (const Kept& k : kept->second) timeline_.give_back(k);
    kept_.erase(kept);
    forget_failures();
  }
  return true;
}

bool Planner::start_one(const Candidate& candidate, Request& request, Known& known) {
  const PendingJob& job = snapshot_.pending[candidate.job];
  bool memo = memo_holds(job);
  request.duration = std::min(job.time_limit, snapshot_.partitions[candidate.partition].max_time);
  if (job.deadline) request.duration = std::min(request.duration, job.deadline - snapshot_.now);
  if (memo && shortest(job) >= known.fails_now) return false;
  std::optional<Placement> placement;
  if (!memo || request.duration < known.fails_now) {
    placement = timeline_.place_at(request, snapshot_.now);
    if (!placement && memo) known.fails_now = request.duration;
  }
  if (!placement) placement = shortened(job, request);
  return placement && timeline_.licenses_at(request, snapshot_.now) &&
         assign(candidate, request, *placement);
}

// The longest run, in whole minutes and no shorter than time_min, that can start now.
std::optional<Placement> Planner::shortened(const PendingJob& job, Request& request) {
  if (job.time_min <= 0 || job.time_min >= request.duration) return std::nullopt;
  Time longest = std::min<Time>(request.duration, policy_.window + job.time_min);
  request.duration = job.time_min;
  std::optional<Placement> best = timeline_.place_at(request, snapshot_.now);
  if (!best) return std::nullopt;
  Time low = 0, high = (longest - job.time_min) / 60;  // minutes more: low fits, beyond high can't
  while (low < high) {
    Time middle = low + (high - low + 1) / 2;
    request.duration = job.time_min + middle * 60;
    if (std::optional<Placement> found = timeline_.place_at(request, snapshot_.now)) {
      best = std::move(found);
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  request.duration = job.time_min + low * 60;
  return best;
}

// Picks CPUs and devices and starts the job; false when the counts fit but no choice does.
bool Planner::assign(const Candidate& candidate, const Request& request,
                     const Placement& placement) {
  const PendingJob& job = snapshot_.pending[candidate.job];
  Start start{job.tag, candidate.partition, {}, request.duration, blocked_[candidate.partition]};
  for (const Piece& piece : placement.pieces) {
    Site site{&nodes_[piece.node], &timeline_.facts()[piece.node],
              &snapshot_.partitions[candidate.partition]};
    auto devices = pick_devices(*request.needs, site, piece);
    if (!devices) return false;
    auto cpus = pick_cpus(*request.needs, site, piece, *devices);
    if (!cpus) return false;
    start.shares.push_back({piece.node, *cpus, piece.memory_mb, std::move(*devices), piece.tasks});
  }
  for (const NodeShare& share : start.shares) {
    nodes_[share.node].used_cpus |= share.cpus;
    for (uint32_t d : share.devices) nodes_[share.node].used_devices.set(d);
  }
  timeline_.keep(request, placement, snapshot_.now, false);
  plan_.starts.push_back(std::move(start));
  for (std::unique_ptr<Spare>& spare : spare_) spare.reset();
  return true;
}

void Planner::reserve(const Candidate& candidate, Request& request, Known& known,
                      Waiting& waiting) {
  const PendingJob& job = snapshot_.pending[candidate.job];
  bool always = candidate.job == always_plan_;
  bool memo = memo_holds(job);
  request.duration = std::min(job.time_limit, snapshot_.partitions[candidate.partition].max_time);
  Time until = always ? kForever : snapshot_.now + policy_.window;
  if (job.deadline) until = std::min(until, job.deadline - request.duration);
  uint32_t copies = std::min(copies_left_[candidate.job], policy_.max_array_reservations);
  for (uint32_t i = 0; i < std::max(copies, 1u); ++i) {
    Time from = snapshot_.now + 1;
    if (memo && request.duration >= known.fails_long) from = std::max(from, known.not_before);
    std::optional<Slot> slot =
        from <= until ? timeline_.earliest(request, from, until) : std::nullopt;
    if (memo && request.duration <= known.fails_long) {
      known.fails_long = request.duration;
      known.not_before = slot ? slot->start : until + 1;
    }
    if (!slot) return;
    Kept kept =
        timeline_.keep(request, slot->placement, slot->start, policy_.whole_node_reservations);
    if (job.partitions.size() > 1) kept_[candidate.job].push_back(std::move(kept));
    ++plan_.reserved;
    if (waiting.expected_start && waiting.expected_start <= slot->start) continue;
    waiting.expected_start = slot->start;
    waiting.expected_nodes.clear();
    for (const Piece& piece : slot->placement.pieces) {
      waiting.expected_nodes.push_back(piece.node);
    }
  }
}

Reason Planner::order_reason(PartitionIndex partition) const {
  return blocked_[partition] ? Reason::kPriority : Reason::kResources;
}

void Planner::block(const Candidate& candidate, Waiting&) {
  blocked_[candidate.partition] = true;
  if (!policy_.backfill) closed_nodes_ |= snapshot_.partitions[candidate.partition].nodes;
}

Waiting& Planner::wait(const Candidate& candidate, Reason reason, std::string detail) {
  uint32_t& at = waiting_at_[candidate.job];
  if (at == kNone) {
    at = static_cast<uint32_t>(plan_.waiting.size());
    plan_.waiting.push_back({snapshot_.pending[candidate.job].tag, reason, std::move(detail)});
  }
  return plan_.waiting[at];
}

}  // namespace grappe::sched
