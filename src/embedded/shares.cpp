#include "embedded/shares.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace grappe::embedded {
namespace {

constexpr uint32_t kNoPlace = UINT32_MAX;

// By what siblings are sorted; looked up once, as each is compared many times.
struct SortKey {
  std::string_view user, account, partition;

  explicit SortKey(const v1::Association& of)
      : user(of.user()), account(of.account()), partition(of.partition()) {}
  bool operator<(const SortKey& other) const {
    if (user.empty() != other.user.empty()) return !user.empty();
    return std::tie(user, account, partition) <
           std::tie(other.user, other.account, other.partition);
  }
};

// The branches of the tree: who is below whom, by place in the list of all.
struct Branches {
  std::vector<uint32_t> first;     // of its children, in `children`; one more than there are nodes
  std::vector<uint32_t> children;  // sorted
};

// An account comes before all that is below it, so the way up is what was seen before.
std::vector<uint32_t> parents_of(const std::vector<const v1::Association*>& all) {
  std::vector<uint32_t> parents(all.size()), way;
  for (uint32_t i = 0; i < all.size(); ++i) {
    const v1::Association& at = *all[i];
    const std::string& above = at.user().empty() ? at.parent() : at.account();
    while (way.size() > 1 && all[way.back()]->account() != above) way.pop_back();
    parents[i] = way.empty() ? 0 : way.back();
    if (at.user().empty()) way.push_back(i);
  }
  return parents;
}

Branches branches_of(const std::vector<const v1::Association*>& all) {
  const std::vector<uint32_t> parents = parents_of(all);
  Branches out;
  out.first.resize(all.size() + 1);
  out.children.resize(all.empty() ? 0 : all.size() - 1);
  for (uint32_t i = 1; i < all.size(); ++i) ++out.first[parents[i] + 1];
  for (size_t i = 1; i < out.first.size(); ++i) out.first[i] += out.first[i - 1];
  std::vector<uint32_t> next(out.first.begin(), out.first.end());
  for (uint32_t i = 1; i < all.size(); ++i) out.children[next[parents[i]]++] = i;
  std::vector<SortKey> keys;
  keys.reserve(all.size());
  for (const v1::Association* at : all) keys.emplace_back(*at);
  for (size_t i = 0; i < all.size(); ++i) {
    std::sort(out.children.begin() + out.first[i], out.children.begin() + out.first[i + 1],
              [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
  }
  return out;
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
  const Branches branches = branches_of(all);
  struct Visit {
    uint32_t at, parent, depth, priority;
  };
  rows_.reserve(all.size());
  nodes_.reserve(all.size());
  uint32_t highest_id = 0;
  for (const v1::Association* at : all) highest_id = std::max(highest_id, at->id());
  places_.resize(all.empty() ? 0 : size_t{highest_id} + 1, kNoPlace);
  std::vector<Visit> open;
  if (!all.empty()) open.push_back({0, 0, 0, 0});
  while (!open.empty()) {
    const Visit visit = open.back();
    open.pop_back();
    const v1::Association& at = *all[visit.at];
    const uint32_t priority = at.has_priority() ? at.priority() : visit.priority;
    const uint32_t shares = at.has_shares() ? at.shares() : 1;
    const auto here = static_cast<uint32_t>(rows_.size());
    highest_priority_ = std::max(highest_priority_, priority);
    places_[at.id()] = here;
    rows_.push_back({at.id(), visit.depth, priority});
    const bool as_parent = shares == kSharesOfParent;
    nodes_.push_back({visit.parent, !at.user().empty(), as_parent, as_parent ? 1 : shares, 0});
    for (uint32_t c = branches.first[visit.at + 1]; c-- > branches.first[visit.at];) {
      open.push_back({branches.children[c], here, visit.depth + 1, priority});
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

uint32_t ShareTable::place(uint32_t assoc_id) const {
  return assoc_id < places_.size() ? places_[assoc_id] : kNoPlace;
}

const ShareTable::Row* ShareTable::find(uint32_t assoc_id) const {
  const uint32_t row = place(assoc_id);
  return row == kNoPlace ? nullptr : &rows_[row];
}

double ShareTable::fair_share(uint32_t assoc_id) const {
  const uint32_t row = place(assoc_id);
  if (row == kNoPlace) return 0;
  // Who counts as the root does, up all the way, has its factor where factors are not ranks; by
  // ranks the root, which has no siblings, has no shares.
  const bool ranks = results_[0].norm_shares == 0;
  uint32_t at = row;
  while (!ranks && at != 0 && nodes_[at].as_parent) at = nodes_[at].parent;
  return results_[at == 0 ? 0 : row].fair_share;
}

}  // namespace grappe::embedded
