// The engine with its threads: what the other tests of this folder do without them.
#include "embedded/embedded_engine.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "embedded/testing/engine_fixture.h"

namespace grappe::embedded {
namespace {

class EngineThreads : public ::testing::Test {
 protected:
  EngineThreads() {
    auto opened = EmbeddedEngine::open({.store = store_,
                                        .executor = executor_,
                                        .site = {},
                                        .cluster = four_nodes(),
                                        .now_ms = [] { return int64_t{1'800'000'000'000}; },
                                        .reload = {},
                                        .show_config = {}});
    engine_ = std::move(opened.value());
    engine_->start();
  }
  ~EngineThreads() override { engine_->stop(); }

  // The answer, whatever thread gives it.
  template <class T, class Call>
  static Result<T> answer_of(Call call) {
    std::promise<Result<T>> promise;
    auto answer = promise.get_future();
    call([&](Result<T> result) { promise.set_value(std::move(result)); });
    return answer.get();
  }

  void submit(const JobWish& wish) {
    v1::SubmitRequest request;
    *request.mutable_spec() = wish.spec();
    request.set_script("#!/bin/sh\n");
    ASSERT_TRUE(answer_of<v1::SubmitResponse>(
        [&](auto reply) { engine_->submit(alice_, request, std::move(reply)); }));
  }

  void submit_held(int count) {
    JobWish wish;
    wish.spec().set_hold(true);
    for (int i = 0; i < count; ++i) submit(wish);
  }

  std::string reason_of(size_t index) {
    auto listing = answer_of<JobListing>(
        [&](auto reply) { engine_->list_jobs(alice_, v1::ListJobsRequest(), std::move(reply)); });
    v1::JobInfo job;
    listing.value().fill(index, job);
    return job.reason();
  }

  const Caller alice_{1001, 1001, "1001", false};
  MemoryStore store_;
  exec::FakeExecutor executor_;
  std::unique_ptr<EmbeddedEngine> engine_;
};

TEST_F(EngineThreads, ALongListIsReadWhileItsJobsChange) {
  constexpr int kJobs = 200;
  submit_held(kJobs);
  std::atomic<bool> done = false;
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      v1::ListJobsRequest request;
      request.set_view(v1::ListJobsRequest::FULL);
      while (!done) {
        auto listing = answer_of<JobListing>(
            [&](auto reply) { engine_->list_jobs(alice_, request, std::move(reply)); });
        ASSERT_TRUE(listing);
        ASSERT_EQ(listing->jobs, size_t{kJobs});
        v1::JobInfo job;
        for (size_t index = 0; index < listing->jobs; ++index) {
          job.Clear();
          listing->fill(index, job);
          EXPECT_EQ(job.job_id(), index + 1);
        }
      }
    });
  }
  for (uint32_t round = 0; round < 5 * kJobs; ++round) {
    v1::UpdateJobRequest request;
    request.set_job_id(std::to_string(round % kJobs + 1));
    request.mutable_set()->set_time_limit(10 + round);
    auto answer = answer_of<v1::JobsChanged>(
        [&](auto reply) { engine_->update_job(alice_, request, std::move(reply)); });
    ASSERT_TRUE(answer);
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
}

// It is answered before the plan is made.
TEST_F(EngineThreads, ASubmissionToAQueueThatStandsStillIsPlannedToo) {
  executor_.ready();
  submit(JobWish().nodes(4).exclusive());
  for (size_t waiting = 1; waiting <= 50; ++waiting) {
    submit(JobWish().nodes(4).exclusive());
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (reason_of(waiting) != (waiting == 1 ? "Resources" : "Priority")) {
      ASSERT_LT(std::chrono::steady_clock::now(), until) << reason_of(waiting);
    }
  }
}

}  // namespace
}  // namespace grappe::embedded
