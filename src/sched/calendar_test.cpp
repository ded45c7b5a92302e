#include "sched/calendar.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

// A node of 8 cores, 32000 MB and 4 GPUs.
class CalendarTest : public ::testing::Test {
 protected:
  CalendarTest() {
    c.nodes(1, node(8).gpus(4));
    facts = facts_of(c.snapshot.nodes[0]);
  }
  Calendar calendar(bool users = false) { return {c.snapshot, 0, facts, users}; }
  // Cores, MB, GPUs; empty when the node is closed.
  std::vector<int64_t> free(const Calendar& cal, const Client& who, Time from, Time to) {
    std::vector<int64_t> out;
    Probe probe{{1, 0}};
    return cal.free(who, from, to, probe, out) ? out : std::vector<int64_t>{};
  }
  Booking book(Calendar& cal, const Client& who, const JobSpec& spec, uint32_t n, Time from,
               Time to) {
    Needs needs = needs_of(c.snapshot, spec.shape);
    Site site{&c.snapshot.nodes[0], &facts, &c.snapshot.partitions[who.partition]};
    Booking b = cal.booking(who, needs, piece_on(needs, site, 0, n, {}), from, to);
    cal.book(who, b, from, to);
    return b;
  }

  Cluster c;
  NodeFacts facts;
  Client anyone;
  using Free = std::vector<int64_t>;
};

TEST_F(CalendarTest, StartsWithWhatIsFree) {
  c.running(0, 2, kNow + 60, 1000, 1);
  EXPECT_EQ(free(calendar(), anyone, kNow, kNow + 1), (Free{6, 31000, 3}));
}

TEST_F(CalendarTest, ARunningJobGivesBackAtItsEnd) {
  RunningJob job = c.running(0, 2, kNow + 60, 1000, 1);
  Calendar cal = calendar();
  cal.running(c.snapshot.nodes[0], job, job.shares[0], kNow, job.end);
  EXPECT_EQ(free(cal, anyone, kNow + 59, kNow + 99), (Free{6, 31000, 3}));
  EXPECT_EQ(free(cal, anyone, kNow + 60, kNow + 99), (Free{8, 32000, 4}));
}

TEST_F(CalendarTest, ASuspendedJobHoldsMemoryAndDevicesOnly) {
  RunningJob job = c.running(0, 2, kNow + 60, 1000, 1);
  job.suspended = true;
  c.snapshot.nodes[0].used_cpus = {};
  Calendar cal = calendar();
  cal.running(c.snapshot.nodes[0], job, job.shares[0], kNow, job.end);
  EXPECT_EQ(free(cal, anyone, kNow, kNow + 1), (Free{8, 31000, 3}));
  EXPECT_EQ(free(cal, anyone, kNow + 60, kNow + 61), (Free{8, 32000, 4}));
}

TEST_F(CalendarTest, AnExclusiveJobHoldsEveryCore) {
  RunningJob job = c.running(0, 2, kNow + 60);
  job.exclusive = true;
  c.snapshot.nodes[0].exclusive = true;
  Calendar cal = calendar();
  cal.running(c.snapshot.nodes[0], job, job.shares[0], kNow, job.end);
  EXPECT_TRUE(free(cal, anyone, kNow, kNow + 1).empty());
  EXPECT_EQ(free(cal, anyone, kNow + 60, kNow + 61), (Free{8, 32000, 4}));
}

TEST_F(CalendarTest, ABookingTakesAndGivesBack) {
  Calendar cal = calendar();
  Booking b = book(cal, anyone, tasks(3).mem(500).gpus_per_node(2), 3, kNow + 10, kNow + 20);
  EXPECT_EQ(free(cal, anyone, kNow, kNow + 10), (Free{8, 32000, 4}));
  EXPECT_EQ(free(cal, anyone, kNow, kNow + 11), (Free{5, 31500, 2}));
  EXPECT_EQ(free(cal, anyone, kNow + 20, kNow + 30), (Free{8, 32000, 4}));
  cal.cancel(anyone, b, kNow + 10, kNow + 20);
  EXPECT_EQ(free(cal, anyone, kNow, kNow + 30), (Free{8, 32000, 4}));
}

TEST_F(CalendarTest, AWholeNodeBookingTakesAllDevices) {
  Calendar cal = calendar();
  book(cal, anyone, tasks(1).exclusive(), 1, kNow, kNow + 20);
  EXPECT_TRUE(free(cal, anyone, kNow, kNow + 1).empty());
  std::vector<int64_t> least;
  cal.lowest(0, kNow, kNow + 1, least);
  EXPECT_EQ(least, (Free{0, 32000, 0}));
}

TEST_F(CalendarTest, QuotasCountThePartitionsOwnJobs) {
  Partition limited = c.snapshot.partitions[0];
  limited.max_cpus_per_node = 3;
  c.snapshot.partitions.push_back(limited);
  Calendar cal = calendar();
  Client inside{1};
  EXPECT_EQ(free(cal, inside, kNow, kNow + 1)[0], 3);
  EXPECT_EQ(free(cal, anyone, kNow, kNow + 1)[0], 8);
  book(cal, inside, tasks(2), 2, kNow, kNow + 20);
  EXPECT_EQ(free(cal, inside, kNow, kNow + 1)[0], 1);
  EXPECT_EQ(free(cal, anyone, kNow, kNow + 1)[0], 6);
}

TEST_F(CalendarTest, AReservationClosesTheNodeToOthers) {
  Calendar cal = calendar();
  cal.close(0, kNow + 10, kNow + 20, 8, true);
  Client member{0, 0, 0};
  EXPECT_EQ(free(cal, anyone, kNow, kNow + 10)[0], 8);
  EXPECT_TRUE(free(cal, anyone, kNow, kNow + 11).empty());
  EXPECT_TRUE(free(cal, anyone, kNow + 19, kNow + 25).empty());
  EXPECT_EQ(free(cal, anyone, kNow + 20, kNow + 25)[0], 8);
  EXPECT_EQ(free(cal, member, kNow, kNow + 30)[0], 8);
  Client anyway = anyone;
  anyway.anyway = true;
  EXPECT_EQ(free(cal, anyway, kNow, kNow + 30)[0], 8);
}

TEST_F(CalendarTest, APartOfANodeIsHeldUntilMembersUseIt) {
  Calendar cal = calendar();
  cal.close(0, kNow, kNow + 100, 6, false);
  Client member{0, 0, 0};
  EXPECT_EQ(free(cal, anyone, kNow, kNow + 10)[0], 2);
  EXPECT_EQ(free(cal, member, kNow, kNow + 10)[0], 6);
  book(cal, member, tasks(4), 4, kNow, kNow + 10);
  EXPECT_EQ(free(cal, anyone, kNow, kNow + 10)[0], 2);
  EXPECT_EQ(free(cal, member, kNow, kNow + 10)[0], 2);
}

TEST_F(CalendarTest, UsersWhoWantToBeAloneKeepOthersOut) {
  Calendar cal = calendar(true);
  Client alice{0, 1}, bob{0, 2}, bob_alone{0, 2, UINT32_MAX, true};
  book(cal, alice, tasks(1), 1, kNow, kNow + 10);
  EXPECT_EQ(free(cal, bob, kNow, kNow + 5)[0], 7);
  EXPECT_TRUE(free(cal, bob_alone, kNow, kNow + 5).empty());
  EXPECT_EQ(free(cal, bob_alone, kNow + 10, kNow + 15)[0], 8);
  Booking b = book(cal, bob_alone, tasks(1), 1, kNow + 10, kNow + 20);
  EXPECT_TRUE(free(cal, alice, kNow + 5, kNow + 15).empty());
  EXPECT_EQ(free(cal, bob, kNow + 10, kNow + 15)[0], 7);
  cal.cancel(bob_alone, b, kNow + 10, kNow + 20);
  EXPECT_EQ(free(cal, alice, kNow + 5, kNow + 15)[0], 7);
}

}  // namespace
}  // namespace grappe::sched::testing
