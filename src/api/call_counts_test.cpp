#include "api/call_counts.h"

#include <gtest/gtest.h>

namespace grappe::api {
namespace {

constexpr SlurmMessage kPing{"REQUEST_PING", 1008};
constexpr SlurmMessage kJobs{"REQUEST_JOB_INFO", 2003};

TEST(CallCounts, AddUpByMessageAndByUser) {
  CallCounts counts;
  counts.add(kJobs, 0, 10);
  counts.add(kPing, 0, 1);
  counts.add(kJobs, 12345678, 30);
  v1::DiagResponse diag;
  counts.fill(diag);
  ASSERT_EQ(diag.by_call_size(), 2);
  EXPECT_EQ(diag.by_call(1).name(), "REQUEST_JOB_INFO");
  EXPECT_EQ(diag.by_call(1).id(), 2003u);
  EXPECT_EQ(diag.by_call(1).count(), 2u);
  EXPECT_EQ(diag.by_call(1).total_us(), 40u);
  ASSERT_EQ(diag.by_user_size(), 2);
  EXPECT_EQ(diag.by_user(0).name(), "root");
  EXPECT_EQ(diag.by_user(0).count(), 2u);
  EXPECT_EQ(diag.by_user(1).name(), "12345678") << "a user without a name";
}

TEST(CallCounts, AreZeroAfterAReset) {
  CallCounts counts;
  counts.add(kPing, 0, 1);
  counts.reset();
  v1::DiagResponse diag;
  counts.fill(diag);
  EXPECT_EQ(diag.by_call_size() + diag.by_user_size(), 0);
}

}  // namespace
}  // namespace grappe::api
