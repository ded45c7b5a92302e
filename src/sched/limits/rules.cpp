#include "sched/limits/rules.h"

#include <algorithm>
#include <cmath>

#include "sched/limits/tres_reason.h"

namespace grappe::sched {
namespace {

using Count = uint64_t LimitSet::*;
using Amounts = TresAmounts LimitSet::*;
enum class Scope : uint8_t { kGroup, kUser, kAccount };
enum class Where : uint8_t { kEveryLevel, kOwn };

struct QosCount {
  Count limit;
  Measure measure;
  Scope scope;
  Reason reason;
};

// In the order of Slurm's questions, as all tables here.
constexpr QosCount kQosCounts[] = {
    {&LimitSet::grp_jobs, Measure::kJobs, Scope::kGroup, Reason::kQOSGrpJobsLimit},
    {&LimitSet::grp_wall, Measure::kGroupWall, Scope::kGroup, Reason::kQOSGrpWallLimit},
    {&LimitSet::max_jobs_per_account, Measure::kJobs, Scope::kAccount, Reason::kMaxJobsPerAccount},
    {&LimitSet::max_jobs, Measure::kJobs, Scope::kUser, Reason::kQOSMaxJobsPerUserLimit},
    {&LimitSet::max_wall, Measure::kWall, Scope::kGroup, Reason::kQOSMaxWallDurationPerJobLimit},
};

constexpr QosCount kQosSubmits[] = {
    {&LimitSet::grp_submit, Measure::kSubmitted, Scope::kGroup, Reason::kQOSGrpSubmitJobsLimit},
    {&LimitSet::max_submit_per_account, Measure::kSubmitted, Scope::kAccount,
     Reason::kMaxSubmitJobsPerAccount},
    {&LimitSet::max_submit, Measure::kSubmitted, Scope::kUser,
     Reason::kQOSMaxSubmitJobPerUserLimit},
};

struct AssociationCount {
  Count limit;
  Measure measure;
  Where where;
  Reason reason;
  Count hidden_by;  // what a QoS may define, beside the same
};

constexpr AssociationCount kAssociationCounts[] = {
    {&LimitSet::grp_jobs, Measure::kJobs, Where::kEveryLevel, Reason::kAssocGrpJobsLimit,
     &LimitSet::grp_jobs},
    {&LimitSet::grp_wall, Measure::kGroupWall, Where::kEveryLevel, Reason::kAssocGrpWallLimit,
     &LimitSet::grp_wall},
    {&LimitSet::max_jobs, Measure::kJobs, Where::kOwn, Reason::kAssocMaxJobsLimit,
     &LimitSet::max_jobs_per_account},
    {&LimitSet::max_wall, Measure::kWall, Where::kOwn, Reason::kAssocMaxWallDurationPerJobLimit,
     &LimitSet::max_wall},
};

constexpr AssociationCount kAssociationSubmits[] = {
    {&LimitSet::grp_submit, Measure::kSubmitted, Where::kEveryLevel,
     Reason::kAssocGrpSubmitJobsLimit, &LimitSet::grp_submit},
    {&LimitSet::max_submit, Measure::kSubmitted, Where::kOwn, Reason::kAssocMaxSubmitJobLimit,
     &LimitSet::max_submit_per_account},
};

struct QosTres {
  Amounts limit;
  Measure measure;
  Scope scope;
  TresLimit kind;
};

// More nodes than a limit allows is found before the nodes are chosen.
constexpr QosTres kQosNodes[] = {
    {&LimitSet::max_tres_per_account, Measure::kTresOfJob, Scope::kAccount,
     TresLimit::kQosMaxPerAccount},
    {&LimitSet::max_tres, Measure::kTresOfJob, Scope::kGroup, TresLimit::kQosMaxPerJob},
    {&LimitSet::max_tres_per_user, Measure::kTresOfJob, Scope::kUser, TresLimit::kQosMaxPerUser},
    {&LimitSet::grp_tres, Measure::kTresOfJob, Scope::kGroup, TresLimit::kQosGrp},
};

constexpr QosTres kQosTres[] = {
    {&LimitSet::grp_tres_mins, Measure::kTresMinutes, Scope::kGroup, TresLimit::kQosGrpMinutes},
    {&LimitSet::grp_tres, Measure::kTres, Scope::kGroup, TresLimit::kQosGrp},
    {&LimitSet::grp_tres_run_mins, Measure::kRunMinutes, Scope::kGroup,
     TresLimit::kQosGrpRunMinutes},
    {&LimitSet::max_tres_mins, Measure::kMinutesOfJob, Scope::kGroup,
     TresLimit::kQosMaxMinutesPerJob},
    {&LimitSet::max_tres, Measure::kTresOfJob, Scope::kGroup, TresLimit::kQosMaxPerJob},
    {&LimitSet::max_tres_per_node, Measure::kTresOfNode, Scope::kGroup, TresLimit::kQosMaxPerNode},
    {&LimitSet::min_tres, Measure::kAtLeast, Scope::kGroup, TresLimit::kQosMin},
    {&LimitSet::max_tres_per_account, Measure::kTres, Scope::kAccount,
     TresLimit::kQosMaxPerAccount},
    {&LimitSet::max_tres_per_user, Measure::kTres, Scope::kUser, TresLimit::kQosMaxPerUser},
};

struct AssociationTres {
  Amounts limit;
  Measure measure;
  Where where;
  TresLimit kind;
};

constexpr AssociationTres kAssociationNodes[] = {
    {&LimitSet::grp_tres, Measure::kTresOfJob, Where::kEveryLevel, TresLimit::kAssocGrp},
    {&LimitSet::max_tres, Measure::kTresOfJob, Where::kOwn, TresLimit::kAssocMaxPerJob},
};

constexpr AssociationTres kAssociationTres[] = {
    {&LimitSet::grp_tres_mins, Measure::kTresMinutes, Where::kEveryLevel,
     TresLimit::kAssocGrpMinutes},
    {&LimitSet::grp_tres, Measure::kTres, Where::kEveryLevel, TresLimit::kAssocGrp},
    {&LimitSet::grp_tres_run_mins, Measure::kRunMinutes, Where::kEveryLevel,
     TresLimit::kAssocGrpRunMinutes},
    {&LimitSet::max_tres_mins, Measure::kMinutesOfJob, Where::kOwn,
     TresLimit::kAssocMaxMinutesPerJob},
    {&LimitSet::max_tres, Measure::kTresOfJob, Where::kOwn, TresLimit::kAssocMaxPerJob},
    {&LimitSet::max_tres_per_node, Measure::kTresOfNode, Where::kOwn, TresLimit::kAssocMaxPerNode},
};

uint64_t limit_at(const TresAmounts& amounts, size_t tres) {
  return tres < amounts.size() ? amounts[tres] : kNoLimit;
}

uint32_t counter_of(const QosLevel& level, Scope scope) {
  switch (scope) {
    case Scope::kUser:
      return level.user;
    case Scope::kAccount:
      return level.account;
    default:
      return level.group;
  }
}

bool is_size(Amounts limit) {
  return limit == &LimitSet::grp_tres || limit == &LimitSet::max_tres ||
         limit == &LimitSet::max_tres_per_node;
}

class Settling {
 public:
  Settling(const LimitLevels& levels, const std::vector<std::string>& tres) : levels_(levels) {
    for (const std::string& name : tres) families_.push_back(tres_family(name));
  }

  template <class Rows>
  void qos_counts(const Rows& rows, std::vector<Rule>& out) const {
    for (size_t i = 0; i < levels_.qos.size(); ++i) {
      const QosLevel& level = levels_.qos[i];
      for (const QosCount& row : rows) {
        const uint64_t limit = level.limits.*row.limit;
        if (limit == kNoLimit || hidden(row.limit, i)) continue;
        out.push_back({row.measure, 0, counter_of(level, row.scope), limit, row.reason});
      }
    }
  }

  template <class Rows>
  void association_counts(const Rows& rows, std::vector<Rule>& out) const {
    for (const AssociationLevel& level : levels_.associations) {
      for (const AssociationCount& row : rows) {
        const uint64_t limit = level.limits.*row.limit;
        if (limit == kNoLimit || !is_asked(row.where, level)) continue;
        if (hidden(row.limit) || hidden(row.hidden_by)) continue;
        out.push_back({row.measure, 0, level.counter, limit, row.reason});
      }
    }
  }

  template <class Rows, class Wanted>
  void qos_tres(const Rows& rows, Wanted wanted, std::vector<Rule>& out) const {
    for (size_t i = 0; i < levels_.qos.size(); ++i) {
      const QosLevel& level = levels_.qos[i];
      for (const QosTres& row : rows) {
        each_tres(level.limits.*row.limit, wanted, [&](uint16_t tres, uint64_t limit) {
          if (hidden(row.limit, tres, i)) return;
          out.push_back({row.measure, tres, counter_of(level, row.scope), limit,
                         tres_reason(row.kind, families_[tres])});
        });
      }
    }
  }

  template <class Rows, class Wanted>
  void association_tres(const Rows& rows, Wanted wanted, std::vector<Rule>& out) const {
    for (const AssociationLevel& level : levels_.associations) {
      for (const AssociationTres& row : rows) {
        if (!is_asked(row.where, level)) continue;
        each_tres(level.limits.*row.limit, wanted, [&](uint16_t tres, uint64_t limit) {
          if (hidden(row.limit, tres, levels_.qos.size())) return;
          out.push_back({row.measure, tres, level.counter, scaled(row.limit, limit),
                         tres_reason(row.kind, families_[tres])});
        });
      }
    }
  }

  bool is_node(uint16_t tres) const { return families_[tres] == TresFamily::kNode; }

 private:
  bool is_asked(Where where, const AssociationLevel& level) const {
    return where == Where::kEveryLevel || &level == &levels_.associations.front();
  }
  bool hidden(Count limit) const { return hidden(limit, levels_.qos.size()); }
  bool hidden(Count limit, size_t before) const {
    return std::any_of(levels_.qos.begin(), levels_.qos.begin() + static_cast<long>(before),
                       [&](const QosLevel& q) { return q.limits.*limit != kNoLimit; });
  }
  bool hidden(Amounts limit, uint16_t tres, size_t before) const {
    return std::any_of(
        levels_.qos.begin(), levels_.qos.begin() + static_cast<long>(before),
        [&](const QosLevel& q) { return limit_at(q.limits.*limit, tres) != kNoLimit; });
  }
  template <class Wanted, class Visit>
  void each_tres(const TresAmounts& amounts, Wanted wanted, Visit visit) const {
    for (uint16_t tres = 0; tres < families_.size() && tres < amounts.size(); ++tres) {
      if (amounts[tres] != kNoLimit && wanted(tres)) visit(tres, amounts[tres]);
    }
  }
  uint64_t scaled(Amounts which, uint64_t limit) const {
    if (levels_.limit_factor == 1 || !is_size(which)) return limit;
    return static_cast<uint64_t>(static_cast<double>(limit) * levels_.limit_factor);
  }

  const LimitLevels& levels_;
  std::vector<TresFamily> families_;
};

void add_threshold(const LimitLevels& levels, std::vector<Rule>& out) {
  if (levels.associations.empty()) return;
  for (const QosLevel& level : levels.qos) {
    if (level.limits.usage_threshold <= 0) continue;
    out.push_back({Measure::kFairShare, 0, levels.associations.front().counter,
                   fair_share_amount(level.limits.usage_threshold), Reason::kQOSUsageThreshold});
  }
}

std::vector<uint32_t> counters_of(const LimitLevels& levels) {
  std::vector<uint32_t> out;
  for (const QosLevel& level : levels.qos) {
    out.insert(out.end(), {level.group, level.user, level.account});
  }
  for (const AssociationLevel& level : levels.associations) out.push_back(level.counter);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

LimitChain settle_limits(const LimitLevels& levels, const std::vector<std::string>& tres) {
  const Settling settling(levels, tres);
  auto any = [](uint16_t) { return true; };
  auto node = [&](uint16_t t) { return settling.is_node(t); };
  LimitChain out;
  add_threshold(levels, out.rules);
  settling.qos_counts(kQosCounts, out.rules);
  settling.association_counts(kAssociationCounts, out.rules);
  settling.qos_tres(kQosNodes, node, out.rules);
  settling.association_tres(kAssociationNodes, node, out.rules);
  settling.qos_tres(kQosTres, any, out.rules);
  settling.association_tres(kAssociationTres, any, out.rules);
  settling.qos_counts(kQosSubmits, out.submit_rules);
  settling.association_counts(kAssociationSubmits, out.submit_rules);
  out.counters = counters_of(levels);
  return out;
}

LimitChain nobodys_limits() {
  LimitChain out;
  out.rules.push_back({Measure::kNever, 0, 0, 0, Reason::kInvalidAccount});
  return out;
}

uint64_t fair_share_amount(double factor) {
  return static_cast<uint64_t>(std::llround(std::max(factor, 0.0) * 1e6));
}

}  // namespace grappe::sched
