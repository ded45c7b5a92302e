// Which limits hold for a job, settled once for all jobs of the same user, account, QoS and
// partition.
//
// The levels that apply (partition QoS, the job's QoS, the user's association, the accounts above
// it up to the root) become a list of rules in the order in which Slurm asks them: first how many
// jobs and how long, then sizes. A limit that a QoS defines hides the same limit of what comes
// after it; group limits of associations hold at every level. What is counted has a number, its
// counter: of an association, of a QoS, of a user or an account within a QoS.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/lifted.h"
#include "model/reason.h"

namespace grappe::sched {

inline constexpr uint64_t kNoLimit = UINT64_MAX;
inline constexpr uint32_t kNoChain = UINT32_MAX;

// Amounts of trackable resources, by their place in the list of all.
using TresAmounts = std::vector<uint64_t>;

// The limits of one association or QoS. Amounts: empty, or kNoLimit where there is none. Times are
// in minutes.
struct LimitSet {
  uint64_t grp_jobs = kNoLimit, grp_submit = kNoLimit, grp_wall = kNoLimit;
  uint64_t max_jobs = kNoLimit, max_submit = kNoLimit;  // of a QoS: of each user
  uint64_t max_jobs_per_account = kNoLimit, max_submit_per_account = kNoLimit;  // of a QoS
  uint64_t max_wall = kNoLimit;
  // Jobs that wait and grow older.
  uint64_t grp_accrue = kNoLimit, max_accrue = kNoLimit, max_accrue_per_account = kNoLimit;
  TresAmounts grp_tres, grp_tres_mins, grp_tres_run_mins;
  TresAmounts max_tres, max_tres_per_node, max_tres_mins;         // of each job
  TresAmounts max_tres_per_user, max_tres_per_account, min_tres;  // of a QoS
  double usage_threshold = 0;  // of a QoS: the least fair-share factor
};

struct QosLevel {
  LimitSet limits;
  uint32_t group = 0, user = 0, account = 0;  // counters
};

struct AssociationLevel {
  LimitSet limits;
  uint32_t counter = 0;
};

struct LimitLevels {
  std::vector<QosLevel> qos;  // the first hides the second
  // The user's own first, then its parents. What it has inherited is in its own limits.
  std::vector<AssociationLevel> associations;
  double limit_factor = 1;  // of the QoS: multiplies the sizes that associations allow
  bool denies = false;      // who could never start is not taken in (DenyOnLimit)
  Lifted lifted;            // these do not hold
};

// How a job is measured.
enum class Measure : uint8_t {
  kJobs,          // running ones with this one
  kAccruing,      // waiting ones that grow older with this one
  kSubmitted,     // pending and running ones with this one
  kGroupWall,     // minutes used by all
  kWall,          // its time limit
  kTres,          // in use with this one
  kTresMinutes,   // used by all so far
  kRunMinutes,    // that running ones may still use, with this one
  kTresOfJob,     // the job's own
  kTresOfNode,    // the job's own on each node
  kMinutesOfJob,  // the job's own times its time limit
  kAtLeast,       // the job's own, and the limit is the least
  kFairShare,     // its factor in millionths, and the limit is the least
  kNever,
};

struct Rule {
  Measure measure = Measure::kNever;
  uint16_t tres = 0;
  uint32_t counter = 0;
  uint64_t limit = 0;
  Reason reason = Reason::kNone;
  std::string_view name;  // as sacctmgr calls the limit
};

struct LimitChain {
  std::vector<Rule> rules;         // to start
  std::vector<Rule> submit_rules;  // to be submitted
  std::vector<Rule> accrue_rules;  // to grow older while it waits
  std::vector<uint32_t> counters;  // where a job of this chain counts
  // What else the QoS says of its jobs.
  bool no_reserve = false;                            // nothing is kept for them
  bool own_time = false;                              // longer than the partition allows
  bool own_max_nodes = false, own_min_nodes = false;  // more or fewer than it allows
  double run_factor = 1;      // the minutes of its running jobs count so much (UsageFactor)
  double minutes_factor = 1;  // and those that a job asks for (with UsageFactorSafe)
  uint32_t min_priority = 0;  // with less nothing is kept for them
};

// `tres`: names of the trackable resources, in order.
LimitChain settle_limits(const LimitLevels& levels, const std::vector<std::string>& tres);

// Nobody's job, where associations are enforced.
LimitChain nobodys_limits();

// A fair-share factor or threshold as a limit.
uint64_t fair_share_amount(double factor);

}  // namespace grappe::sched
