#include "sched/limits/in_use.h"

#include <algorithm>

namespace grappe::sched {
namespace {

// Numbers are the user's: what is too much for 64 bits stays too much.
uint64_t sum_of(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

uint64_t product_of(uint64_t a, uint64_t b) {
  return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

uint64_t scaled(uint64_t amount, double factor) {
  if (factor == 1 || amount == UINT64_MAX) return amount;
  const double out = static_cast<double>(amount) * factor;
  return out >= static_cast<double>(UINT64_MAX) ? UINT64_MAX : static_cast<uint64_t>(out);
}

uint64_t minutes_of(const Rule& rule, const LimitedJob& job) {
  return scaled(product_of(job.amount(rule.tres), job.minutes), job.factor);
}

bool beyond_group_wall(const Rule& rule, const LimitedJob& job, const InUse& in_use, bool safe) {
  const uint64_t used = in_use.wall_minutes(rule.counter);
  return used >= rule.limit || (safe && sum_of(used, scaled(job.minutes, job.factor)) > rule.limit);
}

bool beyond_tres(const Rule& rule, const LimitedJob& job, const InUse& in_use) {
  if (rule.tres != in_use.node()) {
    const uint64_t asked = job.amount(rule.tres);
    return asked && sum_of(in_use.tres(rule.counter, rule.tres), asked) > rule.limit;
  }
  // Until they are chosen they may be such that are in use already.
  return job.nodes && (in_use.nodes(rule.counter) | *job.nodes).count() > rule.limit;
}

bool beyond_tres_minutes(const Rule& rule, const LimitedJob& job, const InUse& in_use, bool safe) {
  if (!job.amount(rule.tres)) return false;
  const uint64_t used = in_use.used_minutes(rule.counter, rule.tres);
  if (used >= rule.limit) return true;
  const uint64_t planned = in_use.run_minutes(rule.counter, rule.tres);
  return safe && sum_of(minutes_of(rule, job), planned) > rule.limit - used;
}

bool beyond_run_minutes(const Rule& rule, const LimitedJob& job, const InUse& in_use) {
  const uint64_t asked = minutes_of(rule, job);
  return asked && sum_of(asked, in_use.run_minutes(rule.counter, rule.tres)) > rule.limit;
}

// Of the job itself, whatever others have.
bool beyond_own(const Rule& rule, const LimitedJob& job, uint64_t nodes) {
  switch (rule.measure) {
    case Measure::kWall:
      return job.minutes > rule.limit;
    case Measure::kTresOfJob:
      return job.amount(rule.tres) > rule.limit;
    case Measure::kTresOfNode:
      return job.amount(rule.tres) / std::max<uint64_t>(nodes, 1) > rule.limit;
    case Measure::kMinutesOfJob:
      return minutes_of(rule, job) > rule.limit;
    case Measure::kAtLeast:
      return job.amount(rule.tres) < rule.limit;
    default:
      return rule.measure == Measure::kNever;
  }
}

}  // namespace

bool breaks(const Rule& rule, const LimitedJob& job, const InUse& in_use, bool safe) {
  switch (rule.measure) {
    case Measure::kJobs:
      return in_use.jobs(rule.counter) >= rule.limit;
    case Measure::kGroupWall:
      return beyond_group_wall(rule, job, in_use, safe);
    case Measure::kTres:
      return beyond_tres(rule, job, in_use);
    case Measure::kTresMinutes:
      return beyond_tres_minutes(rule, job, in_use, safe);
    case Measure::kRunMinutes:
      return beyond_run_minutes(rule, job, in_use);
    case Measure::kFairShare:
      return in_use.fair_share(rule.counter) < rule.limit;
    default:
      return beyond_own(rule, job, job.amount(in_use.node()));
  }
}

InUse::InUse(size_t counters, size_t tres, uint16_t node)
    : width_(tres),
      node_(node),
      jobs_(counters),
      tres_(counters * tres),
      run_seconds_(counters * tres),
      nodes_(counters) {}

void InUse::add_running(const LimitChain& chain, const LimitedJob& job, uint64_t seconds) {
  for (uint32_t counter : chain.counters) {
    ++jobs_[counter];
    if (job.nodes) nodes_[counter] |= *job.nodes;
    for (uint16_t i = 0; i < width_; ++i) {
      uint64_t& in_use = tres_[at(counter, i)];
      uint64_t& left = run_seconds_[at(counter, i)];
      in_use = sum_of(in_use, job.amount(i));
      left = sum_of(left, scaled(product_of(job.amount(i), seconds), chain.run_factor));
    }
  }
}

void InUse::remove_running(const LimitChain& chain, const LimitedJob& job, uint64_t seconds) {
  for (uint32_t counter : chain.counters) {
    jobs_[counter] -= std::min(jobs_[counter], 1u);
    nodes_[counter] = {};
    for (uint16_t i = 0; i < width_; ++i) {
      uint64_t& in_use = tres_[at(counter, i)];
      uint64_t& left = run_seconds_[at(counter, i)];
      in_use -= std::min(in_use, job.amount(i));
      left -= std::min(left, scaled(product_of(job.amount(i), seconds), chain.run_factor));
    }
  }
}

void InUse::add_nodes(const LimitChain& chain, const Bitmap& nodes) {
  for (uint32_t counter : chain.counters) nodes_[counter] |= nodes;
}

void InUse::set_used(uint32_t counter, const std::vector<double>& amounts, double wall) {
  used_.resize(tres_.size());
  wall_.resize(jobs_.size());
  for (uint16_t i = 0; i < width_ && i < amounts.size(); ++i) used_[at(counter, i)] = amounts[i];
  wall_[counter] = wall;
}

void InUse::set_fair_share(uint32_t counter, double factor) {
  fair_share_.resize(jobs_.size(), fair_share_amount(1));
  fair_share_[counter] = fair_share_amount(factor);
}

const Rule* broken_rule(const LimitChain& chain, const LimitedJob& job, const InUse& in_use,
                        bool safe) {
  LimitedJob counted = job;
  counted.factor = chain.minutes_factor;
  for (const Rule& rule : chain.rules) {
    if (breaks(rule, counted, in_use, safe)) return &rule;
  }
  return nullptr;
}

Reason limit_reason(const LimitChain& chain, const LimitedJob& job, const InUse& in_use,
                    bool safe) {
  const Rule* broken = broken_rule(chain, job, in_use, safe);
  return broken ? broken->reason : Reason::kNone;
}

Reason submit_reason(const LimitChain& chain, const LimitedJob& job,
                     const std::vector<uint64_t>& submitted, uint64_t count, uint16_t node) {
  for (const Rule& rule : chain.submit_rules) {
    const bool over = rule.measure == Measure::kSubmitted
                          ? sum_of(submitted[rule.counter], count) > rule.limit
                          : beyond_own(rule, job, job.amount(node));
    if (over) return rule.reason;
  }
  return Reason::kNone;
}

uint64_t may_accrue(const LimitChain& chain, const std::vector<uint64_t>& accruing,
                    uint64_t count) {
  for (const Rule& rule : chain.accrue_rules) {
    const uint64_t now = accruing[rule.counter];
    count = std::min(count, rule.limit > now ? rule.limit - now : 0);
  }
  return count;
}

bool minutes_are_over(const LimitChain& chain, const LimitedJob& job, const InUse& in_use) {
  return std::any_of(chain.rules.begin(), chain.rules.end(), [&](const Rule& rule) {
    switch (rule.measure) {
      case Measure::kGroupWall:
        return in_use.wall_minutes(rule.counter) >= rule.limit;
      case Measure::kTresMinutes:
        return job.amount(rule.tres) && in_use.used_minutes(rule.counter, rule.tres) >= rule.limit;
      case Measure::kMinutesOfJob:
        return minutes_of(rule, job) > rule.limit;
      default:
        return false;
    }
  });
}

}  // namespace grappe::sched
