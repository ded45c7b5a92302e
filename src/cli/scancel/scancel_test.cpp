#include <gtest/gtest.h>

#include <csignal>
#include <sstream>

#include "cli/fake_calls.h"
#include "cli/scancel/cancel.h"

namespace grappe {
namespace {

struct Said {
  std::string out;
  std::string err;
  int exit_code = 0;
};

class Scancel : public testing::Test {
 protected:
  Said run(std::vector<std::string> words, const std::string& typed = "") {
    words.insert(words.begin(), "scancel");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    ScancelOptions options;
    Said said;
    auto code = read_scancel_options(static_cast<int>(words.size()), argv.data(), options);
    std::istringstream answers(typed);
    said.exit_code = code ? *code : cancel_jobs(calls, options, answers);
    said.out = testing::internal::GetCapturedStdout();
    said.err = testing::internal::GetCapturedStderr();
    return said;
  }

  void outcome(const std::string& job, int error) {
    v1::CancelResponse response;
    v1::JobOutcome& one = *response.add_outcomes();
    one.set_job_id(job);
    one.set_error(error);
    one.mutable_job()->set_name("ctest");
    one.mutable_job()->set_partition("batch");
    calls.answer("Jobs/Cancel", response);
  }

  v1::CancelRequest last() const { return calls.asked<v1::CancelRequest>("Jobs/Cancel").back(); }

  FakeCalls calls;
};

void expect(const Said& said, std::string_view out, std::string_view err, int exit_code) {
  EXPECT_EQ(said.out, out);
  EXPECT_EQ(said.err, err);
  EXPECT_EQ(said.exit_code, exit_code);
}

TEST_F(Scancel, NeedsAJob) {
  expect(run({}), "", "scancel: error: No job identification provided\n", 1);
  expect(run({"99999", "abc"}), "", "scancel: error: Invalid job id abc\n", 1);
  expect(run({"", "99999"}), "", "scancel: error: Invalid job id \n", 1);
  expect(run({"267.batch"}), "", "scancel: error: Invalid job id 267.batch\n", 1);
  expect(run({"-u", "nosuch"}), "", "scancel: error: Invalid user name: nosuch\n", 1);
  expect(run({"-t", "FOO"}), "",
         "Invalid job state specified: FOO\n"
         "Valid job states are PENDING, RUNNING, and SUSPENDED\n",
         1);
  expect(run({"-s", "FOO", "267"}), "", "Unknown job signal: FOO\n", 1);
  EXPECT_TRUE(calls.asked<v1::CancelRequest>("Jobs/Cancel").empty());
}

TEST_F(Scancel, SaysNothingOfJobsThatAreOverUnlessVerbose) {
  outcome("99999", kErrInvalidJobId);
  expect(run({"99999"}), "", "", 0);
  expect(run({"-v", "99999"}), "",
         "scancel: Terminating job 99999\n"
         "scancel: error: Kill job error on job id 99999: Invalid job id specified\n",
         0);
  outcome("28", kErrAlreadyDone);
  expect(run({"28"}), "", "", 0);
}

TEST_F(Scancel, AsksForAPartOfAHeterogeneousJobAsForAnyJob) {
  outcome("99999+1", kErrInvalidJobId);
  expect(run({"99999+1"}), "", "", 0);
  expect(run({"99999+x"}), "", "scancel: error: Invalid job id 99999+x\n", 1);
}

TEST_F(Scancel, ExitsWithTheLowByteOfTheError) {
  outcome("28", kErrAccessDenied);
  expect(run({"28"}), "", "scancel: error: Kill job error on job id 28: Access/permission denied\n",
         210);
  outcome("1", kErrTryLater);
  expect(run({"-s", "USR1", "1"}), "",
         "scancel: error: Kill job error on job id 1: Job can not be altered now, try again "
         "later\n",
         228);
}

TEST_F(Scancel, LooksBeforeItSignals) {
  outcome("99999", kErrInvalidJobId);
  expect(run({"-s", "USR1", "99999"}), "",
         "scancel: error: Kill job error on job id 99999: Invalid job id specified\n", 1);
  EXPECT_EQ(last().signal(), SIGUSR1);
  outcome("588.0", kErrAlreadyDone);
  expect(run({"588.0"}), "",
         "scancel: error: Kill job error on job step id 588.0: Invalid job id specified\n", 1);
}

TEST_F(Scancel, SendsFilters) {
  calls.answer("Jobs/Cancel", v1::CancelResponse());
  expect(run({"-p", "batch", "-q", "normal", "-A", "cs", "-n", "x", "--state=pending", "-w",
              "node[1-2]", "-f", "-u", "root"}),
         "", "", 0);
  v1::CancelRequest request = last();
  EXPECT_TRUE(request.filtered());
  EXPECT_EQ(request.partition(), "batch");
  EXPECT_EQ(request.qos(), "normal");
  EXPECT_EQ(request.account(), "cs");
  EXPECT_EQ(request.name(), "x");
  EXPECT_EQ(request.states(0), 0u);
  EXPECT_EQ(request.nodes_size(), 2);
  EXPECT_EQ(request.uids(0), 0u);
  EXPECT_TRUE(request.full());
  expect(run({"-v", "-p", "c-iq", "585"}), "",
         "scancel: error: No active jobs match ALL job filters, including: partition=c-iq \n", 0);
}

TEST_F(Scancel, AsksBeforeEachJob) {
  outcome("407", 0);
  expect(run({"-i", "407"}, "n\n"), "Cancel job_id=407 name=ctest partition=batch [y/n]? ", "", 0);
  EXPECT_TRUE(last().dry_run());
  expect(run({"-i", "407"}, "foo\nyes\n"),
         "Cancel job_id=407 name=ctest partition=batch [y/n]? "
         "Cancel job_id=407 name=ctest partition=batch [y/n]? ",
         "", 0);
  EXPECT_FALSE(last().dry_run());
  EXPECT_EQ(last().job_ids(0), "407");
  expect(run({"-i", "407"}, ""), "Cancel job_id=407 name=ctest partition=batch [y/n]? ", "", 0);
  outcome("585.0", 0);
  expect(run({"-i", "585.0"}, "n\n"), "Cancel step_id=585.0 name=ctest partition=batch [y/n]? ", "",
         0);
}

TEST(ScancelOperand, IsAJobATaskOrAStep) {
  for (const char* good : {"12", "12_3", "12_[1-4]", "12_[1,3]", "12.0", "12_3.0"})
    EXPECT_TRUE(is_job_operand(good)) << good;
  for (const char* bad : {"", "0", "abc", "12_", "12.batch", "12_[1", "12_1]", "-1", "12x"})
    EXPECT_FALSE(is_job_operand(bad)) << bad;
}

}  // namespace
}  // namespace grappe
