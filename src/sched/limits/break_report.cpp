#include "sched/limits/break_report.h"

#include <algorithm>
#include <cmath>

namespace grappe::sched {
namespace {

bool is_minutes(Measure measure) {
  return measure == Measure::kTresMinutes || measure == Measure::kRunMinutes ||
         measure == Measure::kMinutesOfJob;
}

// Others' jobs make it free by ending.
bool is_shared(Measure measure) {
  return measure == Measure::kJobs || measure == Measure::kTres || measure == Measure::kRunMinutes;
}

uint64_t asked_of(const Rule& rule, const LimitedJob& job, uint16_t node) {
  const double minutes = static_cast<double>(job.minutes) * job.factor;
  if (rule.measure == Measure::kJobs) return 1;
  if (rule.measure == Measure::kWall) return job.minutes;
  if (rule.measure == Measure::kGroupWall) return static_cast<uint64_t>(minutes);
  if (is_minutes(rule.measure)) {
    return static_cast<uint64_t>(minutes * static_cast<double>(job.amount(rule.tres)));
  }
  if (rule.measure == Measure::kTresOfNode) {
    return job.amount(rule.tres) / std::max<uint64_t>(job.amount(node), 1);
  }
  return rule.measure == Measure::kFairShare ? 0 : job.amount(rule.tres);
}

uint64_t used_of(const Rule& rule, const InUse& in_use) {
  switch (rule.measure) {
    case Measure::kJobs:
      return in_use.jobs(rule.counter);
    case Measure::kTres:
      return rule.tres == in_use.node() ? in_use.nodes(rule.counter).count()
                                        : in_use.tres(rule.counter, rule.tres);
    case Measure::kRunMinutes:
      return in_use.run_minutes(rule.counter, rule.tres);
    case Measure::kTresMinutes:
      return in_use.used_minutes(rule.counter, rule.tres);
    case Measure::kGroupWall:
      return in_use.wall_minutes(rule.counter);
    case Measure::kFairShare:
      return in_use.fair_share(rule.counter);
    default:
      return 0;
  }
}

bool counts_in(const CountedRun& run, uint32_t counter) {
  return run.chain &&
         std::binary_search(run.chain->counters.begin(), run.chain->counters.end(), counter);
}

uint64_t taken_by(const Rule& rule, const CountedRun& run, uint16_t node) {
  if (rule.measure == Measure::kJobs) return 1;
  const LimitedJob has{run.tres, 0, &run.nodes};
  if (rule.tres == node) return run.nodes.count();
  if (rule.measure == Measure::kTres) return has.amount(rule.tres);
  return has.amount(rule.tres) * (run.seconds_left / 60);
}

void add_takers(const BreakQuestion& q, LimitBreak& out) {
  for (size_t i = 0; i < q.running->size(); ++i) {
    const CountedRun& run = (*q.running)[i];
    if (!counts_in(run, out.rule.counter)) continue;
    const uint64_t taken = taken_by(out.rule, run, q.table->in_use.node());
    if (taken) out.takers.emplace_back(i, taken);
  }
  std::stable_sort(out.takers.begin(), out.takers.end(), [&](const auto& a, const auto& b) {
    return (*q.running)[a.first].end < (*q.running)[b.first].end;
  });
}

// With the first `gone` of the takers ended.
bool breaks_without(const BreakQuestion& q, const LimitBreak& found, const LimitedJob& job,
                    size_t gone) {
  const InUse& now = q.table->in_use;
  InUse left(now.counters(), now.width(), now.node());
  for (size_t i = gone; i < found.takers.size(); ++i) {
    const CountedRun& run = (*q.running)[found.takers[i].first];
    left.add_running(*run.chain, {run.tres, 0, &run.nodes}, run.seconds_left);
  }
  return breaks(found.rule, job, left, q.table->safe);
}

Time freed_by_ends(const BreakQuestion& q, const LimitBreak& found, const LimitedJob& job) {
  size_t low = 0, high = found.takers.size();
  if (breaks_without(q, found, job, high)) return 0;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (breaks_without(q, found, job, middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) return q.now;
  const Time end = (*q.running)[found.takers[low - 1].first].end;
  return end >= kForever ? 0 : end;
}

Time freed_by_decay(const BreakQuestion& q, const LimitBreak& found) {
  uint64_t wanted = found.rule.limit;
  if (q.table->safe) wanted = wanted > found.asked ? wanted - found.asked : 0;
  if (q.half_life_s <= 0 || wanted == 0) return 0;
  if (found.used <= wanted) return 0;
  const double lives = std::log2(static_cast<double>(found.used) / static_cast<double>(wanted));
  return q.now + static_cast<Time>(std::ceil(lives * static_cast<double>(q.half_life_s)));
}

bool is_hopeless(const LimitBreak& found, bool safe) {
  switch (found.rule.measure) {
    case Measure::kTres:
    case Measure::kRunMinutes:
      return found.asked > found.rule.limit;
    case Measure::kJobs:
      return found.rule.limit == 0;
    case Measure::kTresMinutes:
    case Measure::kGroupWall:
      return found.rule.limit == 0 || (safe && found.asked > found.rule.limit);
    case Measure::kFairShare:
      return false;
    default:
      return true;
  }
}

}  // namespace

bool report_break(const BreakQuestion& q, LimitBreak& out) {
  LimitedJob job = q.job;
  job.factor = q.chain->minutes_factor;
  const Rule* rule = broken_rule(*q.chain, job, q.table->in_use, q.table->safe);
  for (size_t i = 0; !rule && i < q.chain->rules.size(); ++i) {
    if (q.chain->rules[i].reason == q.reason) rule = &q.chain->rules[i];
  }
  if (!rule || rule->measure == Measure::kNever) return false;
  out.rule = *rule;
  out.asked = asked_of(*rule, job, q.table->in_use.node());
  out.used = used_of(*rule, q.table->in_use);
  out.never = is_hopeless(out, q.table->safe);
  if (is_shared(rule->measure)) add_takers(q, out);
  if (out.never) return true;
  const bool decays =
      rule->measure == Measure::kTresMinutes || rule->measure == Measure::kGroupWall;
  if (is_shared(rule->measure)) out.frees_at = freed_by_ends(q, out, job);
  if (decays) out.frees_at = freed_by_decay(q, out);
  return true;
}

}  // namespace grappe::sched
