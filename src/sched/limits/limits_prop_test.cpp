// Limits are never exceeded at any instant, and whoever does not start has a reason: random trees,
// limits and queues, with the sums made another way than the scheduler makes them.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "sched/limits/table.h"
#include "sched/testing/builders.h"
#include "sched/testing/random.h"

namespace grappe::sched::testing {
namespace {

const std::vector<std::string> kTres{"cpu", "mem", "node", "gres/gpu"};
constexpr uint32_t kUsers = 3, kAccounts = 2, kQos = 2;

// Counters: users' associations, accounts, the root, then by QoS: all, by user, by account.
uint32_t account_of(uint32_t user) {
  return user % kAccounts;
}
uint32_t qos_counter(uint32_t qos) {
  return kUsers + kAccounts + 1 + qos * (1 + kUsers + kAccounts);
}

TresAmounts random_amounts() {
  TresAmounts out(kTres.size(), kNoLimit);
  if (coin(3)) out[0] = number(0, 12);
  if (coin(5)) out[1] = number(0, 8000);
  if (coin(4)) out[2] = number(0, 3);
  if (coin(4)) out[3] = number(0, 4);
  return out;
}

LimitSet random_limits() {
  LimitSet out;
  if (coin(4)) out.grp_jobs = number(0, 4);
  if (coin(5)) out.max_jobs = number(0, 3);
  if (coin(5)) out.max_jobs_per_account = number(0, 3);
  if (coin(5)) out.max_wall = number(5, 50);
  if (coin(2)) out.grp_tres = random_amounts();
  if (coin(4)) out.max_tres = random_amounts();
  if (coin(4)) out.max_tres_per_user = random_amounts();
  if (coin(4)) out.max_tres_per_account = random_amounts();
  if (coin(5)) out.grp_tres_run_mins = random_amounts();
  return out;
}

struct World {
  Cluster c;
  std::vector<LimitSet> users, accounts, qos;
  LimitSet root;
  std::shared_ptr<LimitTable> table = std::make_shared<LimitTable>();
  std::deque<TresAmounts> asked;

  World() {
    fill_randomly(c);
    for (uint32_t i = 0; i < kUsers; ++i) users.push_back(random_limits());
    for (uint32_t i = 0; i < kAccounts; ++i) accounts.push_back(random_limits());
    for (uint32_t i = 0; i < kQos; ++i) qos.push_back(random_limits());
    root = random_limits();
    auto chains = std::make_shared<std::vector<LimitChain>>();
    for (uint32_t user = 0; user < kUsers; ++user) {
      for (uint32_t q = 0; q < kQos; ++q) chains->push_back(settle_limits(levels(user, q), kTres));
    }
    table->chains = chains;
    table->in_use = InUse(qos_counter(kQos), kTres.size(), 2);
    table->gres = {{3}, {3}};
    c.snapshot.limits = table;
    for (PendingJob& job : c.snapshot.pending) {
      asked.push_back({job.shape->min_nodes, 0, job.shape->min_nodes, 0});
      job.tres = &asked.back();
      job.user = job.user % kUsers;
      for (size_t i = 0; i < job.partitions.size(); ++i) {
        job.chains.push_back(job.user * kQos + number(0, kQos - 1));
      }
    }
  }

  LimitLevels levels(uint32_t user, uint32_t q) const {
    const uint32_t account = account_of(user), base = qos_counter(q);
    LimitLevels out;
    out.qos = {{qos[q], base, base + 1 + user, base + 1 + kUsers + account}};
    out.associations = {
        {users[user], user}, {accounts[account], kUsers + account}, {root, kUsers + kAccounts}};
    return out;
  }
};

// What some started jobs have together.
struct Sum {
  uint64_t jobs = 0, cpus = 0, memory = 0, gpus = 0;
  Bitmap nodes;

  void add(const Start& start) {
    ++jobs;
    for (const NodeShare& share : start.shares) {
      cpus += share.cpus.count();
      memory += share.memory_mb;
      gpus += share.devices.size();
      nodes.set(share.node);
    }
  }
  bool within(const TresAmounts& limit, const TresAmounts& hidden_by) const {
    const uint64_t have[] = {cpus, memory, nodes.count(), gpus};
    for (size_t i = 0; i < limit.size(); ++i) {
      const bool hidden = i < hidden_by.size() && hidden_by[i] != kNoLimit;
      if (!hidden && limit[i] != kNoLimit && have[i] > limit[i]) return false;
    }
    return true;
  }
};

const PendingJob& job_of(const World& w, uint64_t tag) {
  return *std::find_if(w.c.snapshot.pending.begin(), w.c.snapshot.pending.end(),
                       [tag](const PendingJob& job) { return job.tag == tag; });
}

uint32_t chain_of(const PendingJob& job, PartitionIndex partition) {
  for (size_t i = 0; i < job.partitions.size(); ++i) {
    if (job.partitions[i] == partition) return job.chains[i];
  }
  return kNoChain;
}

// A limit of an association counts all jobs below it but holds only for those whose QoS does not
// define the same: so it is checked when such a job starts.
void check_start(const World& w, const Start& start, const std::vector<Start>& before) {
  const uint32_t chain = chain_of(job_of(w, start.tag), start.partition);
  const uint32_t user = chain / kQos, q = chain % kQos;
  Sum of_user, of_account, of_root, of_qos, user_of_qos, account_of_qos;
  auto add = [&](const Start& one) {
    const uint32_t other = chain_of(job_of(w, one.tag), one.partition);
    const bool same_user = other / kQos == user, same_qos = other % kQos == q;
    const bool same_account = account_of(other / kQos) == account_of(user);
    of_root.add(one);
    if (same_user) of_user.add(one);
    if (same_account) of_account.add(one);
    if (same_qos) of_qos.add(one);
    if (same_qos && same_user) user_of_qos.add(one);
    if (same_qos && same_account) account_of_qos.add(one);
  };
  for (const Start& one : before) add(one);
  add(start);
  const LimitSet& mine = w.qos[q];
  const LimitSet& own = w.users[user];
  const LimitSet& account = w.accounts[account_of(user)];
  RC_ASSERT(of_qos.jobs <= mine.grp_jobs);
  RC_ASSERT(user_of_qos.jobs <= mine.max_jobs);
  RC_ASSERT(account_of_qos.jobs <= mine.max_jobs_per_account);
  RC_ASSERT(of_qos.within(mine.grp_tres, {}));
  RC_ASSERT(user_of_qos.within(mine.max_tres_per_user, {}));
  RC_ASSERT(account_of_qos.within(mine.max_tres_per_account, {}));
  RC_ASSERT(of_user.within(own.grp_tres, mine.grp_tres));
  RC_ASSERT(of_account.within(account.grp_tres, mine.grp_tres));
  RC_ASSERT(of_root.within(w.root.grp_tres, mine.grp_tres));
  if (mine.grp_jobs == kNoLimit) {
    RC_ASSERT(of_user.jobs <= own.grp_jobs);
    RC_ASSERT(of_account.jobs <= account.grp_jobs);
    RC_ASSERT(of_root.jobs <= w.root.grp_jobs);
  }
  const uint64_t wall = mine.max_wall == kNoLimit ? own.max_wall : mine.max_wall;
  if (wall != kNoLimit) RC_ASSERT(start.time_limit / 60 <= static_cast<Time>(wall));
}

RC_GTEST_PROP(Limits, AreNeverExceededAtAnyInstant, ()) {
  World w;
  const Plan p = w.c.plan();
  std::vector<Start> before;
  for (const Start& start : p.starts) {
    check_start(w, start, before);
    before.push_back(start);
  }
}

RC_GTEST_PROP(Limits, WhoeverDoesNotStartHasAReason, ()) {
  World w;
  const Plan p = w.c.plan();
  std::map<uint64_t, uint32_t> starts;
  for (const Start& start : p.starts) ++starts[start.tag];
  for (const PendingJob& job : w.c.snapshot.pending) {
    const Waiting* waits = waiting(p, job.tag);
    RC_ASSERT((waits != nullptr) == (starts[job.tag] < job.copies));
    if (waits) RC_ASSERT(waits->reason != Reason::kNone);
  }
}

}  // namespace
}  // namespace grappe::sched::testing
