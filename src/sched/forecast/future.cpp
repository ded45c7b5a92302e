#include "sched/forecast/future.h"

#include <algorithm>
#include <cmath>

#include "sched/occupy.h"
#include "sched/order.h"

namespace grappe::sched {
namespace {

// Tags in a future: below are places in the queue, from the first on those that ran before, from
// the second on those that came later.
constexpr uint64_t kRanBefore = uint64_t{1} << 40;
constexpr uint64_t kCameLater = uint64_t{1} << 41;

// Planned starts that each plan of a future keeps. Those of jobs further back are not what decides
// when somebody starts, and cost most of the time.
constexpr uint32_t kPlannedStarts = 30;

Policy for_futures(Policy policy) {
  policy.max_reservations = std::min(policy.max_reservations, kPlannedStarts);
  policy.foretell = false;
  return policy;
}

bool counts_nodes(const LimitTable& table) {
  auto is_of_nodes = [&](const Rule& rule) {
    return rule.measure == Measure::kTres && rule.tres == table.in_use.node();
  };
  return std::any_of(table.chains->begin(), table.chains->end(), [&](const LimitChain& chain) {
    return std::any_of(chain.rules.begin(), chain.rules.end(), is_of_nodes);
  });
}

Bitmap nodes_of(const RunningJob& job) {
  Bitmap out;
  for (const NodeShare& share : job.shares) out.set(share.node);
  return out;
}

uint64_t cpus_of(const RunningJob& job) {
  uint64_t cpus = 0;
  for (const NodeShare& share : job.shares) cpus += share.cpus.count();
  return cpus;
}

// Where nothing is known of how long: as long again as it has run so far, or about an hour.
Time run_without_limit(Time elapsed, Random& random) {
  constexpr Time kUsual = 3600, kMost = 30 * 86400;
  const double odds = random.uniform();
  const auto base = static_cast<double>(std::max<Time>(elapsed, 0) + kUsual);
  return std::max<Time>(elapsed, 0) + std::min(kMost, static_cast<Time>(base * odds / (1 - odds)));
}

Time as_part_of(const RunHistory::Run& past, Time limit) {
  if (past.limit == limit || past.limit >= kForever || limit >= kForever) return past.run;
  return static_cast<Time>(static_cast<double>(past.run) /
                           static_cast<double>(std::max<Time>(past.limit, 1)) *
                           static_cast<double>(limit));
}

}  // namespace

Time drawn_run(const RunHistory& history, uint32_t user, Time limit, Time elapsed, Random& random) {
  auto runs = history.recent(user);
  // Those with the same limit tell most; else all, as parts of their limits.
  constexpr std::size_t kEnough = 4;
  auto pick = [&](bool alike) -> Time {
    Time chosen = -1;
    std::size_t seen = 0, fitting = 0;
    for (const RunHistory::Run& r : runs) {
      if (alike && r.limit != limit) continue;
      ++seen;
      const Time run = as_part_of(r, limit);
      if (run <= elapsed) continue;
      if (random.below(++fitting) == 0) chosen = run;
    }
    return alike && seen < kEnough ? -1 : chosen;
  };
  Time run = pick(true);
  if (run < 0) run = pick(false);
  // Nothing like it: somewhere between now and the limit.
  if (run < 0 && limit >= kForever) run = run_without_limit(elapsed, random);
  if (run < 0) {
    auto left = static_cast<double>(std::max<Time>(limit - std::max<Time>(elapsed, 0), 1));
    run = std::max<Time>(elapsed, 0) + static_cast<Time>(std::ceil(left * random.uniform()));
  }
  return std::clamp<Time>(run, std::max<Time>(elapsed + 1, 1), std::max(limit, elapsed + 1));
}

void settle(Queue& queue) {
  auto before = [&](const Waiter& a, const Waiter& b) {
    const uint64_t x = best_rank(queue.machine, a.job), y = best_rank(queue.machine, b.job);
    if (x != y) return x > y;
    return std::tie(a.job.submit_time, a.job.job_id) < std::tie(b.job.submit_time, b.job.job_id);
  };
  std::stable_sort(queue.waiting.begin(), queue.waiting.end(), before);
  queue.groups.resize(queue.machine.running.size());
  queue.arrays.clear();
  queue.dependents.clear();
  for (uint32_t place = 0; place < queue.waiting.size(); ++place) {
    const Waiter& waiter = queue.waiting[place];
    if (waiter.more) queue.arrays[waiter.group] = place;
    for (uint32_t id : waiter.after) queue.dependents[id].push_back(place);
  }
}

Future::Future(const Queue& queue, const RunHistory* history, Random& random, std::size_t seen)
    : queue_(queue),
      history_(history),
      random_(random),
      seen_(seen),
      policy_(for_futures(queue.policy)),
      snapshot_(queue.machine),
      groups_(queue.groups),
      started_(queue.waiting.size(), kForever) {
  if (queue.machine.limits) {
    limits_ = std::make_shared<LimitTable>(*queue.machine.limits);
    snapshot_.limits = limits_;
    node_limits_ = counts_nodes(*limits_);
  }
  may_share_ = snapshot_.preempt.by != PreemptRules::By::kNobody;
  for (const Partition& partition : snapshot_.partitions) {
    may_share_ = may_share_ || partition.oversubscribe > 1;
  }
  for (const Node& node : snapshot_.nodes) {
    if (node.available) free_cpus_ += node.cpus - std::min(node.cpus, node.used_cpus.count());
  }
  if (!queue.arrays.empty()) {
    for (const Waiter& waiter : queue.waiting) more_.push_back(waiter.more);
  }
  for (std::size_t i = 0; i < snapshot_.running.size(); ++i) {
    snapshot_.running[i].tag = kRanBefore + i;
  }
  for (std::size_t place = 0; place < queue.waiting.size(); ++place) {
    const Time at = queue.waiting[place].not_before;
    if (at > now() && queue.waiting[place].after.empty()) later_.emplace(at, place);
  }
  draw_ends();
  if (!queue.dependents.empty()) count_unfinished();
}

void Future::count_unfinished() {
  auto count = [&](uint64_t id, uint64_t group, uint64_t runs) {
    for (uint64_t key : {id, group}) {
      const auto name = static_cast<uint32_t>(key);
      if (queue_.dependents.contains(name)) unfinished_[name] += runs;
      if (id == group) break;
    }
  };
  const std::vector<RunningJob>& running = queue_.machine.running;
  for (std::size_t i = 0; i < running.size(); ++i) count(running[i].tag, groups_[i], 1);
  for (const Waiter& waiter : queue_.waiting) {
    count(waiter.job.job_id, waiter.group, uint64_t{waiter.job.copies} + waiter.more);
  }
  for (uint32_t place = 0; place < queue_.waiting.size(); ++place) {
    const std::vector<uint32_t>& after = queue_.waiting[place].after;
    if (after.empty()) continue;
    const auto open = std::count_if(after.begin(), after.end(), [&](uint32_t id) {
      auto found = unfinished_.find(id);
      return found != unfinished_.end() && found->second > 0;
    });
    waits_for_[place] = static_cast<uint32_t>(open);
    if (open == 0) arrive_of_queue(place);
  }
}

// A run has ended, and with it perhaps what others wait for.
void Future::is_over(uint64_t tag, uint64_t group) {
  uint64_t id = 0;
  if (tag < started_.size()) {
    id = queue_.waiting[tag].job.job_id;
  } else if (tag < kCameLater) {
    id = queue_.machine.running[tag - kRanBefore].tag;
  }
  for (uint64_t key : {id, group}) {
    auto found = unfinished_.find(static_cast<uint32_t>(key));
    if (found != unfinished_.end() && found->second > 0 && --found->second == 0) {
      for (uint32_t place : queue_.dependents.at(found->first)) {
        if (--waits_for_[place] == 0) arrive_of_queue(place);
      }
    }
    if (id == group) break;
  }
}

Time Future::run_of(uint32_t user, Time limit, Time elapsed) {
  if (history_) return drawn_run(*history_, user, limit, elapsed, random_);
  return limit < kForever ? std::max(limit, elapsed + 1) : run_without_limit(elapsed, random_);
}

void Future::draw_ends() {
  for (const RunningJob& job : snapshot_.running) {
    if (job.leaving) {
      ends_.push_back(std::min(job.end, now() + std::max<Time>(job.grace, 1)));
      continue;
    }
    const Time limit = job.end >= kForever ? kForever : job.end - job.start;
    ends_.push_back(job.start + run_of(job.user, limit, now() - job.start));
  }
}

Time Future::next() const {
  Time next = later_.empty() ? kForever : later_.begin()->first;
  for (Time end : ends_) next = std::min(next, end);
  for (const Reservation& reservation : snapshot_.reservations) {
    if (reservation.start > now()) next = std::min(next, reservation.start);
    if (reservation.end > now()) next = std::min(next, reservation.end);
  }
  return next;
}

void Future::advance(Time to) {
  snapshot_.now = to;
  for (std::size_t i = ends_.size(); i-- > 0;) {
    if (ends_[i] <= to) end(i);
  }
  while (!later_.empty() && later_.begin()->first <= to) {
    const std::size_t place = later_.begin()->second;
    later_.erase(later_.begin());
    arrive_of_queue(place);
  }
}

void Future::arrive_of_queue(std::size_t place) {
  PendingJob job = queue_.waiting[place].job;
  job.tag = place;
  if (job.copies > 0) arrive(std::move(job));
}

void Future::submit(PendingJob job) {
  job.tag = kCameLater + last_number_;
  job.job_id = UINT32_MAX;
  arrive(std::move(job));
}

Future::Key Future::key_of(const PendingJob& job) {
  return {UINT64_MAX - best_rank(snapshot_, job), job.submit_time, ++last_number_};
}

void Future::arrive(PendingJob job) {
  Key key = key_of(job);
  newcomers_.emplace(key, std::move(job));
}

// Those that come next are seen, in the order of the whole queue. Who comes later may be before
// some that are seen already, and joins them.
void Future::refill() {
  auto next_key = [&]() -> Key {
    while (next_in_queue_ < queue_.waiting.size()) {
      const Waiter& next = queue_.waiting[next_in_queue_];
      if (next.not_before <= queue_.machine.now && next.after.empty() && next.job.copies > 0) {
        return {UINT64_MAX - best_rank(snapshot_, next.job), next.job.submit_time, 0};
      }
      ++next_in_queue_;
    }
    return {UINT64_MAX, kForever, UINT64_MAX};
  };
  for (;;) {
    const Key next = next_key();
    const bool old_one = next_in_queue_ < queue_.waiting.size();
    const bool new_one = !newcomers_.empty() && newcomers_.begin()->first < next;
    const bool passes = new_one && old_one;
    if ((snapshot_.pending.size() >= seen_ && !passes) || (!new_one && !old_one)) return;
    if (new_one) {
      snapshot_.pending.push_back(std::move(newcomers_.begin()->second));
      newcomers_.erase(newcomers_.begin());
    } else {
      snapshot_.pending.push_back(queue_.waiting[next_in_queue_].job);
      snapshot_.pending.back().tag = next_in_queue_++;
    }
  }
}

void Future::schedule() {
  refill();
  if (snapshot_.pending.empty() || (free_cpus_ == 0 && !may_share_)) return;
  const Plan plan = sched::plan(snapshot_, policy_);
  for (const Start& start : plan.starts) begin(start);
  for (const Evicted& evicted : plan.evicted) evict(evicted);
  if (plan.starts.empty()) return;
  std::erase_if(snapshot_.pending, [](const PendingJob& job) { return job.copies == 0; });
}

void Future::begin(const Start& start) {
  // Tasks of an array that came one after the other have the same tag.
  auto found =
      std::find_if(snapshot_.pending.begin(), snapshot_.pending.end(),
                   [&](const PendingJob& job) { return job.tag == start.tag && job.copies > 0; });
  if (found == snapshot_.pending.end()) return;
  PendingJob& job = *found;
  --job.copies;
  if (job.tag < started_.size() && started_[job.tag] == kForever) {
    started_[job.tag] = now();
    ++started_count_;
  }
  RunningJob running = running_job(snapshot_, job, start);
  const Time limit = start.time_limit >= kForever ? kForever : start.time_limit;
  ends_.push_back(now() + run_of(job.user, limit, -1));
  groups_.push_back(job.tag < started_.size() ? queue_.waiting[job.tag].group : 0);
  free_cpus_ -= std::min(free_cpus_, cpus_of(running));
  count_limits(running, true);
  occupy(snapshot_, std::move(running));
}

void Future::end(std::size_t index) {
  const RunningJob gone = snapshot_.running[index];
  const uint64_t group = groups_[index];
  vacate(snapshot_, index);
  ends_[index] = ends_.back();
  ends_.pop_back();
  groups_[index] = groups_.back();
  groups_.pop_back();
  if (!gone.suspended) free_cpus_ += cpus_of(gone);
  count_limits(gone, false);
  if (group && !more_.empty()) let_next_task(group);
  if (!unfinished_.empty()) is_over(gone.tag, group);
}

void Future::evict(const Evicted& evicted) {
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    RunningJob& job = snapshot_.running[i];
    if (job.tag != evicted.tag) continue;
    ends_[i] = std::min(ends_[i], now() + std::max<Time>(job.grace, 1));
    job.leaving = true;
  }
}

void Future::let_next_task(uint64_t group) {
  auto found = queue_.arrays.find(group);
  if (found == queue_.arrays.end() || more_[found->second] == 0) return;
  const uint32_t place = found->second;
  --more_[place];
  for (PendingJob& job : snapshot_.pending) {
    if (job.tag != place) continue;
    ++job.copies;
    return;
  }
  PendingJob job = queue_.waiting[place].job;
  job.tag = place;
  job.copies = 1;
  arrive(std::move(job));
}

void Future::count_limits(const RunningJob& job, bool runs) {
  if (!limits_ || !job.tres || job.chain == UINT32_MAX) return;
  const LimitChain& chain = (*limits_->chains)[job.chain];
  const Bitmap nodes = nodes_of(job);
  const LimitedJob limited{job.tres, 0, &nodes};
  // What was left of it when it began, or when this future did.
  const Time left = job.end - std::max(job.start, queue_.machine.now);
  const uint64_t seconds = job.end >= kForever ? uint64_t{UINT32_MAX} * 60
                                               : static_cast<uint64_t>(std::max<Time>(left, 0));
  if (runs) return limits_->in_use.add_running(chain, limited, seconds);
  limits_->in_use.remove_running(chain, limited, seconds);
  if (!node_limits_) return;
  for (const RunningJob& other : snapshot_.running) {
    if (other.chain == UINT32_MAX) continue;
    limits_->in_use.add_nodes((*limits_->chains)[other.chain], nodes_of(other));
  }
}

}  // namespace grappe::sched
