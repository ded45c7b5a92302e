// Fair share: how well each user and account has been served, against what it is entitled to.
//
// Pure, and linear but for sorting siblings. Usage has been decayed and summed up the tree by
// whoever calls. Three rules: Fair Tree as its documentation describes it, Fair Tree as Slurm ships
// it, which ranks accounts that are equal one after the other where the documentation merges them,
// and the classic formula, where 0.5 means "has used just its share".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace grappe::sched {

enum class FairShareRule { kFairTree, kFairTreeOfSlurm, kClassic, kDepthOblivious };

// An association. A parent comes before its children; the first one is the root.
struct ShareNode {
  uint32_t parent = 0;  // index
  bool is_user = false;
  bool as_parent = false;  // Fairshare=parent: counted as if it were the parent itself
  uint32_t shares = 1;
  double usage = 0;  // its own and that of all below it
};

struct ShareResult {
  // Of Fair Tree among siblings, of the classic rule of the whole tree.
  double norm_shares = 0;
  double usage_of_all = 0;  // part of the root's
  double effective_usage = 0;
  double level_fs = 0;    // norm_shares / effective_usage: above 1 it is under-served
  double fair_share = 0;  // 0 to 1; of an account only with the classic rule
};

// `dampening` is of the classic rule only (FairShareDampeningFactor).
std::vector<ShareResult> fair_share(std::span<const ShareNode> tree, FairShareRule rule,
                                    double dampening = 1);

}  // namespace grappe::sched
