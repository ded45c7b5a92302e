#include "sched/gate.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

class Gate : public ::testing::Test {
 protected:
  Gate() { c.nodes(3, node(4)); }
  Reason check(const JobSpec& spec) {
    return gate(c.snapshot, c.job(1, spec), c.snapshot.partitions[0]);
  }

  Cluster c;
};

TEST_F(Gate, APartitionThatIsDownOrInactiveStartsNothing) {
  EXPECT_EQ(check(tasks(1)), Reason::kNone);
  c.snapshot.partitions[0].up = false;
  EXPECT_EQ(check(tasks(1)), Reason::kPartitionDown);
  c.snapshot.partitions[0].inactive = true;
  EXPECT_EQ(check(tasks(1)), Reason::kPartitionInactive);
}

TEST_F(Gate, ALimitBeyondThePartitionsWaits) {
  c.snapshot.partitions[0].max_time = hours(2);
  EXPECT_EQ(check(tasks(1).time(hours(2))), Reason::kNone);
  EXPECT_EQ(check(tasks(1).time(hours(3))), Reason::kPartitionTimeLimit);
  EXPECT_EQ(check(tasks(1).time(hours(3), hours(1))), Reason::kNone);
}

TEST_F(Gate, MoreMemoryOnANodeThanThePartitionGivesWaits) {
  c.snapshot.partitions[0].max_memory_mb = 4000;
  auto reason = [&](auto change) {
    PendingJob job = c.job(1, tasks(1));
    Shape shape = *job.shape;
    shape.all_memory = false;
    change(shape);
    job.shape = &shape;
    return gate(c.snapshot, job, c.snapshot.partitions[0]);
  };
  EXPECT_EQ(reason([](Shape& s) { s.mem_per_node_mb = 4000; }), Reason::kNone);
  EXPECT_EQ(reason([](Shape& s) { s.mem_per_node_mb = 4001; }), Reason::kMaxMemPerLimit);
  EXPECT_EQ(reason([](Shape& s) { s.all_memory = true; }), Reason::kMaxMemPerLimit);
  EXPECT_EQ(reason([](Shape& s) {
              s.mem_per_cpu_mb = 1001;
              s.min_cpus_per_node = 4;
            }),
            Reason::kMaxMemPerLimit);
}

TEST_F(Gate, ADeadlineThatCannotBeMet) {
  EXPECT_EQ(check(tasks(1).time(60).deadline(kNow + 60)), Reason::kNone);
  EXPECT_EQ(check(tasks(1).time(61).deadline(kNow + 60)), Reason::kDeadLine);
  EXPECT_EQ(check(tasks(1).time(hours(1), 60).deadline(kNow + 60)), Reason::kNone);
  EXPECT_EQ(check(tasks(1).time(kForever).deadline(kNow + 60)), Reason::kDeadLine);
}

TEST_F(Gate, AReservationMustHaveBegunAndNotEnded) {
  Reservation& r = c.reserve({0}, kNow, kNow + 100);
  EXPECT_EQ(check(tasks(1).reservation(0)), Reason::kNone);
  EXPECT_EQ(check(tasks(1).time(hours(9)).reservation(0)), Reason::kNone);
  r.start = kNow + 1;
  EXPECT_EQ(check(tasks(1).reservation(0)), Reason::kReservation);
  r.flexible = true;
  EXPECT_EQ(check(tasks(1).reservation(0)), Reason::kNone);
  r.end = kNow;
  EXPECT_EQ(check(tasks(1).reservation(0)), Reason::kReservation);
  EXPECT_EQ(check(tasks(1).reservation(7)), Reason::kReservationDeleted);
}

TEST_F(Gate, TheLongestRunIsCutByPartitionAndDeadline) {
  Partition& p = c.snapshot.partitions[0];
  EXPECT_EQ(longest_run(c.job(1, tasks(1).time(500)), p, kNow), 500);
  p.max_time = 400;
  EXPECT_EQ(longest_run(c.job(2, tasks(1).time(500, 10)), p, kNow), 400);
  JobSpec hurried = tasks(1).time(500, 10).deadline(kNow + 300);
  EXPECT_EQ(longest_run(c.job(3, hurried), p, kNow), 300);
}

TEST_F(Gate, OnlyFinalReasonsAreHard) {
  EXPECT_TRUE(is_hard(Reason::kBadConstraints));
  EXPECT_TRUE(is_hard(Reason::kPartitionTimeLimit));
  EXPECT_FALSE(is_hard(Reason::kPriority));
  EXPECT_FALSE(is_hard(Reason::kLicenses));
}

TEST_F(Gate, NamesTheNodes) {
  EXPECT_EQ(unavailable_text(c.snapshot, bits({0, 1})), "ReqNodeNotAvail, UnavailableNodes:n[1-2]");
}

TEST_F(Gate, AQosMayLetAJobRunLongerThanItsPartition) {
  c.snapshot.partitions[0].max_time = hours(2);
  JobSpec longer = tasks(1).time(hours(3));
  longer.job.own_time = true;
  EXPECT_EQ(check(longer), Reason::kNone);
}

}  // namespace
}  // namespace grappe::sched::testing
