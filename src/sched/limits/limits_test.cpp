// Each limit and its reason, and which of several limits holds.
#include <gtest/gtest.h>

#include "sched/limits/in_use.h"
#include "sched/limits/tres_reason.h"

namespace grappe::sched {
namespace {

const std::vector<std::string> kTres{"cpu", "mem", "energy", "node", "billing", "gres/gpu"};
constexpr uint16_t kCpu = 0, kMem = 1, kNode = 3, kGpu = 5;

TresAmounts only(uint16_t tres, uint64_t amount) {
  TresAmounts out(kTres.size(), kNoLimit);
  out[tres] = amount;
  return out;
}

// A user in an account under the root, with a QoS and perhaps one of the partition. Counters: 0 the
// user's association, 1 the account, 2 the root; 3, 4, 5 of the QoS; 6, 7, 8 of the partition's.
struct Case {
  LimitLevels levels;
  InUse in_use{9, kTres.size(), kNode};
  TresAmounts asked{1, 100, 0, 1, 1, 0};
  uint64_t minutes = 60;
  bool safe = false;

  Case() {
    levels.qos.push_back({{}, 3, 4, 5});
    levels.associations = {{{}, 0}, {{}, 1}, {{}, 2}};
  }
  LimitSet& user() { return levels.associations[0].limits; }
  LimitSet& account() { return levels.associations[1].limits; }
  LimitSet& root() { return levels.associations[2].limits; }
  LimitSet& qos() { return levels.qos.back().limits; }
  LimitSet& partition_qos() {
    levels.qos.insert(levels.qos.begin(), {{}, 6, 7, 8});
    return levels.qos.front().limits;
  }

  LimitChain chain() const { return settle_limits(levels, kTres); }
  // Another job of the same user runs.
  void run(TresAmounts tres, uint64_t minutes_left = 60, uint32_t node = 0) {
    Bitmap nodes;
    nodes.set(node);
    in_use.add_running(chain(), {&tres, 0, &nodes}, minutes_left * 60);
  }
  Reason reason() const { return limit_reason(chain(), {&asked, minutes, nullptr}, in_use, safe); }
  Reason reason_on(uint32_t node) const {
    Bitmap nodes;
    nodes.set(node);
    return limit_reason(chain(), {&asked, minutes, &nodes}, in_use, safe);
  }
  Reason submit(uint64_t submitted = 0, uint64_t count = 1) const {
    return submit_reason(chain(), {&asked, minutes, nullptr}, std::vector<uint64_t>(9, submitted),
                         count, kNode);
  }
};

TEST(Limits, NothingLimitsWhereNothingIsSet) {
  Case c;
  c.run(c.asked);
  EXPECT_EQ(c.reason(), Reason::kNone);
  EXPECT_EQ(c.submit(1000, 1000), Reason::kNone);
}

struct NumberCase {
  uint64_t LimitSet::*limit;
  Reason of_association, of_account, of_qos;
};

TEST(Limits, NumbersOfRunningJobs) {
  const NumberCase cases[] = {
      {&LimitSet::grp_jobs, Reason::kAssocGrpJobsLimit, Reason::kAssocGrpJobsLimit,
       Reason::kQOSGrpJobsLimit},
      // Of an account it is inherited before, not asked again.
      {&LimitSet::max_jobs, Reason::kAssocMaxJobsLimit, Reason::kNone,
       Reason::kQOSMaxJobsPerUserLimit},
      {&LimitSet::max_jobs_per_account, Reason::kNone, Reason::kNone, Reason::kMaxJobsPerAccount},
  };
  for (const NumberCase& row : cases) {
    Case user, account, qos;
    user.user().*row.limit = account.account().*row.limit = qos.qos().*row.limit = 2;
    for (Case* c : {&user, &account, &qos}) {
      c->run(c->asked);
      EXPECT_EQ(c->reason(), Reason::kNone);
      c->run(c->asked);
    }
    EXPECT_EQ(user.reason(), row.of_association);
    EXPECT_EQ(account.reason(), row.of_account);
    EXPECT_EQ(qos.reason(), row.of_qos);
  }
}

struct SizeCase {
  TresAmounts LimitSet::*limit;
  Reason of_association, of_qos;
};

TEST(Limits, SizesOfAllJobsTogether) {
  const SizeCase cases[] = {
      {&LimitSet::grp_tres, Reason::kAssocGrpGRES, Reason::kQOSGrpGRES},
      {&LimitSet::max_tres_per_user, Reason::kNone, Reason::kQOSMaxGRESPerUser},
      {&LimitSet::max_tres_per_account, Reason::kNone, Reason::kMaxGRESPerAccount},
  };
  for (const SizeCase& row : cases) {
    Case user, qos;
    user.user().*row.limit = qos.qos().*row.limit = only(kGpu, 4);
    for (Case* c : {&user, &qos}) {
      c->asked[kGpu] = 2;
      c->run(c->asked);
      EXPECT_EQ(c->reason(), Reason::kNone);
      c->run(c->asked);
    }
    EXPECT_EQ(user.reason(), row.of_association);
    EXPECT_EQ(qos.reason(), row.of_qos);
    qos.asked[kGpu] = 0;  // who wants none of it does not wait for it
    EXPECT_EQ(qos.reason(), Reason::kNone);
  }
}

TEST(Limits, SizesOfOneJob) {
  const SizeCase cases[] = {
      {&LimitSet::max_tres, Reason::kAssocMaxCpuPerJobLimit, Reason::kQOSMaxCpuPerJobLimit},
      {&LimitSet::max_tres_per_node, Reason::kAssocMaxCpuPerNode, Reason::kQOSMaxCpuPerNode},
      {&LimitSet::max_tres_mins, Reason::kAssocMaxCpuMinutesPerJobLimit,
       Reason::kQOSMaxCpuMinutesPerJobLimit},
  };
  for (const SizeCase& row : cases) {
    Case user, qos;
    user.user().*row.limit = qos.qos().*row.limit =
                                 only(kCpu, row.limit == &LimitSet::max_tres_mins ? 4 * 60 : 4);
    for (Case* c : {&user, &qos}) {
      c->run({100, 100, 0, 1, 1, 0});  // what others have does not matter
      c->asked[kCpu] = 4;
      EXPECT_EQ(c->reason(), Reason::kNone);
      c->asked[kCpu] = 5;
    }
    EXPECT_EQ(user.reason(), row.of_association);
    EXPECT_EQ(qos.reason(), row.of_qos);
  }
  Case c;
  c.qos().max_tres_per_node = only(kCpu, 4);
  c.asked = {8, 100, 0, 2, 8, 0};
  EXPECT_EQ(c.reason(), Reason::kNone);
}

TEST(Limits, AQosMayWantJobsToBeLarge) {
  Case c;
  c.qos().min_tres = only(kGpu, 1);
  EXPECT_EQ(c.reason(), Reason::kQOSMinGRES);
  c.asked[kGpu] = 1;
  EXPECT_EQ(c.reason(), Reason::kNone);
}

TEST(Limits, TimesOfOneJob) {
  Case user, qos;
  user.user().max_wall = qos.qos().max_wall = 59;
  EXPECT_EQ(user.reason(), Reason::kAssocMaxWallDurationPerJobLimit);
  EXPECT_EQ(qos.reason(), Reason::kQOSMaxWallDurationPerJobLimit);
  user.minutes = qos.minutes = 59;
  EXPECT_EQ(user.reason(), Reason::kNone);
  EXPECT_EQ(qos.reason(), Reason::kNone);
}

TEST(Limits, MinutesThatRunningJobsMayStillUse) {
  Case user, qos;
  user.user().grp_tres_run_mins = qos.qos().grp_tres_run_mins = only(kCpu, 100);
  for (Case* c : {&user, &qos}) c->run(c->asked, 40);
  EXPECT_EQ(user.reason(), Reason::kNone);
  user.minutes = qos.minutes = 61;
  EXPECT_EQ(user.reason(), Reason::kAssocGrpCPURunMinutesLimit);
  EXPECT_EQ(qos.reason(), Reason::kQOSGrpCPURunMinutesLimit);
}

TEST(Limits, MinutesUsedBefore) {
  Case c;
  c.account().grp_tres_mins = only(kCpu, 100);
  c.in_use.set_used(1, {99 * 60.0, 0, 0, 0, 0, 0}, 0);
  EXPECT_EQ(c.reason(), Reason::kNone);  // it may start, and is ended when they are over
  c.in_use.set_used(1, {100 * 60.0, 0, 0, 0, 0, 0}, 0);
  EXPECT_EQ(c.reason(), Reason::kAssocGrpCPUMinutesLimit);
  const LimitedJob running{&c.asked, 5, nullptr};
  EXPECT_TRUE(minutes_are_over(c.chain(), running, c.in_use));
  c.in_use.set_used(1, {0, 0, 0, 0, 0, 0}, 0);
  EXPECT_FALSE(minutes_are_over(c.chain(), running, c.in_use));
}

TEST(Limits, SafeStartsOnlyWhatCanRunToItsEnd) {
  Case c;
  c.safe = true;
  c.account().grp_tres_mins = only(kCpu, 200);
  c.in_use.set_used(1, {80 * 60.0, 0, 0, 0, 0, 0}, 0);
  c.run(c.asked, 60);
  EXPECT_EQ(c.reason(), Reason::kNone);  // 80 used, 60 to come, 60 asked
  c.minutes = 61;
  EXPECT_EQ(c.reason(), Reason::kAssocGrpCPUMinutesLimit);
}

TEST(Limits, WallTimeUsedBefore) {
  Case c;
  c.qos().grp_wall = 100;
  c.in_use.set_used(3, {}, 41 * 60.0);
  EXPECT_EQ(c.reason(), Reason::kNone);
  c.safe = true;
  EXPECT_EQ(c.reason(), Reason::kQOSGrpWallLimit);
  c.safe = false;
  c.in_use.set_used(3, {}, 100 * 60.0);
  EXPECT_EQ(c.reason(), Reason::kQOSGrpWallLimit);
}

TEST(Limits, SeveralJobsOnOneNodeAreOneNode) {
  Case c;
  c.account().grp_tres = only(kNode, 1);
  c.run(c.asked, 60, 2);
  EXPECT_EQ(c.reason(), Reason::kNone);
  EXPECT_EQ(c.reason_on(2), Reason::kNone);
  EXPECT_EQ(c.reason_on(3), Reason::kAssocGrpNodeLimit);
  c.asked[kNode] = 2;
  EXPECT_EQ(c.reason(), Reason::kAssocGrpNodeLimit);
}

TEST(Limits, FairShareBelowTheThreshold) {
  Case c;
  c.qos().usage_threshold = 0.5;
  EXPECT_EQ(c.reason(), Reason::kNone);
  c.in_use.set_fair_share(0, 0.49);
  EXPECT_EQ(c.reason(), Reason::kQOSUsageThreshold);
}

TEST(Limits, WhatAQosDefinesHidesTheSameOfAssociations) {
  Case c;
  c.user().max_wall = 10;
  c.account().grp_tres = only(kCpu, 1);
  c.asked[kCpu] = 2;
  EXPECT_EQ(c.reason(), Reason::kAssocMaxWallDurationPerJobLimit);
  c.qos().max_wall = 100;
  EXPECT_EQ(c.reason(), Reason::kAssocGrpCpuLimit);
  c.qos().grp_tres = only(kMem, 1000);  // of another resource
  EXPECT_EQ(c.reason(), Reason::kAssocGrpCpuLimit);
  c.qos().grp_tres[kCpu] = 2;
  EXPECT_EQ(c.reason(), Reason::kNone);
}

TEST(Limits, JobsOfAnAccountInAQosHideThoseOfTheAssociation) {
  Case c;
  c.user().max_jobs = 0;
  c.qos().max_jobs_per_account = 5;
  EXPECT_EQ(c.reason(), Reason::kNone);
}

TEST(Limits, ThePartitionsQosComesFirst) {
  Case c;
  c.qos().max_wall = 30;
  LimitSet& first = c.partition_qos();
  first.max_wall = 90;
  EXPECT_EQ(c.reason(), Reason::kNone);
  std::swap(c.levels.qos[0], c.levels.qos[1]);  // OverPartQOS
  EXPECT_EQ(c.reason(), Reason::kQOSMaxWallDurationPerJobLimit);
}

TEST(Limits, GroupLimitsHoldAtEveryLevel) {
  Case c;
  c.user().grp_tres = only(kCpu, 8);
  c.root().grp_tres = only(kCpu, 2);
  c.run(c.asked);
  c.run(c.asked);
  EXPECT_EQ(c.reason(), Reason::kAssocGrpCpuLimit);
}

TEST(Limits, AFactorOfTheQosStretchesWhatAssociationsAllow) {
  Case c;
  c.user().max_tres = only(kCpu, 2);
  c.user().max_wall = 60;
  c.asked[kCpu] = 4;
  EXPECT_EQ(c.reason(), Reason::kAssocMaxCpuPerJobLimit);
  c.levels.limit_factor = 2;
  EXPECT_EQ(c.reason(), Reason::kNone);
  c.minutes = 61;  // not the time
  EXPECT_EQ(c.reason(), Reason::kAssocMaxWallDurationPerJobLimit);
}

TEST(Limits, SubmittedJobsAreCountedWithTheTasksOfArrays) {
  Case user, qos;
  user.user().max_submit = qos.qos().max_submit = 10;
  EXPECT_EQ(user.submit(7, 3), Reason::kNone);
  EXPECT_EQ(user.submit(7, 4), Reason::kAssocMaxSubmitJobLimit);
  EXPECT_EQ(qos.submit(7, 4), Reason::kQOSMaxSubmitJobPerUserLimit);
  Case group;
  group.root().grp_submit = 10;
  EXPECT_EQ(group.submit(10), Reason::kAssocGrpSubmitJobsLimit);
  group.qos().max_submit_per_account = 5;
  EXPECT_EQ(group.submit(10), Reason::kMaxSubmitJobsPerAccount);
}

TEST(Limits, OnlyAQosThatDeniesRefusesLargeJobs) {
  Case c;
  c.user().max_tres = only(kCpu, 2);
  c.qos().max_wall = 30;
  c.asked[kCpu] = 3;
  EXPECT_EQ(c.submit(), Reason::kNone);
  c.levels.denies = true;
  EXPECT_EQ(c.submit(), Reason::kQOSMaxWallDurationPerJobLimit);
  c.minutes = 30;
  EXPECT_EQ(c.submit(), Reason::kAssocMaxCpuPerJobLimit);
}

TEST(Limits, NobodysJobsWait) {
  const TresAmounts nothing;
  EXPECT_EQ(limit_reason(nobodys_limits(), {&nothing, 1, nullptr}, {}, false),
            Reason::kInvalidAccount);
}

TEST(Limits, NumbersTooLargeToMultiplyAreTooLarge) {
  Case c;
  c.qos().max_tres_mins = only(kCpu, UINT64_MAX - 1);
  c.asked[kCpu] = UINT64_MAX / 2;
  EXPECT_EQ(c.reason(), Reason::kQOSMaxCpuMinutesPerJobLimit);
}

TEST(TresReason, EveryFamilyHasItsOwn) {
  EXPECT_EQ(tres_reason(TresLimit::kAssocGrp, tres_family("gres/gpu:a100")), Reason::kAssocGrpGRES);
  EXPECT_EQ(tres_reason(TresLimit::kQosMaxPerUser, tres_family("mem")),
            Reason::kQOSMaxMemoryPerUser);
  EXPECT_EQ(tres_reason(TresLimit::kQosGrp, tres_family("license/matlab")), Reason::kQOSGrpLicense);
  EXPECT_EQ(tres_reason(TresLimit::kAssocMaxMinutesPerJob, tres_family("billing")),
            Reason::kAssocMaxBillingMinutesPerJob);
  EXPECT_EQ(tres_reason(TresLimit::kQosMin, tres_family("fs/disk")), Reason::kQOSMinUnknown);
}

TEST(Limits, WhatAnOperatorHasSetIsNotMeasured) {
  Case time, cpus, memory;
  time.user().max_wall = time.qos().max_wall = 30;
  cpus.account().grp_tres = cpus.qos().max_tres_per_user = only(kCpu, 0);
  memory.qos().min_tres = only(kMem, 200);
  EXPECT_EQ(time.reason(), Reason::kQOSMaxWallDurationPerJobLimit);
  EXPECT_EQ(cpus.reason(), Reason::kQOSMaxCpuPerUserLimit);
  EXPECT_EQ(memory.reason(), Reason::kQOSMinMemory);
  for (Case* c : {&time, &cpus, &memory}) {
    c->levels.lifted = {c == &time, c == &cpus, c == &memory};
    EXPECT_EQ(c->reason(), Reason::kNone);
  }
  // Minutes are lifted with the CPUs, not with the time.
  cpus.user().max_tres_mins = time.user().max_tres_mins = only(kCpu, 10);
  EXPECT_EQ(cpus.reason(), Reason::kNone);
  EXPECT_EQ(time.reason(), Reason::kAssocMaxCpuMinutesPerJobLimit);
}

TEST(Limits, MinutesCountWithTheUsageFactorWhereItIsSafe) {
  Case c;
  c.safe = true;
  c.qos().grp_tres_mins = only(kCpu, 100);
  const auto reason = [&] {
    LimitChain chain = c.chain();
    chain.minutes_factor = 2;
    return limit_reason(chain, {&c.asked, c.minutes, nullptr}, c.in_use, true);
  };
  c.minutes = 50;
  EXPECT_EQ(reason(), Reason::kNone);
  c.minutes = 51;
  EXPECT_EQ(reason(), Reason::kQOSGrpCPUMinutesLimit);
  EXPECT_EQ(c.reason(), Reason::kNone);
  // So do those of running jobs.
  LimitChain chain = c.chain();
  chain.run_factor = 2;
  c.in_use.add_running(chain, {&c.asked, 0, nullptr}, 30 * 60);
  EXPECT_EQ(c.in_use.run_minutes(3, kCpu), 60u);
  c.in_use.remove_running(chain, {&c.asked, 0, nullptr}, 30 * 60);
  EXPECT_EQ(c.in_use.run_minutes(3, kCpu), 0u);
}

}  // namespace
}  // namespace grappe::sched
