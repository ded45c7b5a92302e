#include "sched/limits/rules.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "sched/limits/tres_reason.h"

namespace grappe::sched {
namespace {

using Count = uint64_t LimitSet::*;
using Amounts = TresAmounts LimitSet::*;

// Whose use counts: of a QoS all, the user or the account; of associations each on the way to the
// root, or the user's own.
enum class Scope : uint8_t { kGroup, kUser, kAccount, kEveryLevel, kOwn };

// One limit, a number or one for each resource, and how it is tested.
struct Row {
  Scope scope;
  Measure measure;
  Count count = nullptr;  // or
  Amounts amounts = nullptr;
  Reason reason = Reason::kNone;  // of `count`
  TresLimit kind{};               // of `amounts`
  Count hidden_by = nullptr;      // beside the same limit of a QoS
};

using L = LimitSet;

struct CountName {
  Count count;
  std::string_view of_qos, of_association;
};
constexpr CountName kCountNames[] = {
    {&L::grp_jobs, "GrpJobs", "GrpJobs"},
    {&L::grp_submit, "GrpSubmitJobs", "GrpSubmitJobs"},
    {&L::grp_wall, "GrpWall", "GrpWall"},
    {&L::grp_accrue, "GrpJobsAccrue", "GrpJobsAccrue"},
    {&L::max_jobs, "MaxJobsPerUser", "MaxJobs"},
    {&L::max_submit, "MaxSubmitJobsPerUser", "MaxSubmitJobs"},
    {&L::max_jobs_per_account, "MaxJobsPerAccount", ""},
    {&L::max_submit_per_account, "MaxSubmitJobsPerAccount", ""},
    {&L::max_wall, "MaxWall", "MaxWall"},
    {&L::max_accrue, "MaxJobsAccruePerUser", "MaxJobsAccrue"},
    {&L::max_accrue_per_account, "MaxJobsAccruePerAccount", ""},
};
struct AmountsName {
  Amounts amounts;
  std::string_view name;
};
constexpr AmountsName kAmountsNames[] = {
    {&L::grp_tres, "GrpTRES"},
    {&L::grp_tres_mins, "GrpTRESMins"},
    {&L::grp_tres_run_mins, "GrpTRESRunMins"},
    {&L::max_tres, "MaxTRES"},
    {&L::max_tres_per_node, "MaxTRESPerNode"},
    {&L::max_tres_mins, "MaxTRESMins"},
    {&L::max_tres_per_user, "MaxTRESPerUser"},
    {&L::max_tres_per_account, "MaxTRESPerAccount"},
    {&L::min_tres, "MinTRES"},
};

std::string_view limit_name(const Row& row) {
  const bool of_qos = row.scope != Scope::kEveryLevel && row.scope != Scope::kOwn;
  for (const CountName& name : kCountNames) {
    if (row.count && name.count == row.count) return of_qos ? name.of_qos : name.of_association;
  }
  for (const AmountsName& name : kAmountsNames) {
    if (row.amounts && name.amounts == row.amounts) return name.name;
  }
  return "";
}

constexpr Row number(Scope scope, Measure measure, Count count, Reason reason,
                     Count hidden_by = nullptr) {
  return {scope, measure, count, nullptr, reason, {}, hidden_by};
}
constexpr Row sizes(Scope scope, Measure measure, Amounts amounts, TresLimit kind) {
  return {scope, measure, nullptr, amounts, Reason::kNone, kind};
}

using M = Measure;
using S = Scope;
using T = TresLimit;

// The tables are in the order of Slurm's questions. First those that need no look at resources.
constexpr Row kQosNumbers[] = {
    number(S::kGroup, M::kJobs, &L::grp_jobs, Reason::kQOSGrpJobsLimit),
    number(S::kGroup, M::kGroupWall, &L::grp_wall, Reason::kQOSGrpWallLimit),
    number(S::kAccount, M::kJobs, &L::max_jobs_per_account, Reason::kMaxJobsPerAccount),
    number(S::kUser, M::kJobs, &L::max_jobs, Reason::kQOSMaxJobsPerUserLimit),
    number(S::kGroup, M::kWall, &L::max_wall, Reason::kQOSMaxWallDurationPerJobLimit),
};
constexpr Row kAssociationNumbers[] = {
    number(S::kEveryLevel, M::kJobs, &L::grp_jobs, Reason::kAssocGrpJobsLimit),
    number(S::kEveryLevel, M::kGroupWall, &L::grp_wall, Reason::kAssocGrpWallLimit),
    number(S::kOwn, M::kJobs, &L::max_jobs, Reason::kAssocMaxJobsLimit, &L::max_jobs_per_account),
    number(S::kOwn, M::kWall, &L::max_wall, Reason::kAssocMaxWallDurationPerJobLimit),
};

// Then whether it wants more nodes than it may have.
constexpr Row kQosNodes[] = {
    sizes(S::kAccount, M::kTresOfJob, &L::max_tres_per_account, T::kQosMaxPerAccount),
    sizes(S::kGroup, M::kTresOfJob, &L::max_tres, T::kQosMaxPerJob),
    sizes(S::kUser, M::kTresOfJob, &L::max_tres_per_user, T::kQosMaxPerUser),
    sizes(S::kGroup, M::kTresOfJob, &L::grp_tres, T::kQosGrp),
};
constexpr Row kAssociationNodes[] = {
    sizes(S::kEveryLevel, M::kTresOfJob, &L::grp_tres, T::kAssocGrp),
    sizes(S::kOwn, M::kTresOfJob, &L::max_tres, T::kAssocMaxPerJob),
};

// Then what it would have.
constexpr Row kQosSizes[] = {
    sizes(S::kGroup, M::kTresMinutes, &L::grp_tres_mins, T::kQosGrpMinutes),
    sizes(S::kGroup, M::kTres, &L::grp_tres, T::kQosGrp),
    sizes(S::kGroup, M::kRunMinutes, &L::grp_tres_run_mins, T::kQosGrpRunMinutes),
    sizes(S::kGroup, M::kMinutesOfJob, &L::max_tres_mins, T::kQosMaxMinutesPerJob),
    sizes(S::kGroup, M::kTresOfJob, &L::max_tres, T::kQosMaxPerJob),
    sizes(S::kGroup, M::kTresOfNode, &L::max_tres_per_node, T::kQosMaxPerNode),
    sizes(S::kGroup, M::kAtLeast, &L::min_tres, T::kQosMin),
    sizes(S::kAccount, M::kTres, &L::max_tres_per_account, T::kQosMaxPerAccount),
    sizes(S::kUser, M::kTres, &L::max_tres_per_user, T::kQosMaxPerUser),
};
constexpr Row kAssociationSizes[] = {
    sizes(S::kEveryLevel, M::kTresMinutes, &L::grp_tres_mins, T::kAssocGrpMinutes),
    sizes(S::kEveryLevel, M::kTres, &L::grp_tres, T::kAssocGrp),
    sizes(S::kEveryLevel, M::kRunMinutes, &L::grp_tres_run_mins, T::kAssocGrpRunMinutes),
    sizes(S::kOwn, M::kMinutesOfJob, &L::max_tres_mins, T::kAssocMaxMinutesPerJob),
    sizes(S::kOwn, M::kTresOfJob, &L::max_tres, T::kAssocMaxPerJob),
    sizes(S::kOwn, M::kTresOfNode, &L::max_tres_per_node, T::kAssocMaxPerNode),
};

// At submission. All but kSubmitted is asked only where such jobs are denied.
constexpr Row kQosSubmission[] = {
    sizes(S::kAccount, M::kTresOfJob, &L::max_tres_per_account, T::kQosMaxPerAccount),
    sizes(S::kUser, M::kTresOfJob, &L::max_tres_per_user, T::kQosMaxPerUser),
    sizes(S::kGroup, M::kTresOfJob, &L::grp_tres, T::kQosGrp),
    number(S::kGroup, M::kSubmitted, &L::grp_submit, Reason::kQOSGrpSubmitJobsLimit),
    sizes(S::kGroup, M::kMinutesOfJob, &L::max_tres_mins, T::kQosMaxMinutesPerJob),
    sizes(S::kGroup, M::kMinutesOfJob, &L::grp_tres_mins, T::kQosGrpMinutes),
    sizes(S::kGroup, M::kMinutesOfJob, &L::grp_tres_run_mins, T::kQosGrpRunMinutes),
    number(S::kGroup, M::kWall, &L::max_wall, Reason::kQOSMaxWallDurationPerJobLimit),
    number(S::kGroup, M::kWall, &L::grp_wall, Reason::kQOSGrpWallLimit),
    sizes(S::kGroup, M::kTresOfJob, &L::max_tres, T::kQosMaxPerJob),
    sizes(S::kGroup, M::kTresOfNode, &L::max_tres_per_node, T::kQosMaxPerNode),
    number(S::kAccount, M::kSubmitted, &L::max_submit_per_account,
           Reason::kMaxSubmitJobsPerAccount),
    number(S::kUser, M::kSubmitted, &L::max_submit, Reason::kQOSMaxSubmitJobPerUserLimit),
    sizes(S::kGroup, M::kAtLeast, &L::min_tres, T::kQosMin),
};
constexpr Row kAssociationSubmission[] = {
    sizes(S::kEveryLevel, M::kTresOfJob, &L::grp_tres, T::kAssocGrp),
    number(S::kEveryLevel, M::kSubmitted, &L::grp_submit, Reason::kAssocGrpSubmitJobsLimit),
    sizes(S::kEveryLevel, M::kMinutesOfJob, &L::grp_tres_mins, T::kAssocGrpMinutes),
    sizes(S::kEveryLevel, M::kMinutesOfJob, &L::grp_tres_run_mins, T::kAssocGrpRunMinutes),
    number(S::kEveryLevel, M::kWall, &L::grp_wall, Reason::kAssocGrpWallLimit),
    sizes(S::kOwn, M::kTresOfJob, &L::max_tres, T::kAssocMaxPerJob),
    sizes(S::kOwn, M::kTresOfNode, &L::max_tres_per_node, T::kAssocMaxPerNode),
    number(S::kOwn, M::kSubmitted, &L::max_submit, Reason::kAssocMaxSubmitJobLimit,
           &L::max_submit_per_account),
    sizes(S::kOwn, M::kMinutesOfJob, &L::max_tres_mins, T::kAssocMaxMinutesPerJob),
    number(S::kOwn, M::kWall, &L::max_wall, Reason::kAssocMaxWallDurationPerJobLimit),
};

constexpr Row kQosAccrual[] = {
    number(S::kGroup, M::kAccruing, &L::grp_accrue, Reason::kNone),
    number(S::kAccount, M::kAccruing, &L::max_accrue_per_account, Reason::kNone),
    number(S::kUser, M::kAccruing, &L::max_accrue, Reason::kNone),
};
constexpr Row kAssociationAccrual[] = {
    number(S::kEveryLevel, M::kAccruing, &L::grp_accrue, Reason::kNone),
    number(S::kOwn, M::kAccruing, &L::max_accrue, Reason::kNone, &L::max_accrue_per_account),
};

uint64_t limit_at(const TresAmounts& amounts, uint16_t tres) {
  return tres < amounts.size() ? amounts[tres] : kNoLimit;
}

uint32_t counter_of(const QosLevel& level, Scope scope) {
  if (scope == Scope::kUser) return level.user;
  return scope == Scope::kAccount ? level.account : level.group;
}

class Settling {
 public:
  Settling(const LimitLevels& levels, const std::vector<std::string>& tres) : levels_(levels) {
    for (const std::string& name : tres) families_.push_back(tres_family(name));
  }

  using Rows = std::span<const Row>;
  using Wanted = bool (*)(const Row& row, TresFamily family);

  // The rows of the QoS, then those of the associations.
  std::vector<Rule> rules(Rows of_qos, Rows of_associations, Wanted wanted) const {
    std::vector<Rule> out;
    for (size_t i = 0; i < levels_.qos.size(); ++i) {
      const QosLevel& level = levels_.qos[i];
      for (const Row& row : of_qos) {
        add(row, level.limits, {counter_of(level, row.scope), i, 1}, wanted, out);
      }
    }
    for (const AssociationLevel& level : levels_.associations) {
      for (const Row& row : of_associations) {
        if (row.scope == Scope::kOwn && &level != &levels_.associations.front()) continue;
        const Place place{level.counter, levels_.qos.size(), levels_.limit_factor};
        add(row, level.limits, place, wanted, out);
      }
    }
    return out;
  }

 private:
  struct Place {
    uint32_t counter;
    size_t qos_before;  // so many QoS come before this level
    double factor;
  };

  void add(const Row& row, const LimitSet& limits, const Place& place, Wanted wanted,
           std::vector<Rule>& out) const {
    if (row.count) {
      const uint64_t limit = limits.*row.count;
      if (limit == kNoLimit || !wanted(row, TresFamily::kOther)) return;
      if (hidden(row.count, place.qos_before)) return;
      if (row.hidden_by && hidden(row.hidden_by, place.qos_before)) return;
      if (levels_.lifted.time && row.measure == Measure::kWall) return;
      out.push_back({row.measure, 0, place.counter, limit, row.reason, limit_name(row)});
      return;
    }
    const TresAmounts& amounts = limits.*row.amounts;
    for (uint16_t tres = 0; tres < families_.size(); ++tres) {
      const uint64_t limit = limit_at(amounts, tres);
      if (limit == kNoLimit || !wanted(row, families_[tres])) continue;
      if (hidden(row.amounts, tres, place.qos_before) || is_lifted(families_[tres])) continue;
      out.push_back({row.measure, tres, place.counter, scaled(row.amounts, limit, place.factor),
                     tres_reason(row.kind, families_[tres]), limit_name(row)});
    }
  }

  bool is_lifted(TresFamily family) const {
    return (family == TresFamily::kCpu && levels_.lifted.cpus) ||
           (family == TresFamily::kMemory && levels_.lifted.memory);
  }
  template <class Defines>
  bool any_qos(size_t before, Defines defines) const {
    const auto end = levels_.qos.begin() + static_cast<std::ptrdiff_t>(before);
    return std::any_of(levels_.qos.begin(), end,
                       [&](const QosLevel& level) { return defines(level.limits); });
  }
  bool hidden(Count limit, size_t before) const {
    return any_qos(before, [&](const LimitSet& set) { return set.*limit != kNoLimit; });
  }
  bool hidden(Amounts limit, uint16_t tres, size_t before) const {
    return any_qos(before,
                   [&](const LimitSet& set) { return limit_at(set.*limit, tres) != kNoLimit; });
  }
  static uint64_t scaled(Amounts which, uint64_t limit, double factor) {
    const bool is_size = which == &LimitSet::grp_tres || which == &LimitSet::max_tres;
    if (factor == 1 || !is_size) return limit;
    return static_cast<uint64_t>(static_cast<double>(limit) * factor);
  }

  const LimitLevels& levels_;
  std::vector<TresFamily> families_;
};

void add_threshold(const LimitLevels& levels, std::vector<Rule>& out) {
  if (levels.associations.empty()) return;
  for (const QosLevel& level : levels.qos) {
    if (level.limits.usage_threshold <= 0) continue;
    out.push_back({Measure::kFairShare, 0, levels.associations.front().counter,
                   fair_share_amount(level.limits.usage_threshold), Reason::kQOSUsageThreshold,
                   "UsageThreshold"});
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

void append(std::vector<Rule>& to, const std::vector<Rule>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

LimitChain settle_limits(const LimitLevels& levels, const std::vector<std::string>& tres) {
  const Settling settling(levels, tres);
  const auto all = [](const Row&, TresFamily) { return true; };
  const auto nodes = [](const Row&, TresFamily family) { return family == TresFamily::kNode; };
  const auto submits = [](const Row& row, TresFamily) { return row.measure == M::kSubmitted; };
  LimitChain out;
  add_threshold(levels, out.rules);
  append(out.rules, settling.rules(kQosNumbers, kAssociationNumbers, all));
  append(out.rules, settling.rules(kQosNodes, kAssociationNodes, nodes));
  append(out.rules, settling.rules(kQosSizes, kAssociationSizes, all));
  out.submit_rules = levels.denies
                         ? settling.rules(kQosSubmission, kAssociationSubmission, all)
                         : settling.rules(kQosSubmission, kAssociationSubmission, submits);
  out.accrue_rules = settling.rules(kQosAccrual, kAssociationAccrual, all);
  out.counters = counters_of(levels);
  return out;
}

LimitChain nobodys_limits() {
  LimitChain out;
  out.rules.push_back({Measure::kNever, 0, 0, 0, Reason::kInvalidAccount, ""});
  return out;
}

uint64_t fair_share_amount(double factor) {
  return static_cast<uint64_t>(std::llround(std::max(factor, 0.0) * 1e6));
}

}  // namespace grappe::sched
