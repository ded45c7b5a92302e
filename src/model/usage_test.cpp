#include "model/usage.h"

#include <gtest/gtest.h>

#include "model/node_state.h"
#include "model/reservation_flags.h"

namespace grappe {
namespace {

constexpr int64_t kHour = 3600;

NodeEvent cluster(uint64_t cpus) {
  NodeEvent event;
  event.tres = {{"cpu", cpus}};
  return event;
}

NodeEvent down(int64_t start, int64_t end, uint64_t cpus) {
  NodeEvent event;
  event.node = "n1";
  event.start = start;
  event.end = end;
  event.state = static_cast<uint32_t>(NodeBase::kDown);
  event.tres = {{"cpu", cpus}};
  return event;
}

UsageJob ran(int64_t start, int64_t end, uint64_t cpus) {
  UsageJob job;
  job.assoc_id = 7;
  job.user = "alice";
  job.eligible = job.start = start;
  job.end = end;
  job.asked_cpus = cpus;
  job.tres = {{"cpu", cpus}};
  return job;
}

TEST(Usage, OfAJobThatSpansHoursIsCountedToTheSecondInEach) {
  UsageSpans spans({0, kHour, 2 * kHour, 3 * kHour});
  spans.add(ran(kHour - 10, 2 * kHour + 1, 4));
  auto sums = spans.finish();
  EXPECT_EQ(sums[0].by_association[7]["cpu"], 40u);
  EXPECT_EQ(sums[1].by_association[7]["cpu"], 4u * 3600);
  EXPECT_EQ(sums[2].by_association[7]["cpu"], 4u);
}

TEST(Usage, OfARunningJobGoesToTheEndOfTheSpan) {
  UsageSpans spans({0, 100});
  spans.add(ran(30, 0, 2));
  EXPECT_EQ(spans.finish()[0].by_association[7]["cpu"], 140u);
}

TEST(Usage, OfAJobThatEndsBeforeItStartsIsNothing) {
  UsageSpans spans({0, kHour});
  spans.add(ran(100, 50, 2));
  EXPECT_TRUE(spans.finish()[0].by_association.empty());
}

TEST(Usage, DoesNotCountWhenAJobIsSuspendedAndCountsWhatItKept) {
  UsageSpans spans({0, kHour});
  UsageJob job = ran(10, 1000, 2);
  job.shares = {{1, 0, 10, {{"cpu", 4}}}, {1, 0, 110, {}}, {1, 0, 300, {{"cpu", 2}}}};
  spans.add(job);
  EXPECT_EQ(spans.finish()[0].by_association[7]["cpu"], 4u * 100 + 2u * 700);
}

TEST(Usage, CountsForAWorkloadKeyAndItsUser) {
  UsageSpans spans({0, kHour});
  UsageJob job = ran(20, 30, 1);
  job.wckey = "paper";
  spans.add(job);
  EXPECT_EQ((spans.finish()[0].by_wckey[{"paper", "alice"}]["cpu"]), 10u);
}

TEST(Usage, OfTheClusterAddsUpToWhatThereIs) {
  UsageSpans spans({0, kHour});
  spans.add(cluster(10));
  spans.add(down(600, 1200, 4));
  UsageJob job = ran(1000, 2000, 3);
  job.eligible = 400;
  spans.add(job);
  const ClusterUse use = spans.finish()[0].cluster["cpu"];
  EXPECT_EQ(use.amount, 10u);
  EXPECT_EQ(use.allocated, 3000u);
  EXPECT_EQ(use.down, 2400u);
  EXPECT_EQ(use.planned, 1800u);
  EXPECT_EQ(use.idle, 36000u - 3000 - 2400 - 1800);
  EXPECT_EQ(use.reported(), 36000u);
}

TEST(Usage, OfJobsThatWaitForMoreThanThereIsIsOvercommitted) {
  UsageSpans spans({0, kHour});
  spans.add(cluster(2));
  UsageJob waiting = ran(0, 0, 2);
  waiting.start = 0;
  waiting.eligible = 1;
  waiting.waiting = 3;
  spans.add(ran(1, 1801, 2));
  spans.add(waiting);
  const ClusterUse use = spans.finish()[0].cluster["cpu"];
  EXPECT_EQ(use.planned, 7200u - 3600);
  EXPECT_EQ(use.overcommitted, 3u * 2 * 3599 - 3600);
  EXPECT_EQ(use.idle, 0u);
}

TEST(Usage, ChangesWithWhatTheClusterHas) {
  UsageSpans spans({0, kHour});
  NodeEvent before = cluster(4), after = cluster(8);
  before.end = after.start = 600;
  spans.add(before);
  spans.add(after);
  const ClusterUse use = spans.finish()[0].cluster["cpu"];
  EXPECT_EQ(use.amount, 8u);
  EXPECT_EQ(use.idle, 4u * 600 + 8u * 3000);
}

TEST(Usage, OfAnIdleReservationIsSharedOutAmongItsUsers) {
  UsageSpans spans({0, kHour});
  spans.add(cluster(10));
  ReservationWindow window{1, "class", 0, 1000, 0, "n1", {{"cpu", 4}}, {7, 8}};
  spans.add(window);
  UsageJob inside = ran(100, 1100, 2);
  inside.reservations = "class";
  inside.tres["gres/gpu"] = 1;
  spans.add(inside);
  UsageSums sums = spans.finish()[0];
  const uint64_t idle = 4000 - 2 * 900;
  EXPECT_EQ(sums.by_association[7]["cpu"], 2000 + idle / 2);
  EXPECT_EQ(sums.by_association[8]["cpu"], idle / 2);
  // Within the reservation the job's CPUs are counted once; after it they are its own.
  EXPECT_EQ(sums.cluster["cpu"].allocated, 4000u + 2 * 100);
}

TEST(Usage, OfAMaintenanceIsDownAsPlannedAndOneThatIgnoresJobsCountsForNothing) {
  UsageSpans spans({0, kHour});
  spans.add(cluster(10));
  spans.add(ReservationWindow{1, "m", 0, 100, kResvMaint, "", {{"cpu", 10}}, {}});
  spans.add(
      ReservationWindow{2, "i", 200, 300, kResvMaint | kResvIgnoreJobs, "", {{"cpu", 10}}, {}});
  const ClusterUse use = spans.finish()[0].cluster["cpu"];
  EXPECT_EQ(use.planned_down, 1000u);
  EXPECT_EQ(use.idle, 35000u);
}

TEST(Usage, ReadsBackWhatItWrites) {
  const TresCounts counts{{"cpu", 8}, {"gres/gpu:a100", 2}, {"mem", 1000}};
  EXPECT_EQ(format_tres_counts(counts), "cpu=8,gres/gpu:a100=2,mem=1000");
  EXPECT_EQ(parse_tres_counts(format_tres_counts(counts)), counts);
}

}  // namespace
}  // namespace grappe
