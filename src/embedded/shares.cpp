#include "embedded/shares.h"

#include <algorithm>

namespace grappe::embedded {
namespace {

bool before_sibling(const v1::Association& a, const v1::Association& b) {
  if (a.user().empty() != b.user().empty()) return !a.user().empty();
  if (a.user() != b.user()) return a.user() < b.user();
  if (a.account() != b.account()) return a.account() < b.account();
  return a.partition() < b.partition();
}

}  // namespace

sched::FairShareRule fair_share_rule(const PriorityConfig& config) {
  using sched::FairShareRule;
  if (config.flags.depth_oblivious) return FairShareRule::kDepthOblivious;
  if (config.flags.no_fair_tree) return FairShareRule::kClassic;
  return config.fair_tree_of_slurm ? FairShareRule::kFairTreeOfSlurm : FairShareRule::kFairTree;
}

void ShareTable::grow(const Books& books, const std::string& cluster) {
  rows_.clear();
  nodes_.clear();
  places_.clear();
  highest_priority_ = 0;
  const std::vector<const v1::Association*> all = books.tree(cluster);
  std::unordered_map<const v1::Association*, std::vector<const v1::Association*>> below;
  for (const v1::Association* at : all) {
    if (const v1::Association* above = books.parent(*at)) below[above].push_back(at);
  }
  struct Visit {
    const v1::Association* at;
    uint32_t parent, depth, priority;
  };
  std::vector<Visit> open;
  if (!all.empty()) open.push_back({all.front(), 0, 0, 0});
  while (!open.empty()) {
    const Visit visit = open.back();
    open.pop_back();
    const v1::Association& at = *visit.at;
    const uint32_t priority = at.has_priority() ? at.priority() : visit.priority;
    const uint32_t shares = at.has_shares() ? at.shares() : 1;
    const auto here = static_cast<uint32_t>(rows_.size());
    highest_priority_ = std::max(highest_priority_, priority);
    places_[at.id()] = here;
    rows_.push_back({at.id(), visit.depth, priority});
    const bool as_parent = shares == kSharesOfParent;
    nodes_.push_back({visit.parent, !at.user().empty(), as_parent, as_parent ? 1 : shares, 0});
    std::vector<const v1::Association*>& children = below[&at];
    std::sort(children.begin(), children.end(),
              [](const auto* a, const auto* b) { return before_sibling(*b, *a); });
    for (const v1::Association* child : children) {
      open.push_back({child, here, visit.depth + 1, priority});
    }
  }
}

void ShareTable::update(const Books& books, const std::string& cluster,
                        const sched::UsageBook& usage, const PriorityConfig& config) {
  if (stale_) grow(books, cluster);
  stale_ = false;
  for (size_t i = 0; i < rows_.size(); ++i) {
    nodes_[i].usage = usage.of_association(rows_[i].assoc_id).billed;
  }
  results_ = sched::fair_share(nodes_, fair_share_rule(config), config.fair_share_dampening_factor);
}

int ShareTable::place(uint32_t assoc_id) const {
  const auto found = places_.find(assoc_id);
  return found == places_.end() ? -1 : static_cast<int>(found->second);
}

const ShareTable::Row* ShareTable::find(uint32_t assoc_id) const {
  const int row = place(assoc_id);
  return row < 0 ? nullptr : &rows_[static_cast<size_t>(row)];
}

double ShareTable::fair_share(uint32_t assoc_id) const {
  const int row = place(assoc_id);
  return row < 0 ? 0 : results_[static_cast<size_t>(row)].fair_share;
}

}  // namespace grappe::embedded
