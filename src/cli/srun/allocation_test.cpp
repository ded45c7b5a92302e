#include "cli/srun/allocation.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "model/job_state.h"
#include "model/slurm_error.h"

namespace grappe {
namespace {

// Answers each method with what a function says.
class ScriptedCalls final : public Calls {
 public:
  using Answer = std::function<Status(google::protobuf::MessageLite&)>;
  std::map<std::string, Answer> answers;
  std::vector<std::string> asked;
  std::vector<uint32_t> waits;  // of Steps/Create, in milliseconds

  Status exchange(const std::string& method, const google::protobuf::MessageLite& request,
                  google::protobuf::MessageLite& response, std::chrono::milliseconds) override {
    Answer answer;
    {
      std::lock_guard lock(mutex_);
      asked.push_back(method);
      if (method == "Steps/Create") {
        waits.push_back(static_cast<const v1::CreateStepRequest&>(request).wait_ms());
      }
      answer = answers[method];
    }
    return answer ? answer(response) : Status();
  }

  void wait_until_asked(const std::string& method) {
    for (int attempt = 0; attempt < 4000; ++attempt) {
      {
        std::lock_guard lock(mutex_);
        if (std::find(asked.begin(), asked.end(), method) != asked.end()) return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ADD_FAILURE() << "nobody asked for " << method;
  }

 private:
  std::mutex mutex_;
};

class AllocationTest : public ::testing::Test {
 protected:
  AllocationTest() : allocator_({calls_, calls_}, signals_, report_, 1) {
    calls_.answers["Jobs/Submit"] = [](auto& response) {
      static_cast<v1::SubmitResponse&>(response).set_job_id(25);
      return Status();
    };
  }
  OrExit<v1::JobInfo> allocate(v1::SubmitRequest request = {}) {
    testing::internal::CaptureStderr();
    auto job = allocator_.allocate(request);
    said_ = testing::internal::GetCapturedStderr();
    return job;
  }

  ScriptedCalls calls_;
  Signals signals_;
  Report report_{"srun"};
  Allocator allocator_;
  std::string said_;
};

TEST_F(AllocationTest, SaysNothingOfOneThatIsThereAtOnce) {
  calls_.answers["Jobs/Submit"] = [](auto& response) {
    auto& answer = static_cast<v1::SubmitResponse&>(response);
    answer.set_started(true);
    answer.mutable_job()->set_job_id(25);
    return Status();
  };
  auto job = allocate();
  ASSERT_TRUE(job);
  EXPECT_EQ(job->job_id(), 25u);
  EXPECT_EQ(said_, "");
}

TEST_F(AllocationTest, WaitsForAQueuedJob) {
  calls_.answers["Jobs/Wait"] = [](auto& response) {
    auto& job = *static_cast<v1::WaitResponse&>(response).mutable_job();
    job.set_job_id(25);
    job.set_state(static_cast<uint32_t>(JobState::kRunning));
    return Status();
  };
  EXPECT_TRUE(allocate());
  EXPECT_EQ(said_,
            "srun: job 25 queued and waiting for resources\n"
            "srun: job 25 has been allocated resources\n");
}

TEST_F(AllocationTest, AnInterruptRevokesAQueuedJob) {
  calls_.answers["Jobs/Wait"] = [this](auto& response) {
    kill(getpid(), SIGINT);
    calls_.wait_until_asked("Jobs/Cancel");
    auto& job = *static_cast<v1::WaitResponse&>(response).mutable_job();
    job.set_state(static_cast<uint32_t>(JobState::kCancelled));
    return Status();
  };
  auto job = allocate();
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error(), 1);
  EXPECT_EQ(calls_.asked.back(), "Jobs/Cancel");
  EXPECT_EQ(said_,
            "srun: job 25 queued and waiting for resources\n"
            "srun: Job allocation 25 has been revoked\n"
            "srun: Force Terminated JobId=25\n");
}

TEST_F(AllocationTest, SaysThatSomeoneCancelledIt) {
  calls_.answers["Jobs/Wait"] = [](auto& response) {
    auto& job = *static_cast<v1::WaitResponse&>(response).mutable_job();
    job.set_state(static_cast<uint32_t>(JobState::kCancelled));
    return Status();
  };
  EXPECT_FALSE(allocate());
  EXPECT_EQ(said_,
            "srun: job 25 queued and waiting for resources\n"
            "srun: Job has been cancelled\n"
            "srun: error: Unable to allocate resources: Job/step already completing or "
            "completed\n");
}

TEST_F(AllocationTest, ImmediateGivesUp) {
  calls_.answers["Jobs/Wait"] = [](auto&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1300));
    return Status();
  };
  v1::SubmitRequest request;
  request.mutable_spec()->set_immediate_s(1);
  EXPECT_FALSE(allocate(request));
  EXPECT_EQ(said_,
            "srun: job 25 queued and waiting for resources\n"
            "srun: error: Unable to allocate resources: Requested nodes are busy\n");
}

TEST_F(AllocationTest, NamesAJobThatIsNotThere) {
  calls_.answers["Steps/Create"] = [](auto&) -> Status { return slurm_fail(kErrInvalidJobId); };
  v1::CreateStepRequest request;
  request.set_job_id(999999);
  testing::internal::CaptureStderr();
  EXPECT_FALSE(allocator_.create_step(request, std::nullopt));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "srun: error: Unable to confirm allocation for job 999999: Invalid job id specified\n"
            "srun: Check SLURM_JOB_ID environment variable. Expired or invalid job 999999\n");
}

TEST_F(AllocationTest, SaysNothingWhileTheStepBeforeMayStillBeGoing) {
  calls_.answers["Steps/Create"] = [](auto&) { return Status(); };
  v1::CreateStepRequest request;
  request.set_job_id(744);
  testing::internal::CaptureStderr();
  EXPECT_TRUE(allocator_.create_step(request, std::nullopt));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  ASSERT_EQ(calls_.waits.size(), 1u);
  EXPECT_GT(calls_.waits[0], 0u);
}

TEST_F(AllocationTest, WaitsWhileOtherStepsUseTheJob) {
  int asked = 0;
  calls_.answers["Steps/Create"] = [&](auto& response) {
    static_cast<v1::CreateStepResponse&>(response).set_busy(++asked < 3);
    return Status();
  };
  v1::CreateStepRequest request;
  request.set_job_id(744);
  testing::internal::CaptureStderr();
  EXPECT_TRUE(allocator_.create_step(request, std::nullopt));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "srun: Job 744 step creation temporarily disabled, retrying (Requested nodes are "
            "busy)\n"
            "srun: Step created for job 744\n");
}

}  // namespace
}  // namespace grappe
