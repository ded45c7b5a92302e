#include "cli/sbatch/submit.h"

#include <gtest/gtest.h>

#include <deque>

#include "model/job_state.h"
#include "model/slurm_error.h"

namespace grappe {
namespace {

// Answers in order; what it was asked is kept.
class FakeService final : public Calls {
 public:
  Status exchange(const std::string& method, const google::protobuf::MessageLite& request,
                  google::protobuf::MessageLite& response, std::chrono::milliseconds) override {
    asked.push_back(method);
    bodies.push_back(request.SerializeAsString());
    if (answers.empty()) return fail(kErrGeneric, "no answer left");
    auto answer = answers.front();
    answers.pop_front();
    if (!answer) return tl::unexpected<Error>(answer.error());
    response.ParseFromString(*answer);
    return {};
  }

  std::deque<Result<std::string>> answers;
  std::vector<std::string> asked;
  std::vector<std::string> bodies;
};

v1::SubmitResponse accepted(uint32_t id) {
  v1::SubmitResponse answer;
  answer.set_job_id(id);
  return answer;
}

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome submit(FakeService& service, const JobOptions& options) {
  v1::SubmitRequest request;
  request.set_test_only(options.test_only);
  Report report("sbatch");
  report.verbosity = options.quiet ? -1 : 0;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome o;
  o.code = submit_batch_job(request, options, service, report, 1);
  o.out = testing::internal::GetCapturedStdout();
  o.err = testing::internal::GetCapturedStderr();
  return o;
}

TEST(Submit, SaysTheNumberInEveryForm) {
  JobOptions plain(kSbatch), parsable(kSbatch), quiet(kSbatch), named(kSbatch);
  parsable.parsable = true;
  quiet.quiet = true;
  named.spec.set_clusters("peer");
  auto out = [](const JobOptions& options) {
    FakeService service;
    service.answers.push_back(accepted(12).SerializeAsString());
    return submit(service, options).out;
  };
  EXPECT_EQ(out(plain), "Submitted batch job 12\n");
  EXPECT_EQ(out(parsable), "12\n");
  EXPECT_EQ(out(quiet), "");
  EXPECT_EQ(out(named), "Submitted batch job 12 on cluster peer\n");
  named.parsable = true;
  EXPECT_EQ(out(named), "12;peer\n");
}

TEST(Submit, PrintsARefusalWithItsNotes) {
  FakeService service;
  service.answers.push_back(tl::unexpected<Error>(Error{kErrInvalidPartition,
                                                        "Invalid partition name specified",
                                                        {"invalid partition specified: nosuch"}}));
  Outcome o = submit(service, JobOptions(kSbatch));
  EXPECT_EQ(o.code, 1);
  EXPECT_EQ(o.err,
            "sbatch: error: invalid partition specified: nosuch\n"
            "sbatch: error: Batch job submission failed: Invalid partition name specified\n");
}

TEST(Submit, SaysInOneLineThatTheServiceIsDown) {
  FakeService service;
  service.answers.push_back(
      tl::unexpected<Error>(Error{kErrContactConnect, "start it with ./run", {}}));
  Outcome o = submit(service, JobOptions(kSbatch));
  EXPECT_EQ(o.code, 1);
  EXPECT_EQ(o.err, "sbatch: error: Batch job submission failed: start it with ./run\n");
}

TEST(Submit, TestOnlySaysWhenAndWhere) {
  JobOptions options(kSbatch);
  options.test_only = true;
  FakeService service;
  v1::SubmitResponse answer = accepted(9);
  answer.set_start_time(1'700'000'000);
  answer.set_cpus(2);
  answer.set_nodes("node[1-2]");
  answer.set_partition("batch");
  service.answers.push_back(answer.SerializeAsString());
  std::string err = submit(service, options).err;
  EXPECT_TRUE(err.starts_with("sbatch: Job 9 to start at 2023-11-1")) << err;
  EXPECT_TRUE(err.ends_with(" using 2 processors on nodes node[1-2] in partition batch\n")) << err;

  service.answers.push_back(
      tl::unexpected<Error>(Error{kErrInvalidQos, "Invalid qos specification", {}}));
  EXPECT_EQ(submit(service, options).err, "allocation failure: Invalid qos specification\n");
}

TEST(Submit, WaitsForTheLastTaskAndExitsWithTheHighestCode) {
  FakeService service;
  v1::ListJobsResponse running, ended;
  for (uint32_t status : {3u << 8, 1u << 8}) {
    v1::JobInfo* job = ended.add_jobs();
    job->set_job_id(6 + status / 256);
    job->set_state(static_cast<uint32_t>(JobState::kFailed));
    job->set_exit_code(status);
  }
  running = ended;
  running.mutable_jobs(1)->set_state(static_cast<uint32_t>(JobState::kRunning));
  running.mutable_jobs(1)->clear_exit_code();
  for (const auto& list : {running, ended}) {
    service.answers.push_back(v1::WaitResponse().SerializeAsString());
    service.answers.push_back(list.SerializeAsString());
  }
  EXPECT_EQ(wait_for_job(7, service, Report("sbatch"), 1), 3);
  EXPECT_EQ(service.asked,
            (std::vector<std::string>{"Jobs/Wait", "Jobs/List", "Jobs/Wait", "Jobs/List"}));
}

TEST(Submit, CountsASignalAsOne) {
  FakeService service;
  v1::ListJobsResponse ended;
  v1::JobInfo* job = ended.add_jobs();
  job->set_state(static_cast<uint32_t>(JobState::kCancelled));
  job->set_exit_code(15);
  service.answers.push_back(v1::WaitResponse().SerializeAsString());
  service.answers.push_back(ended.SerializeAsString());
  EXPECT_EQ(wait_for_job(7, service, Report("sbatch"), 1), 1);
}

}  // namespace
}  // namespace grappe
