#include "sched/backfill.h"

#include <algorithm>

#include "sched/backfill_order.h"
#include "sched/gate.h"
#include "sched/pick_cpus.h"
#include "sched/pick_devices.h"
#include "sched/pools.h"

namespace grappe::sched {
namespace {

// The order jumps about in a long queue; most of the time per job would be spent waiting for
// memory. So what will be read is asked for in time: the job, then the first of what it points to.
// (Inlined always: a call that does nothing but this has no effect, GCC finds, and leaves it out.)
[[gnu::always_inline]] inline void fetch_ahead(const Snapshot& snapshot,
                                               const std::vector<Candidate>& order, std::size_t i) {
  constexpr std::size_t kJob = 16, kDetails = 8, kAmounts = 4;
  if (i + kJob < order.size()) {
    const char* bytes = reinterpret_cast<const char*>(&snapshot.pending[order[i + kJob].job]);
    for (std::size_t line = 0; line < sizeof(PendingJob); line += 64) {
      __builtin_prefetch(bytes + line);
    }
  }
  if (i + kDetails < order.size()) {
    const PendingJob& job = snapshot.pending[order[i + kDetails].job];
    __builtin_prefetch(job.shape);
    if (job.tres) __builtin_prefetch(job.tres);
  }
  if (i + kAmounts < order.size()) {
    const PendingJob& job = snapshot.pending[order[i + kAmounts].job];
    if (job.tres) __builtin_prefetch(job.tres->data());
  }
}

// How much a reason says of a job with several partitions.
int weight_of(Reason reason) {
  if (reason == Reason::kPartitionDown || reason == Reason::kPartitionInactive) return 2;
  if (reason == Reason::kPriority) return 1;
  return is_hard(reason) ? 0 : 3;
}

}  // namespace

Planner::Planner(const Snapshot& snapshot, const Policy& policy)
    : snapshot_(snapshot),
      policy_(policy),
      timeline_(snapshot, policy.placement),
      shapes_(snapshot, timeline_.facts()),
      spare_(snapshot, timeline_),
      limits_(snapshot),
      preemptor_(snapshot, timeline_),
      nodes_(snapshot.nodes),
      waiting_at_(snapshot.pending.size(), UINT32_MAX),
      blocked_(snapshot.partitions.size()),
      told_down_(snapshot.partitions.size()),
      stopped_(snapshot.partitions.size()),
      pools_(pools_of(snapshot.partitions)),
      protections_(protections(snapshot, policy, pools_)),
      protected_(snapshot.partitions.size()),
      searches_(snapshot.partitions.size()) {
  copies_left_.reserve(snapshot.pending.size());
  for (const PendingJob& job : snapshot.pending) copies_left_.push_back(job.copies);
}

Plan Planner::run_until(uint32_t job) {
  always_plan_ = job;
  asked_looks_ = snapshot_.pending[job].partitions.size();
  return run();
}

Plan Planner::run() {
  const std::vector<Candidate> order = look_order(snapshot_);
  plan_.waiting.reserve(snapshot_.pending.size());
  std::vector<Candidate> rest;  // behind those whose planned starts are kept
  look_at(order, &rest);
  if (!rest.empty() && !asked_is_settled()) {
    pass_ = Pass::kFill;
    order_for_backfill(snapshot_, policy_, {pools_, protections_}, rest);
    look_at(rest, nullptr);
    pass_ = Pass::kForetell;
    if (policy_.foretell) foretell(order);
  }
  if (cleared_) {
    std::erase_if(plan_.waiting, [](const Waiting& w) { return w.reason == Reason::kNone; });
  }
  plan_.evicted = preemptor_.take_evicted();
  return std::move(plan_);
}

void Planner::look_at(const std::vector<Candidate>& order, std::vector<Candidate>* rest) {
  for (std::size_t i = 0; i < order.size() && !asked_is_settled(); ++i) {
    const Candidate& candidate = order[i];
    fetch_ahead(snapshot_, order, i);
    if (rest && !room_for_protection(candidate.partition)) {
      rest->push_back(candidate);
      continue;
    }
    const bool asked = candidate.job == always_plan_;
    if (plan_.tested >= policy_.depth && !asked) continue;
    if (copies_left_[candidate.job] > 0) look(candidate);
    if (asked && pass_ == Pass::kProtect) --asked_looks_;
  }
}

// All starts are decided: when will the others' turn come? Their planned starts are an estimate,
// which the next plan need not keep.
void Planner::foretell(const std::vector<Candidate>& order) {
  const uint32_t tested = plan_.tested;
  for (const Candidate& candidate : order) {
    const bool asked = candidate.job == always_plan_;
    const bool enough = searches_[pools_[candidate.partition]] >= policy_.max_reservations;
    if ((enough && !asked) || protection(candidate.partition).for_all()) continue;
    uint32_t at = waiting_at_[candidate.job];
    if (copies_left_[candidate.job] == 0 || at == UINT32_MAX) continue;
    if (plan_.waiting[at].expected_start == 0) look(candidate);
    if (asked && plan_.waiting[at].expected_start) return;
  }
  plan_.tested = tested;
}

// Nothing that is still to be decided concerns the job that was asked about.
bool Planner::asked_is_settled() const {
  return always_plan_ != UINT32_MAX && (asked_looks_ == 0 || copies_left_[always_plan_] == 0);
}

const Protection& Planner::protection(PartitionIndex partition) const {
  return protections_[pools_[partition]];
}

bool Planner::room_for_protection(PartitionIndex partition) const {
  return protected_[pools_[partition]] < protection(partition).jobs;
}

void Planner::look(const Candidate& candidate) {
  const PendingJob& job = snapshot_.pending[candidate.job];
  const Partition& partition = snapshot_.partitions[candidate.partition];
  ++plan_.tested;
  if (Reason reason = gate(snapshot_, job, partition); reason != Reason::kNone) {
    wait(candidate.job, reason);
    return;
  }
  Look look{candidate.job, &job, candidate.partition};
  if (stopped_[candidate.partition]) {
    wait(candidate.job, Reason::kPriority);
    return;
  }
  look.limit = limits_.reason(job, candidate.partition);
  if (look.limit != Reason::kNone) return wait_for_limit(look);
  look.remember =
      !timeline_.tracks_users() && job.reservation == UINT32_MAX && job.licenses.empty();
  const bool always = candidate.job == always_plan_;
  const bool more = searches_[pools_[candidate.partition]] < policy_.max_reservations;
  look.plan = policy_.backfill && pass_ != Pass::kFill && (always || (!job.no_reserve && more));
  if (!look.plan && dismissed(look)) {
    wait_for_turn(look);
    return;
  }
  look.shape = &shapes_.facts(job.shape, candidate.partition);
  if (look.shape->never != Reason::kNone) {
    wait(candidate.job, look.shape->never);
  } else if (look.shape->lacking) {
    wait_for_nodes(look);
  } else {
    look_at_resources(look);
  }
}

void Planner::look_at_resources(Look& look) {
  Bitmap nodes = nodes_for(look);
  bool alone = snapshot_.partitions[look.partition].exclusive_user ||
               look.job->shape->sharing == Sharing::kUser;
  look.request.needs = look.shape->needs;
  look.request.nodes = &nodes;
  look.request.client = {look.partition, look.job->user, look.job->reservation, alone};
  look.request.client.shares_cpus =
      jobs_per_core(snapshot_.partitions[look.partition], *look.job->shape) > 1;
  look.request.client.gpus = least_gpus(*look.request.needs, snapshot_.partitions[look.partition]);
  look.request.licenses = &look.job->licenses;
  look.request.duration = shortest_run(*look.job);
  bool licensed = timeline_.licenses_at(look.request, snapshot_.now);
  if (pass_ != Pass::kForetell && licensed && start_copies(look)) return;
  if (look.limit != Reason::kNone) return wait_for_limit(look);
  if (licensed && look.plan && pass_ != Pass::kForetell) make_room(look);
  Waiting& waiting = licensed ? wait_for_turn(look) : wait(look.index, Reason::kLicenses);
  if (look.plan) reserve(look, waiting);
}

bool Planner::dismissed(const Look& look) {
  if (!policy_.backfill && blocked_[look.partition]) return true;
  Time run = shortest_run(*look.job);
  if (look.remember) {
    const ShapeFacts* shape = shapes_.known(look.job->shape, look.partition);
    if (shape && shape->never == Reason::kNone && !shape->lacking && run >= shape->fails_now) {
      return true;
    }
  }
  return spare_.rules_out(*look.job->shape, look.partition, run);
}

Bitmap Planner::nodes_for(const Look& look) const {
  Bitmap nodes = look.shape->usable;
  if (look.job->reservation != UINT32_MAX) {
    const Reservation& reservation = snapshot_.reservations[look.job->reservation];
    if (!reservation.flexible) nodes &= reservation.nodes;
  }
  // In strict order a job must not take what one before it in another partition waits for.
  if (!policy_.backfill) nodes -= blocked_nodes_;
  return nodes;
}

bool Planner::start_copies(Look& look) {
  uint32_t& left = copies_left_[look.index];
  while (left > 0 && start_one(look)) --left;
  if (left > 0) return false;
  if (uint32_t at = waiting_at_[look.index]; at != UINT32_MAX) {
    plan_.waiting[at].reason = Reason::kNone;
    cleared_ = true;
  }
  give_back(look.index);
  return true;
}

// What was planned for the job in another of its partitions is free again.
void Planner::give_back(uint32_t job) {
  auto kept = kept_.find(job);
  if (kept == kept_.end()) return;
  for (const Kept& k : kept->second) timeline_.give_back(k);
  kept_.erase(kept);
  shapes_.forget_failures();
  spare_.clear();
}

bool Planner::start_one(Look& look) {
  look.limit = limits_.reason(*look.job, look.partition);
  if (look.limit != Reason::kNone) return false;
  std::optional<Placement> placement = place_now(look);
  if (!placement) placement = place_shortened(look);
  if (!placement || !timeline_.licenses_at(look.request, snapshot_.now)) return false;
  if (assign(look, *placement)) return true;
  look.no_choice = look.limit == Reason::kNone;
  return false;
}

std::optional<Placement> Planner::place_now(Look& look) {
  Request& request = look.request;
  request.duration = longest_run(*look.job, snapshot_.partitions[look.partition], snapshot_.now);
  if (look.remember && request.duration >= look.shape->fails_now) return std::nullopt;
  std::optional<Placement> placement = timeline_.place_at(request, snapshot_.now);
  if (!placement && look.remember) look.shape->fails_now = request.duration;
  return placement;
}

// The longest run, in whole minutes above time_min, that can start now.
std::optional<Placement> Planner::place_shortened(Look& look) {
  Request& request = look.request;
  Time least = shortest_run(*look.job), most = request.duration;
  if (least >= most || (look.remember && least >= look.shape->fails_now)) return std::nullopt;
  request.duration = least;
  std::optional<Placement> best = timeline_.place_at(request, snapshot_.now);
  if (!best) return std::nullopt;
  Time low = 0, high = (std::min(most, least + protection(look.partition).window) - least) / 60;
  while (low < high) {  // `low` minutes more fit, more than `high` don't
    Time middle = low + (high - low + 1) / 2;
    request.duration = least + middle * 60;
    if (std::optional<Placement> found = timeline_.place_at(request, snapshot_.now)) {
      best = std::move(found);
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  request.duration = least + low * 60;
  return best;
}

// By running jobs that it may preempt; it is then planned for when they are gone.
void Planner::make_room(Look& look) {
  look.request.duration =
      longest_run(*look.job, snapshot_.partitions[look.partition], snapshot_.now);
  if (!preemptor_.make_room(look.request, *look.job)) return;
  shapes_.forget_failures();
  spare_.clear();
}

// Picks CPUs and devices and starts the job; false when the counts fit but no choice does, or when
// that is more than a limit allows.
bool Planner::assign(Look& look, const Placement& placement) {
  Start start{look.job->tag, look.partition, {}, look.request.duration, blocked_[look.partition]};
  for (const Piece& piece : placement.pieces) {
    Site site{&nodes_[piece.node], &timeline_.facts()[piece.node],
              &snapshot_.partitions[look.partition]};
    auto devices = pick_devices(*look.request.needs, site, piece, policy_.placement.gpu_links);
    if (!devices) return false;
    auto cpus = pick_cpus(*look.request.needs, site, piece, *devices, look.partition);
    if (!cpus) return false;
    start.shares.push_back({piece.node, *cpus, piece.memory_mb, std::move(*devices), piece.tasks});
  }
  look.limit = limits_.reason(*look.job, start);
  if (look.limit != Reason::kNone) return false;
  limits_.take(*look.job, start);
  for (const NodeShare& share : start.shares) {
    nodes_[share.node].used_cpus |= share.cpus;
    if (look.request.client.shares_cpus) {
      add_sharer(nodes_[share.node], look.partition, share.cpus);
    }
    for (uint32_t d : share.devices) nodes_[share.node].used_devices.set(d);
  }
  timeline_.keep(look.request, placement, snapshot_.now, false);
  plan_.starts.push_back(std::move(start));
  spare_.clear();
  return true;
}

std::optional<Slot> Planner::next_slot(Look& look, Time until) {
  Time from = look.no_choice ? timeline_.next_release(snapshot_.now) : snapshot_.now + 1;
  if (look.remember) from = std::max(from, look.shape->earliest_hope(look.request.duration));
  if (from > until) return std::nullopt;
  ++searches_[pools_[look.partition]];
  std::optional<Slot> slot = timeline_.earliest(look.request, from, until);
  Time start = slot ? slot->start : until + 1;
  if (look.remember && start > from) {
    look.shape->not_before.push_back({look.request.duration, start});
  }
  return slot;
}

void Planner::reserve(Look& look, Waiting& waiting) {
  const PendingJob& job = *look.job;
  const Partition& partition = snapshot_.partitions[look.partition];
  look.request.duration = std::min(job.time_limit, most_time(job, partition));
  // A kept start may be far off; an estimate that far is not worth the search.
  const Time window = pass_ == Pass::kForetell ? policy_.window : protection(look.partition).window;
  Time until = look.index == always_plan_ ? kForever : snapshot_.now + window;
  if (job.deadline) until = std::min(until, job.deadline - look.request.duration);
  uint32_t copies = std::min(copies_left_[look.index], policy_.max_array_reservations);
  for (uint32_t i = 0; i < std::max(copies, 1u); ++i) {
    if (pass_ == Pass::kProtect && !room_for_protection(look.partition)) return;
    std::optional<Slot> slot = next_slot(look, until);
    if (!slot) return;
    Kept kept =
        timeline_.keep(look.request, slot->placement, slot->start, policy_.whole_node_reservations);
    if (job.partitions.size() > 1) kept_[look.index].push_back(std::move(kept));
    ++plan_.reserved;
    if (pass_ == Pass::kProtect) ++protected_[pools_[look.partition]];
    if (waiting.expected_start && waiting.expected_start <= slot->start) continue;
    waiting.expected_start = slot->start;
    waiting.kept = pass_ == Pass::kProtect;
    waiting.expected_nodes.clear();
    for (const Piece& piece : slot->placement.pieces) {
      waiting.expected_nodes.push_back(piece.node);
    }
  }
}

// Of several partitions the one that was looked at last tells, as in Slurm, unless an earlier one
// has more to say.
Waiting& Planner::wait(uint32_t job, Reason reason, std::string detail) {
  uint32_t& at = waiting_at_[job];
  if (at == UINT32_MAX) {
    at = static_cast<uint32_t>(plan_.waiting.size());
    plan_.waiting.push_back({snapshot_.pending[job].tag, reason, std::move(detail)});
  } else if (weight_of(reason) >= weight_of(plan_.waiting[at].reason)) {
    plan_.waiting[at].reason = reason;
    plan_.waiting[at].detail = std::move(detail);
  }
  return plan_.waiting[at];
}

// Others go on, unless the site wants it otherwise.
void Planner::wait_for_limit(const Look& look) {
  if (policy_.limit_stop) stopped_[look.partition] = true;
  wait(look.index, look.limit);
}

// Nodes that are down or drained would be needed.
void Planner::wait_for_nodes(const Look& look) {
  const ShapeFacts& shape = *look.shape;
  const Bitmap& required = look.job->shape->required_nodes;
  Bitmap named = required - shape.usable;
  if (named.none() && !told_down_[look.partition]) {
    told_down_[look.partition] = true;
    wait(look.index, Reason::kResources, kNodesDownText);
    return;
  }
  Bitmap missing = named.any() ? named : shape.suitable - shape.usable;
  wait(look.index, Reason::kReqNodeNotAvail, unavailable_text(snapshot_, missing));
}

// Resources for the first that waits in a partition, Priority for those behind it.
Waiting& Planner::wait_for_turn(Look& look) {
  bool first = !blocked_[look.partition];
  std::string detail = look.plan || first ? turn_detail(look) : std::string();
  Reason reason = first ? Reason::kResources : Reason::kPriority;
  if (detail == kReservedText) reason = Reason::kReqNodeNotAvail;
  if (reason != Reason::kReqNodeNotAvail) {
    blocked_[look.partition] = true;
    blocked_nodes_ |= snapshot_.partitions[look.partition].nodes;
  }
  return wait(look.index, reason, std::move(detail));
}

// Says so when the job waits only because nodes are reserved or wanted by another partition.
std::string Planner::turn_detail(Look& look) const {
  bool first = !blocked_[look.partition];
  const Bitmap& nodes = snapshot_.partitions[look.partition].nodes;
  if (look.shape && !snapshot_.reservations.empty()) {
    Request anyway = look.request;
    anyway.client.anyway = true;
    if (timeline_.place_at(anyway, snapshot_.now)) {
      if (look.job->shape->required_nodes.any()) return kReservedText;
      if (first) return kNodesDownText;
    }
  }
  return first && blocked_nodes_.intersects(nodes) ? kNodesDownText : "";
}

}  // namespace grappe::sched
