#include "sim/policies.h"

#include <vector>

namespace grappe::sim {
namespace {

sched::Policy fcfs() {
  sched::Policy policy;
  policy.backfill = false;
  return policy;
}

// One planned start, that of the first in line, however far off.
sched::Policy easy() {
  sched::Policy policy;
  policy.window = sched::kForever / 2;
  policy.max_reservations = 1;
  policy.protected_jobs = 1;
  return policy;
}

sched::Policy in_order(sched::BackfillOrder order) {
  sched::Policy policy = easy();
  policy.backfill_order = order;
  return policy;
}

// A stronger dose of the default's rule: an hour of one CPU is small, at once.
sched::Policy small_first() {
  sched::Policy policy = in_order(sched::BackfillOrder::kSmallFirst);
  policy.small_job = 3600;
  policy.small_wait = 0;
  return policy;
}

sched::Policy whole_nodes() {
  sched::Policy policy;
  policy.whole_node_reservations = true;
  return policy;
}

sched::Policy with_rules(uint32_t hold_back, bool pack, bool links) {
  sched::Policy policy = sched::default_policy();
  policy.placement = {hold_back, pack, links};
  return policy;
}

}  // namespace

std::span<const PolicyRow> policies() {
  static const std::vector<PolicyRow> rows = {
      {"fcfs", "strictly in order of arrival", fcfs()},
      {"easy", "gaps are filled where it does not delay the first in line", easy()},
      {"sjf", "the same, the shortest limits first",
       in_order(sched::BackfillOrder::kShortestLimit)},
      {"shortest-run", "the same, by what the user's jobs needed before",
       in_order(sched::BackfillOrder::kShortestRun)},
      {"small-first", "the same, jobs of up to an hour of one CPU first", small_first()},
      {"first-in-line", "the same, crumbs that have waited long first",
       sched::first_in_line_policy()},
      {"all-planned", "everybody's planned start is kept, by GPU, core and megabyte",
       sched::Policy{}},
      {"whole-node", "the same, on whole nodes, as Slurm does", whole_nodes()},
      {"grappe", "that where there are GPUs, else first-in-line: this service",
       sched::default_policy()},
      {"hold-back", "the same, each free GPU keeps half its part of cores and memory from others",
       with_rules(50, false, true)},
      {"pack", "the same, jobs go where they leave the most GPUs of use",
       with_rules(0, true, true)},
      {"no-links", "the same, without regard to which GPUs are linked",
       with_rules(0, false, false)},
  };
  return rows;
}

const PolicyRow* find_policy(std::string_view name) {
  for (const PolicyRow& row : policies()) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace grappe::sim
