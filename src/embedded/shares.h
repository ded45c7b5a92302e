// Fair share as it was last worked out: the tree of associations, who is entitled to how much of it
// and who has had how much.
//
// Every PriorityCalcPeriod, and soon after a change of the books.
#pragma once

#include <vector>

#include "books/books.h"
#include "model/config.h"
#include "sched/fair_share.h"
#include "sched/usage.h"

namespace grappe::embedded {

class ShareTable {
 public:
  struct Row {
    uint32_t assoc_id = 0;
    uint32_t depth = 0;
    uint32_t priority = 0;  // in force
  };

  // The books have changed: the tree is made anew at the next update().
  void note_books() { stale_ = true; }
  bool is_stale() const { return stale_; }
  void update(const Books& books, const std::string& cluster, const sched::UsageBook& usage,
              const PriorityConfig& config);

  // Those of a level by name, users before accounts, each followed by what is below it.
  const std::vector<Row>& rows() const { return rows_; }
  const sched::ShareNode& node(size_t row) const { return nodes_[row]; }
  const sched::ShareResult& result(size_t row) const { return results_[row]; }
  // Null: not in the tree.
  const Row* find(uint32_t assoc_id) const;
  double fair_share(uint32_t assoc_id) const;
  uint32_t highest_priority() const { return highest_priority_; }

 private:
  void grow(const Books& books, const std::string& cluster);
  // UINT32_MAX: not in the tree.
  uint32_t place(uint32_t assoc_id) const;

  std::vector<Row> rows_;
  std::vector<sched::ShareNode> nodes_;
  std::vector<sched::ShareResult> results_;
  std::vector<uint32_t> places_;  // by association
  uint32_t highest_priority_ = 0;
  bool stale_ = true;
};

sched::FairShareRule fair_share_rule(const PriorityConfig& config);

}  // namespace grappe::embedded
