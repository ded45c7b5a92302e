#include "sched/fair_share.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace grappe::sched {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Who is below whom, as fair share sees it: what has Fairshare=parent hands its children upwards.
class Family {
 public:
  explicit Family(std::span<const ShareNode> tree)
      : parent_(tree.size(), 0), shares_below_(tree.size(), 0), first_(tree.size() + 1, 0) {
    for (uint32_t i = 1; i < tree.size(); ++i) {
      uint32_t above = tree[i].parent;
      while (above != 0 && tree[above].as_parent) above = tree[above].parent;
      parent_[i] = above;
      if (is_node(tree[i])) ++first_[above + 1];
      if (!tree[i].as_parent) shares_below_[above] += tree[i].shares;
    }
    for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    members_.resize(first_.back());
    std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
    for (uint32_t i = 1; i < tree.size(); ++i) {
      if (is_node(tree[i])) members_[next[parent_[i]]++] = i;
    }
  }

  uint32_t parent(uint32_t node) const { return parent_[node]; }
  double shares_below(uint32_t node) const { return shares_below_[node]; }
  std::span<const uint32_t> children(uint32_t node) const {
    return {members_.data() + first_[node], members_.data() + first_[node + 1]};
  }

 private:
  // An account that counts as its parent has no place of its own.
  static bool is_node(const ShareNode& node) { return node.is_user || !node.as_parent; }

  std::vector<uint32_t> parent_;
  std::vector<double> shares_below_;
  std::vector<uint32_t> first_, members_;
};

double part(double of, double whole) {
  return whole > 0 ? of / whole : 0;
}

double level_fs(const ShareNode& node, double shares, double usage) {
  if (node.as_parent && node.is_user) return kInfinity;
  if (shares <= 0) return 0;
  return usage > 0 ? shares / usage : kInfinity;
}

// Hands out ranks depth first, the best served last.
class FairTree {
 public:
  FairTree(std::span<const ShareNode> tree, const Family& family, bool merges,
           std::vector<ShareResult>& results)
      : tree_(tree), family_(family), merges_(merges), results_(results) {
    for (const ShareNode& node : tree) users_ += node.is_user;
    rank_ = next_rank_ = users_;
  }

  void run() {
    const auto top = family_.children(0);
    rank({top.begin(), top.end()}, false);
  }

 private:
  // `tied`: the first of them is equal to what was ranked last.
  void rank(std::vector<uint32_t> siblings, bool tied) {
    std::sort(siblings.begin(), siblings.end(), [&](uint32_t a, uint32_t b) {
      if (level(a) != level(b)) return level(a) > level(b);
      if (tree_[a].is_user != tree_[b].is_user) return tree_[a].is_user;
      return a < b;
    });
    for (size_t i = 0; i < siblings.size(); ++i) {
      if (i > 0) tied = level(siblings[i]) == level(siblings[i - 1]);
      if (tree_[siblings[i]].is_user) {
        give_rank(siblings[i], tied);
        continue;
      }
      std::vector<uint32_t> below = children(siblings[i]);
      while (merges_ && i + 1 < siblings.size() && level(siblings[i + 1]) == level(siblings[i])) {
        const std::vector<uint32_t> more = children(siblings[++i]);
        below.insert(below.end(), more.begin(), more.end());
      }
      if (!below.empty()) rank(std::move(below), tied);
    }
  }

  void give_rank(uint32_t user, bool tied) {
    if (!tied) rank_ = next_rank_;
    results_[user].fair_share = static_cast<double>(rank_) / static_cast<double>(users_);
    --next_rank_;
  }

  double level(uint32_t node) const { return results_[node].level_fs; }
  std::vector<uint32_t> children(uint32_t node) const {
    const auto list = family_.children(node);
    return {list.begin(), list.end()};
  }

  std::span<const ShareNode> tree_;
  const Family& family_;
  bool merges_;
  std::vector<ShareResult>& results_;
  size_t users_ = 0, rank_ = 0, next_rank_ = 0;
};

void use_of_level(std::span<const ShareNode> tree, const Family& family, uint32_t i,
                  std::vector<ShareResult>& out) {
  const uint32_t above = family.parent(i);
  out[i].norm_shares =
      tree[i].as_parent ? out[above].norm_shares : part(tree[i].shares, family.shares_below(above));
  out[i].effective_usage = part(tree[i].usage, tree[above].usage);
}

// Along the whole way to the root; a part of what its siblings used counts as one's own.
void use_of_tree(std::span<const ShareNode> tree, const Family& family, uint32_t i,
                 std::vector<ShareResult>& out) {
  const uint32_t above = family.parent(i);
  ShareResult& own = out[i];
  if (tree[i].as_parent) {
    own.norm_shares = out[above].norm_shares;
    own.effective_usage = above == 0 ? own.usage_of_all : out[above].effective_usage;
    return;
  }
  const double share = part(tree[i].shares, family.shares_below(above));
  own.norm_shares = out[above].norm_shares * share;
  // Where no sibling has any share, all that the account used is everybody's.
  const double counts = family.shares_below(above) == 0 ? 1 : share;
  own.effective_usage =
      above == 0 ? own.usage_of_all
                 : own.usage_of_all + (out[above].effective_usage - own.usage_of_all) * counts;
}

// How much was used for each share, above 1 too much, by one's account's standard: a level deeper
// or higher makes no difference. What is bad in both is bad, and what is bad in one only counts the
// less the worse the other is.
void use_for_shares(std::span<const ShareNode> tree, const Family& family,
                    std::span<const double> usage_below, uint32_t i,
                    std::vector<ShareResult>& out) {
  const uint32_t above = family.parent(i);
  ShareResult& own = out[i];
  if (tree[i].as_parent) {
    own.norm_shares = out[above].norm_shares;
    own.effective_usage = above == 0 ? own.usage_of_all : out[above].effective_usage;
    return;
  }
  own.norm_shares = out[above].norm_shares * part(tree[i].shares, family.shares_below(above));
  // Without shares there is nothing to be measured by.
  if (own.norm_shares <= 0) {
    own.effective_usage = own.usage_of_all;
    return;
  }
  const double ratio_above =
      above == 0 ? 1 : part(out[above].effective_usage, out[above].norm_shares);
  const double mean = part(usage_below[above], family.shares_below(above));
  const double ratio = part(part(tree[i].usage, tree[i].shares), mean);
  const double both = ratio_above > 0 && ratio > 0 ? std::log(ratio_above) * std::log(ratio) : 0;
  const double exponent = both >= 0 ? 1 : 1 / (1 + std::pow(5 * std::log(ratio_above), 2));
  own.effective_usage = ratio_above * std::pow(ratio, exponent) * own.norm_shares;
}

double classic(const ShareResult& r, double dampening) {
  if (r.norm_shares <= 0) return 0;
  return std::exp2(-(r.effective_usage / r.norm_shares) / dampening);
}

}  // namespace

std::vector<ShareResult> fair_share(std::span<const ShareNode> tree, FairShareRule rule,
                                    double dampening) {
  std::vector<ShareResult> out(tree.size());
  if (tree.empty()) return out;
  const Family family(tree);
  const bool by_level = rule == FairShareRule::kFairTree || rule == FairShareRule::kFairTreeOfSlurm;
  std::vector<double> usage_below(tree.size(), 0);
  for (uint32_t i = 1; i < tree.size(); ++i) {
    if (!tree[i].as_parent) usage_below[family.parent(i)] += tree[i].usage;
  }
  out[0].effective_usage = out[0].usage_of_all = 1;
  out[0].norm_shares = by_level ? 0 : 1;  // it has no siblings
  if (!by_level) out[0].fair_share = classic(out[0], dampening);
  for (uint32_t i = 1; i < tree.size(); ++i) {
    out[i].usage_of_all = part(tree[i].usage, tree[0].usage);
    if (by_level) {
      use_of_level(tree, family, i, out);
      out[i].level_fs = level_fs(tree[i], out[i].norm_shares, out[i].effective_usage);
      continue;
    }
    if (rule == FairShareRule::kClassic) {
      use_of_tree(tree, family, i, out);
    } else {
      use_for_shares(tree, family, usage_below, i, out);
    }
    out[i].fair_share = classic(out[i], dampening);
    out[i].level_fs = level_fs(tree[i], out[i].norm_shares, out[i].effective_usage);
  }
  if (by_level) FairTree(tree, family, rule == FairShareRule::kFairTree, out).run();
  return out;
}

}  // namespace grappe::sched
