#include "embedded/history.h"

#include <gtest/gtest.h>

#include "store/memory/memory_store.h"

namespace grappe::embedded {
namespace {

// A job that could run at 100, ran from 200 to 300 and was then completed.
Job completed() {
  Job job;
  job.submit_time = 90;
  job.eligible_time = 100;
  job.start_time = 200;
  job.end_time = 300;
  job.allocation.resize(1);
  job.state = static_cast<uint32_t>(JobState::kCompleted);
  return job;
}

bool shown(const Job& job, int64_t start, int64_t end, std::optional<JobState> state = {}) {
  v1::HistoryRequest request;
  request.set_start_time(start);
  request.set_end_time(end);
  if (state) request.add_states(static_cast<uint32_t>(*state));
  return in_window(job, request);
}

TEST(History, ShowsWhatLivedInTheWindow) {
  EXPECT_TRUE(shown(completed(), 0, 1000));
  EXPECT_TRUE(shown(completed(), 150, 160));
  EXPECT_TRUE(shown(completed(), 300, 400));
  EXPECT_FALSE(shown(completed(), 301, 400));
  EXPECT_FALSE(shown(completed(), 0, 100));
  EXPECT_TRUE(shown(completed(), 0, 101));
}

TEST(History, ShowsWhatWasInTheStateInTheWindow) {
  EXPECT_TRUE(shown(completed(), 150, 160, JobState::kPending));
  EXPECT_FALSE(shown(completed(), 0, 100, JobState::kPending));
  EXPECT_FALSE(shown(completed(), 200, 250, JobState::kPending));
  EXPECT_TRUE(shown(completed(), 201, 250, JobState::kRunning));
  EXPECT_FALSE(shown(completed(), 0, 200, JobState::kRunning));
  EXPECT_TRUE(shown(completed(), 0, 201, JobState::kRunning));
  EXPECT_TRUE(shown(completed(), 299, 300, JobState::kRunning));
  EXPECT_FALSE(shown(completed(), 300, 400, JobState::kRunning));
  EXPECT_TRUE(shown(completed(), 250, 300, JobState::kCompleted));
  EXPECT_FALSE(shown(completed(), 0, 299, JobState::kCompleted));
  EXPECT_FALSE(shown(completed(), 0, 1000, JobState::kFailed));
}

TEST(History, AJobThatNeverWasEligibleIsShownToWhoAsksForIt) {
  Job held;
  held.submit_time = 90;
  v1::HistoryRequest request;
  request.set_end_time(1000);
  EXPECT_FALSE(in_window(held, request));
  request.add_jobs()->set_job_id(7);
  EXPECT_TRUE(in_window(held, request));
}

TEST(History, AJobThatWasCancelledUnstartedNeverRan) {
  Job job = completed();
  job.allocation.clear();
  job.state = static_cast<uint32_t>(JobState::kCancelled);
  EXPECT_FALSE(shown(job, 0, 1000, JobState::kRunning));
  EXPECT_TRUE(shown(job, 0, 1000, JobState::kCancelled));
}

TEST(History, WhereJobsArePrivateNobodySeesAnothersByItsNumber) {
  MemoryStore store;
  auto job = std::make_shared<Job>(completed());
  job->id = 7;
  job->uid = 1001;
  job->spec = std::make_shared<const v1::JobSpec>();
  job->partitions = {"batch"};
  ASSERT_TRUE(store.commit({.jobs = {job}}));
  v1::HistoryRequest request;
  request.add_jobs()->set_job_id(7);
  request.set_end_time(1000);
  EXPECT_EQ(history_of(store, {}, request, 1000, uid_t{1001})->jobs, 1u);
  EXPECT_EQ(history_of(store, {}, request, 1000, uid_t{1002})->jobs, 0u);
  request.clear_jobs();
  EXPECT_EQ(history_of(store, {}, request, 1000, uid_t{1002})->jobs, 0u);
}

}  // namespace
}  // namespace grappe::embedded
