// Which reason is shown when: as Slurm 22.05 shows it.
#include <gtest/gtest.h>

#include "sched/gate.h"
#include "sched/plan.h"
#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

class Reasons : public ::testing::Test {
 protected:
  Reasons() { c.nodes(4, node(8)); }
  void drain(std::initializer_list<uint32_t> nodes) {
    for (uint32_t n : nodes) {
      c.snapshot.nodes[n].available = false;
      c.snapshot.nodes[n].drained = true;
    }
  }
  // The text that squeue shows.
  std::string shown(const Plan& p, uint64_t tag) {
    const Waiting* w = waiting(p, tag);
    if (!w) return "";
    return w->detail.empty() ? std::string(reason_name(w->reason)) : w->detail;
  }

  Cluster c;
};

TEST_F(Reasons, ARequiredNodeThatIsDrainedIsNamed) {
  drain({1});
  c.job(1, tasks(1).on({1}));
  c.job(2, job().nodes(2).on({1, 2}));
  Plan p = c.plan();
  EXPECT_EQ(shown(p, 1), "ReqNodeNotAvail, UnavailableNodes:n2");
  EXPECT_EQ(shown(p, 2), "ReqNodeNotAvail, UnavailableNodes:n2");
  EXPECT_EQ(waiting(p, 1)->reason, Reason::kReqNodeNotAvail);
}

TEST_F(Reasons, OfJobsThatNeedDrainedNodesTheFirstIsToldSoInGeneral) {
  drain({1});
  c.job(1, job().nodes(4));
  c.job(2, tasks(32));
  Plan p = c.plan();
  EXPECT_EQ(shown(p, 1), kNodesDownText);
  EXPECT_EQ(waiting(p, 1)->reason, Reason::kResources);
  EXPECT_EQ(shown(p, 2), "ReqNodeNotAvail, UnavailableNodes:n2");
}

TEST_F(Reasons, WhenAllNodesAreDrainedNothingStarts) {
  drain({0, 1, 2, 3});
  c.job(1, tasks(1));
  c.job(2, job().nodes(2));
  Plan p = c.plan();
  EXPECT_EQ(shown(p, 1), kNodesDownText);
  EXPECT_EQ(shown(p, 2), "ReqNodeNotAvail, UnavailableNodes:n[1-4]");
}

TEST_F(Reasons, AJobThatNeedsDrainedNodesBlocksNobody) {
  drain({1});
  c.job(1, job().nodes(4));
  c.job(2, tasks(8));
  c.job(3, tasks(16).time(hours(2)));
  c.job(4, tasks(1));
  Plan p = c.plan();
  EXPECT_NE(where(p, 2), "");
  EXPECT_NE(where(p, 3), "");
  EXPECT_EQ(shown(p, 4), "Resources");
}

TEST_F(Reasons, LackOfLicencesBlocksNobody) {
  uint32_t matlab = c.license("matlab", 3, 2);
  c.job(1, tasks(1).license(matlab, 2));
  c.job(2, tasks(1).license(matlab, 1));
  c.job(3, tasks(1));
  Plan p = c.plan();
  EXPECT_EQ(shown(p, 1), "Licenses");
  EXPECT_NE(where(p, 2), "");
  EXPECT_NE(where(p, 3), "");
}

TEST_F(Reasons, LicencesOfRunningJobsComeBack) {
  uint32_t matlab = c.license("matlab", 3, 2);
  c.running(0, 1, kNow + 500).licenses = {{matlab, 2}};
  c.job(1, tasks(1).license(matlab, 2));
  EXPECT_EQ(why(c.plan(), 1), "Licenses@1500");
}

TEST_F(Reasons, AReservationNotYetBegunIsWaitedFor) {
  c.reserve({0}, kNow + 60, kNow + 3660);
  c.job(1, tasks(1).reservation(0));
  EXPECT_EQ(shown(c.plan(), 1), "Reservation");
}

TEST_F(Reasons, ANamedNodeThatIsReservedIsSaidToBe) {
  c.reserve({0}, kNow + 60, kNow + 3660);
  c.job(1, tasks(1).on({0}).time(minutes(30)));
  c.job(2, tasks(1).time(minutes(30)));
  c.job(3, tasks(1).on({0}).time(60));
  Plan p = c.plan();
  EXPECT_EQ(shown(p, 1), kReservedText);
  EXPECT_EQ(waiting(p, 1)->reason, Reason::kReqNodeNotAvail);
  EXPECT_EQ(waiting(p, 1)->expected_start, kNow + 3660);
  EXPECT_EQ(where(p, 2), "n2:1");
  EXPECT_EQ(where(p, 3), "n1:1");
}

TEST_F(Reasons, AJobThatNeedsReservedNodesIsToldSoInGeneral) {
  c.reserve({0}, kNow + 60, kNow + 3660);
  c.job(1, job().nodes(4).time(minutes(30)));
  EXPECT_EQ(shown(c.plan(), 1), kNodesDownText);
}

TEST_F(Reasons, MembersUseOnlyTheirReservation) {
  c.reserve({1}, kNow - 60, kNow + 3660);
  c.job(1, tasks(1).reservation(0).time(hours(5)));
  c.job(2, tasks(9).reservation(0));
  Plan p = c.plan();
  EXPECT_EQ(where(p, 1), "n2:1");
  EXPECT_EQ(where(p, 2), "");
}

TEST_F(Reasons, FlexibleReservationsReachOutside) {
  c.reserve({1}, kNow - 60, kNow + 3660).flexible = true;
  c.job(1, tasks(9).reservation(0));
  EXPECT_NE(where(c.plan(), 1), "");
}

TEST_F(Reasons, ReservedCoresLeaveTheOthersOfANodeFree) {
  c.reserve({0}, kNow - 60, kNow + 3660).cpus_per_node = {6};
  c.job(1, tasks(2).on({0}));
  c.job(2, tasks(1).on({0}));
  c.job(3, tasks(6).reservation(0));
  c.job(4, tasks(1).reservation(0));
  Plan p = c.plan();
  EXPECT_EQ(where(p, 1), "n1:2");
  EXPECT_EQ(where(p, 2), "");
  EXPECT_EQ(where(p, 3), "n1:6");
  EXPECT_EQ(where(p, 4), "");
}

TEST_F(Reasons, RunningMembersCountAgainstTheirReservation) {
  c.reserve({0}, kNow - 60, kNow + 3660).cpus_per_node = {4};
  c.running(0, 4, kNow + 600).reservation = 0;
  c.job(1, tasks(4).on({0}).time(60));
  EXPECT_EQ(where(c.plan(), 1), "n1:4");
}

TEST_F(Reasons, InTheSecondPartitionNodesMayBeWantedByTheFirst) {
  c.partition({0, 1, 2, 3});
  c.partition({0, 1, 2, 3});
  for (NodeIndex n = 0; n < 4; ++n) c.running(n, 8, kNow + hours(1));
  c.job(1, tasks(8).in({0}));
  c.job(2, tasks(1).in({0}));
  c.job(3, tasks(1).in({1}));
  Plan p = c.plan();
  EXPECT_EQ(shown(p, 1), "Resources");
  EXPECT_EQ(shown(p, 2), "Priority");
  EXPECT_EQ(shown(p, 3), kNodesDownText);
}

TEST_F(Reasons, AFinalReasonOfOnePartitionGivesWayToHopeInAnother) {
  c.partition({0});
  c.partition({1, 2});
  c.running(1, 8, kNow + 60);
  c.running(2, 8, kNow + 60);
  c.job(1, tasks(9).in({0, 1}));
  EXPECT_EQ(why(c.plan(), 1), "Resources@1060");
}

TEST_F(Reasons, OfSeveralPartitionsTheOneLookedAtLastTells) {
  c.partition({0, 1, 2, 3});
  c.partition({1}).up = false;
  c.partition({2}).max_time = 60;
  for (NodeIndex n = 0; n < 4; ++n) c.running(n, 8, kNow + hours(1));
  c.job(1, tasks(1).in({1, 0}));                 // Down, then Resources
  c.job(2, tasks(1).in({0, 1}));                 // Priority, then Down
  c.job(3, tasks(1).time(hours(1)).in({0, 2}));  // Priority says more than a limit of time
  Plan plan = c.plan();
  EXPECT_EQ(shown(plan, 1), "Resources");
  EXPECT_EQ(shown(plan, 2), "PartitionDown");
  EXPECT_EQ(shown(plan, 3), "Priority");
}

TEST_F(Reasons, LimitsOfThePartitionAreNamed) {
  Partition& p = c.snapshot.partitions[0];
  p.max_nodes = 2;
  p.max_time = hours(2);
  c.job(1, job().nodes(3));
  c.job(2, tasks(1).time(hours(5)));
  c.job(3, tasks(40));
  c.job(4, tasks(1).mem(99999));
  Plan plan = c.plan();
  EXPECT_EQ(shown(plan, 1), "PartitionNodeLimit");
  EXPECT_EQ(shown(plan, 2), "PartitionTimeLimit");
  EXPECT_EQ(shown(plan, 3), "PartitionConfig");
  EXPECT_EQ(shown(plan, 4), "BadConstraints");
}

TEST_F(Reasons, AJobThatMustBeginBeforeItsDeadlineIsNotPlannedAfterIt) {
  for (NodeIndex n = 0; n < 4; ++n) c.running(n, 8, kNow + hours(1));
  c.job(1, tasks(1).time(60).deadline(kNow + minutes(30)));
  c.job(2, tasks(1).time(60).deadline(kNow + hours(2)));
  Plan p = c.plan();
  EXPECT_EQ(why(p, 1), "Resources");
  EXPECT_EQ(why(p, 2), "Priority@4600");
}

}  // namespace
}  // namespace grappe::sched::testing
