// The limits of the books as they hold for jobs (AccountingStorageEnforce=limits).
//
// For every association, QoS, and user or account within a QoS that jobs have there is a counter;
// for every combination that jobs have, a chain of rules (sched/limits/rules.h). Both are found
// when a job is indexed, and anew for all jobs when the books or the partitions change. How many
// jobs are submitted is kept up to date; what running jobs have is added up for each plan.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/short_list.h"
#include "books/books.h"
#include "embedded/cluster.h"
#include "embedded/pool.h"
#include "model/job.h"
#include "sched/limits/table.h"

namespace grappe::embedded {

// Where a job counts.
struct LimitPlace {
  ShortList<uint32_t, 2> chains;                   // in each of its partitions
  std::vector<uint32_t> counters;                  // of all of them
  uint64_t count = 1;                              // tasks of an array
  std::shared_ptr<const sched::TresAmounts> tres;  // it asks for, or has
};

// Whose use a counter counts.
struct CounterKey {
  enum Kind : uint8_t { kAssociation, kQos, kUserOfQos, kAccountOfQos } kind = kAssociation;
  uint32_t association = 0;
  std::string qos, name;  // of the user or account
  auto operator<=>(const CounterKey&) const = default;
};

class Limits {
 public:
  // What was found is forgotten; the places of jobs must be found again.
  void reset(const Books& books, const Cluster& cluster);
  // After a change of the books: the same rules with other limits. False where jobs count elsewhere
  // now: reset() must follow.
  bool refresh(const Books& books);
  bool enforced() const { return enforced_; }

  LimitPlace place(const Books& books, const Cluster& cluster, const Job& job);
  void come(const LimitPlace& place);
  void leave(const LimitPlace& place);

  // Why it may not be submitted: it would be one too many, or it could never start and its QoS
  // denies such jobs.
  Reason submit_reason(const LimitPlace& place, const Job& job) const;
  // The longest time that a job may ask for, in minutes; kInfinite: no limit says anything.
  uint32_t longest(const LimitPlace& place) const;

  const std::vector<std::string>& tres() const { return tres_; }
  const std::map<CounterKey, uint32_t>& counters() const { return counters_; }
  uint64_t submitted(uint32_t counter) const { return submitted_[counter]; }
  const sched::LimitChain& chain(uint32_t index) const { return (*chains_)[index]; }
  // There are limits on minutes.
  bool follow_the_clock() const { return by_clock_; }
  // There are limits on how many waiting jobs grow older.
  bool limit_age() const { return limit_age_; }
  // There are least fair shares.
  bool watch_fair_share() const { return fair_share_; }
  // Somebody's limit depends on what was used before.
  bool is_metered(uint32_t counter) const { return metered_[counter]; }
  // Without what is in use.
  sched::LimitTable table(const Cluster& cluster) const;

 private:
  struct ChainKey {
    uint32_t association = 0;
    std::string qos, partition_qos;
    Lifted lifted;
    auto operator<=>(const ChainKey&) const = default;
  };

  uint32_t chain_of(const Books& books, const ChainKey& key);
  sched::LimitLevels levels_of(const Books& books, const ChainKey& key);
  sched::QosLevel qos_level(const v1::Qos& qos, const v1::Association& association);
  sched::LimitSet limit_set(const v1::Limits& limits) const;
  sched::TresAmounts amounts(const google::protobuf::Map<std::string, uint64_t>& from) const;
  uint32_t counter(CounterKey key);
  sched::LimitChain settle(const Books& books, const ChainKey& key);
  uint16_t index(std::string_view tres) const;  // UINT16_MAX: not tracked

  bool enforced_ = false, safe_ = false, limit_age_ = false, by_clock_ = false, fair_share_ = false;
  std::vector<std::string> tres_;  // by id
  std::map<std::string, uint16_t, std::less<>> tres_index_;
  uint16_t node_ = UINT16_MAX;  // the place of "node" among them
  std::map<CounterKey, uint32_t> counters_;
  std::vector<uint64_t> submitted_;  // by counter
  std::vector<bool> metered_;        // by counter
  std::map<ChainKey, uint32_t> chain_index_;
  std::shared_ptr<std::vector<sched::LimitChain>> chains_;
  Pool<sched::TresAmounts> amounts_;
};

}  // namespace grappe::embedded
