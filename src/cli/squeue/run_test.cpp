#include <gtest/gtest.h>

#include "cli/squeue/job_samples.h"
#include "cli/squeue/squeue.h"
#include "grappe/v1/cluster.pb.h"

namespace grappe {
namespace {

// A service with one running job on two of its nodes.
class OneJobService final : public Calls {
 public:
  Status exchange(const std::string& method, const google::protobuf::MessageLite& request,
                  google::protobuf::MessageLite& response, std::chrono::milliseconds) override {
    if (refusal) return tl::unexpected<Error>(*refusal);
    if (method == "Jobs/List") {
      asked = static_cast<const v1::ListJobsRequest&>(request);
      ++lists;
      auto& jobs = static_cast<v1::ListJobsResponse&>(response);
      jobs.set_now(samples::kNow);
      bool wanted = asked.job_ids().empty() || asked.job_ids(0) == "30";
      if (wanted) *jobs.add_jobs() = samples::running();
    } else if (method == "Cluster/Nodes") {
      for (const char* name : {"node1", "node2", "node3"}) {
        v1::NodeInfo& node = *static_cast<v1::NodesResponse&>(response).add_nodes();
        node.set_name(name);
        node.set_hostname("vm");
      }
    } else if (method == "Cluster/Ping") {
      static_cast<v1::PingResponse&>(response).set_cluster("peer");
    }
    return {};
  }

  std::optional<Error> refusal;
  v1::ListJobsRequest asked;
  int lists = 0;
};

struct Outcome {
  int code;
  std::string out, err;
};

Outcome run(std::vector<std::string> words, OneJobService& calls) {
  samples::use_utc();
  words.insert(words.begin(), "squeue");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  SqueueOptions options;
  auto exit = read_squeue_options(static_cast<int>(words.size()), argv.data(), options);
  int code = exit ? *exit : squeue(options, calls);
  std::string out = testing::internal::GetCapturedStdout();
  return {code, out, testing::internal::GetCapturedStderr()};
}
Outcome run(std::vector<std::string> words) {
  OneJobService calls;
  return run(std::move(words), calls);
}

constexpr const char* kHeader =
    "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n";

// Messages and exit codes are those of squeue 22.05.8.
TEST(SqueueRun, FailsForOneUnknownJobOnly) {
  Outcome one = run({"-j", "99999"});
  EXPECT_EQ(one.code, 1);
  EXPECT_EQ(one.err, "slurm_load_jobs error: Invalid job id specified\n");
  EXPECT_EQ(one.out, "");
  Outcome two = run({"-j", "99998,99999"});
  EXPECT_EQ(two.code, 0);
  EXPECT_EQ(two.out, kHeader);
  Outcome task = run({"-j", "99999_1"});
  EXPECT_EQ(task.code, 1);
  EXPECT_EQ(task.err, "slurm_load_jobs error: Invalid job id specified\n");
  Outcome task_of_known = run({"-j", "30_7"});
  EXPECT_EQ(task_of_known.code, 0);
}

TEST(SqueueRun, SaysWhatTheServiceRefuses) {
  OneJobService calls;
  calls.refusal = Error{0, "Unable to contact slurm controller (connect failure)", {}};
  Outcome outcome = run({}, calls);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err,
            "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n");
}

TEST(SqueueRun, RefusesWrongValues) {
  EXPECT_EQ(run({"-j", "abc"}).err, "squeue: error: Invalid job id: abc\n");
  EXPECT_EQ(run({"-s30"}).err, "squeue: error: Invalid job_step id: 30.??\n");
  EXPECT_EQ(run({"-i", "0"}).err, "squeue: error: --iterate=0\n\n");
  EXPECT_EQ(run({"-w", "node99"}).err, "squeue: error: Invalid node name node99\n");
  EXPECT_EQ(run({"-o", "%i", "-O", "jobid"}).err,
            "squeue: error: -O (--Format) is incompatible with -o (--format)\n");
  EXPECT_EQ(run({"-l", "-o", "%i"}).err,
            "squeue: fatal: Options -o(--format) and -l(--long) are mutually exclusive. Please "
            "remove one and retry.\n");
  EXPECT_EQ(run({"-S", "P,A"}).err, "squeue: error: Invalid sort specification: A\n");
  EXPECT_EQ(run({"foo"}).err, "squeue: error: Unrecognized option: foo\n");
  for (auto words :
       std::vector<std::vector<std::string>>{{"-j", "abc"}, {"-t", "bogus"}, {"foo"}}) {
    EXPECT_EQ(run(words).code, 1);
  }
}

TEST(SqueueRun, NamesTheValidStates) {
  EXPECT_EQ(
      run({"-t", "pd,bogus"}).err,
      "squeue: error: Invalid job state specified: bogus\n"
      "squeue: error: Valid job states include: PENDING,RUNNING,SUSPENDED,COMPLETED,CANCELLED,"
      "FAILED,TIMEOUT,NODE_FAIL,PREEMPTED,BOOT_FAIL,DEADLINE,OUT_OF_MEMORY,COMPLETING,"
      "CONFIGURING,RESIZING,RESV_DEL_HOLD,REQUEUED,REQUEUE_FED,REQUEUE_HOLD,REVOKED,SIGNALING,"
      "SPECIAL_EXIT,STAGE_OUT,STOPPED\n\n");
}

TEST(SqueueRun, GoesOnWithoutAnUnknownUser) {
  OneJobService calls;
  Outcome outcome = run({"-u", "no-such-user"}, calls);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "squeue: error: Invalid user: no-such-user\n\n");
  EXPECT_EQ(outcome.out, kHeader);
  EXPECT_EQ(calls.lists, 0);  // nothing can match
}

TEST(SqueueRun, FindsNodesByTheirHostToo) {
  EXPECT_NE(run({"-w", "vm", "-h"}).out, "");
  EXPECT_EQ(run({"-w", "node3", "-h"}).out, "");
}

TEST(SqueueRun, KnowsItsOwnClusterOnly) {
  EXPECT_TRUE(run({"-M", "peer"}).out.starts_with(std::string("CLUSTER: peer\n") + kHeader));
  EXPECT_EQ(run({"-M", "all", "-h", "-o", "%i"}).out, "30\n");
  Outcome other = run({"-M", "bogus"});
  EXPECT_EQ(other.code, 1);
  EXPECT_EQ(
      other.err,
      "squeue: error: No cluster 'bogus' known by database.\n"
      "squeue: error: 'bogus' can't be reached now, or it is an invalid entry for --cluster.  "
      "Use 'sacctmgr list clusters' to see available clusters.\n");
}

TEST(SqueueRun, SaysWhichColumnDoesNotExist) {
  Outcome letters = run({"-h", "-o", "%i %1 "});
  EXPECT_EQ(letters.err, "squeue: error: Invalid job format specification:  \n");
  EXPECT_EQ(letters.out, "30 %1 \n");
  EXPECT_EQ(run({"-h", "-O", "bogus,jobid:3"}).err,
            "squeue: error: Invalid job format specification: bogus\n");
  EXPECT_EQ(run({"-s", "-O", "bogus"}).err,
            "squeue: error: Invalid job step format specification: bogus\n");
}

TEST(SqueueRun, ReadsTheEnvironment) {
  setenv("SQUEUE_FORMAT", "%i", 1);
  EXPECT_EQ(run({"-h"}).out, "30\n");
  EXPECT_EQ(run({"-h", "-O", "name:0"}).out, "bigjob\n");
  EXPECT_EQ(run({"--start"}).out.substr(0, 18), "             JOBID");
  unsetenv("SQUEUE_FORMAT");
  setenv("SQUEUE_FORMAT2", "name:0", 1);
  EXPECT_EQ(run({"-h"}).out, "bigjob\n");
  unsetenv("SQUEUE_FORMAT2");
  setenv("SQUEUE_STATES", "PD", 1);
  EXPECT_EQ(run({"-h"}).out, "");
  EXPECT_NE(run({"-h", "-t", "R"}).out, "");
  unsetenv("SQUEUE_STATES");
}

TEST(SqueueRun, MakesItsHelpFromTheTable) {
  EXPECT_TRUE(run({"--help"})
                  .out.starts_with("Usage: squeue [OPTIONS]\n"
                                   "  -A, --account=accounts          jobs of these accounts\n"));
  EXPECT_TRUE(run({"--usage"}).out.starts_with("Usage: squeue [-A accounts] [-a] [-r]"));
}

}  // namespace
}  // namespace grappe
