// Whole command lines against a service that is laid ready: what is asked, said and returned.
#include <gtest/gtest.h>

#include "base/text.h"
#include "cli/command_loop.h"
#include "cli/fake_calls.h"
#include "cli/scontrol/keywords.h"
#include "grappe/v1/cluster.pb.h"
#include "grappe/v1/jobs.pb.h"
#include "grappe/v1/steps.pb.h"

namespace grappe::scontrol {
namespace {

struct Said {
  std::string out;
  std::string err;
  int exit_code;
};

class Scontrol : public testing::Test {
 protected:
  void SetUp() override {
    setenv("TZ", "UTC", 1);
    tzset();
    unsetenv("SLURM_JOB_NODELIST");
  }

  Said run(std::vector<std::string> words) {
    Session session(calls);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    run_line(session, words);
    return {testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr(),
            session.exit_code};
  }
  Said run(std::string_view line) { return run(split_line(line)); }

  // One outcome for every request of `method`.
  void outcome(const std::string& method, const std::string& job, int error) {
    v1::JobsChanged changed;
    add(changed, job, error);
    calls.answer(method, changed);
  }
  static void add(v1::JobsChanged& changed, const std::string& job, int error) {
    v1::JobOutcome& one = *changed.add_outcomes();
    one.set_job_id(job);
    one.set_error(error);
  }

  FakeCalls calls;
};

void expect(const Said& said, std::string_view out, std::string_view err, int exit_code) {
  EXPECT_EQ(said.out, out);
  EXPECT_EQ(said.err, err);
  EXPECT_EQ(said.exit_code, exit_code);
}

TEST_F(Scontrol, RefusesWordsInSlurmsWords) {
  expect(run("foo"), "", "invalid keyword: foo\n", 1);
  expect(run("sh"), "", "invalid keyword: sh\n", 1);
  expect(run("show"), "", "too few arguments for keyword:show\n", 1);
  expect(run("show foo"), "", "invalid entity:foo for keyword:show \n", 1);
  expect(run("show node a b"), "", "too many arguments for keyword:show\n", 1);
  expect(run("cr"), "", "too few arguments for cr keyword\n", 1);
  expect(run("pid"), "", "missing argument for keyword:pid\n", 1);
  expect(run("quit x"), "", "too many arguments for keyword:quit\n", 1);
}

TEST_F(Scontrol, WorksOnHostListsWithoutTheService) {
  expect(run("SHOW HOSTNAMES n[1-3],x"), "n1\nn2\nn3\nx\n", "", 0);
  expect(run("show hostlist n1,n3,n2,n2"), "n[1,3,2,2]\n", "", 0);
  expect(run("show hostlistsorted n1,n3,n2,n2"), "n[1-2,2-3]\n", "", 0);
  expect(run("show hostnames"), "", "scontrol: error: host list is empty\n", 0);
  expect(run("show hostlist /nosuch"), "", "Can not open /nosuch\n", 1);
  setenv("SLURM_JOB_NODELIST", "a[1-2]", 1);
  expect(run("show hostnames"), "a1\na2\n", "", 0);
}

TEST_F(Scontrol, SaysWhatIsNotThere) {
  calls.answer("Jobs/List", v1::ListJobsResponse());
  calls.answer("Cluster/Nodes", v1::NodesResponse());
  calls.answer("Cluster/Partitions", v1::PartitionsResponse());
  calls.answer("Cluster/Reservations", v1::ReservationsResponse());
  calls.answer("Cluster/Licenses", v1::LicensesResponse());
  expect(run("show job"), "No jobs in the system\n", "", 0);
  expect(run("show job 12_9"), "Job 12_9 not found\n", "", 1);
  expect(run("show job abc"), "", "scontrol_print_job error: Invalid job id specified\n", 1);
  expect(run("show step 1.0"), "Job step 1.0 not found\n", "", 1);
  expect(run("show step 1"), "Job step 1. not found\n", "", 1);
  expect(run("show node nosuch"), "Node nosuch not found\n", "", 1);
  expect(run("show part=nosuch"), "Partition nosuch not found\n", "", 1);
  expect(run("show res"), "No reservations in the system\n", "", 0);
  expect(run("show res nosuch"), "Reservation nosuch not found\n", "", 1);
  expect(run("show lic"), "No licenses configured in Slurm.\n", "", 0);
  expect(run("show topo"), "", "scontrol: error: No topology information available\n", 0);
  expect(run("show front x"), "Node x not found\n", "", 1);
  calls.refuse("Jobs/List", kErrInvalidJobId);
  expect(run("show job 999"), "", "slurm_load_jobs error: Invalid job id specified\n", 1);
  expect(run("show step 999"), "", "slurm_get_job_steps error: Invalid job id specified\n", 1);
}

TEST_F(Scontrol, TellsTheOutcomeOfEachHeldJob) {
  calls.refuse("Jobs/Act", kErrInvalidJobId);
  expect(run("hold 9999,9998"), "",
         "Invalid job id specified for job 9999\n"
         "Invalid job id specified for job 9998\n"
         "slurm_suspend error: Invalid job id specified\n",
         1);
  expect(run("requeue 9999"), "", "Invalid job id specified for job 9999\n", 1);
  outcome("Jobs/Act", "31", kErrJobFinished);
  expect(run("hold 31"), "",
         "Job has already finished for job 31\nslurm_suspend error: Job has already finished\n", 1);
  outcome("Jobs/Act", "31", 0);
  expect(run("release jobid=31"), "", "", 0);
  EXPECT_EQ(calls.asked<v1::JobActionRequest>("Jobs/Act").back().job_ids(0), "31");
  run("hold jobname=wrap");
  EXPECT_EQ(calls.asked<v1::JobActionRequest>("Jobs/Act").back().job_name(), "wrap");
}

TEST_F(Scontrol, GroupsTheTasksOfAnArray) {
  v1::JobsChanged changed;
  add(changed, "31_1", 0);
  add(changed, "31_2", kErrInvalidJobId);
  add(changed, "31_3", 0);
  calls.answer("Jobs/Act", changed);
  expect(run("hold 31_[1-3]"), "", "31_1,3: No error\n31_2: Invalid job id specified\n", 1);
}

TEST_F(Scontrol, SendsWhatAnUpdateNames) {
  outcome("Jobs/Update", "31", 0);
  expect(run({"update", "jobid=31", "timelimit=30", "Nice=5", "NumNodes=2-3", "comment=a b",
              "Features=", "MinMemoryNode=100", "Requeue=0", "shared=yes", "mailtype=END"}),
         "", "", 0);
  auto request = calls.asked<v1::UpdateJobRequest>("Jobs/Update").at(0);
  EXPECT_EQ(request.job_id(), "31");
  EXPECT_EQ(request.set().time_limit(), 30u);
  EXPECT_EQ(request.set().nice(), 5);
  EXPECT_EQ(request.set().min_nodes(), 2u);
  EXPECT_EQ(request.set().max_nodes(), 3u);
  EXPECT_EQ(request.set().comment(), "a b");
  EXPECT_EQ(request.set().mem_per_node_mb(), 100u);
  EXPECT_TRUE(request.set().has_requeue());
  EXPECT_FALSE(request.set().requeue());
  EXPECT_EQ(request.set().sharing(), v1::JobSpec::OVERSUBSCRIBE);
  EXPECT_EQ(request.set().mail_type(), 2u);
  EXPECT_EQ(request.clear_size(), 1);
  EXPECT_EQ(request.clear(0), "constraint");
}

TEST_F(Scontrol, RefusesUpdatesInSlurmsWords) {
  expect(run("update foo=bar"), "",
         "No valid entity in update command\nInput line must include \"NodeName\", "
         "\"PartitionName\", \"Reservation\", \"JobId\", or \"SlurmctldDebug\"\n",
         1);
  expect(run("update jobid=31"), "", "No changes specified\n", 1);
  expect(run("update jobid=31 foo=bar"), "",
         "Update of this parameter is not supported: foo=bar\nRequest aborted\n", 1);
  expect(run("update jobid=31 foo"), "", "Invalid input: foo\nRequest aborted\n", 1);
  expect(run("update job 31 timelimit=abc"), "", "scontrol: error: Invalid TimeLimit value\n", 1);
  expect(run("update jobid=31 priority=abc"), "", "scontrol: error: Invalid Priority value: abc\n",
         1);
  expect(run("update jobid=31 shared=maybe"), "",
         "scontrol: error: Invalid OverSubscribe value: maybe\n", 1);
  expect(run("update jobid=31 numcpus=x"), "",
         "scontrol: error: Invalid numeric value \"x\" for NumCPUs.\n"
         "scontrol: error: Invalid NumCPUs value: x\n",
         1);
  expect(run("update jobid=31 starttime=abc"), "",
         "Invalid time specification (pos=0): abc\nNo changes specified\n", 1);
  expect(run("update jobid=31 burstbuffer=foo"), "",
         "Requested operation not supported on this system for job 31\n", 1);
  calls.refuse("Jobs/Update", kErrUserId);
  expect(run("update jobid=31 timelimit=20"), "", "Invalid user id for job 31\n", 1);
}

TEST_F(Scontrol, ChecksAStepAwayFromThePresentLimit) {
  v1::ListJobsResponse jobs;
  jobs.add_jobs()->set_time_limit(60);
  calls.answer("Jobs/List", jobs);
  outcome("Jobs/Update", "31", 0);
  expect(run("update jobid=31 timelimit+=5"), "", "", 0);
  EXPECT_EQ(calls.asked<v1::UpdateJobRequest>("Jobs/Update").back().time_limit_delta_plus(), 5u);
  expect(run("update jobid=31 timelimit=-500"), "",
         "scontrol: error: TimeLimit decrement larger than current time limit (500 > 60)\n", 1);
  jobs.add_jobs();
  calls.answer("Jobs/List", jobs);
  expect(run("update jobid=31 timelimit+=5"), "",
         "scontrol: error: TimeLimit increment/decrement not supported for job arrays\n", 1);
}

TEST_F(Scontrol, UpdatesNodes) {
  calls.answer("Cluster/UpdateNode", v1::Empty());
  expect(run({"update", "nodename=node2", "state=drain", "reason=fan broken"}), "", "", 0);
  auto request = calls.asked<v1::UpdateNodeRequest>("Cluster/UpdateNode").at(0);
  EXPECT_EQ(request.nodes(), "node2");
  EXPECT_EQ(request.state(), "DRAIN");
  EXPECT_EQ(request.reason(), "fan broken");
  expect(run("update nodename=node4 state=drain"), "",
         "You must specify a reason when DOWNING or DRAINING a node. Request denied\n", 1);
  expect(run("update nodename=node4"), "", "No changes specified\n", 1);
  expect(run("update nodename=node4 state=foo"), "",
         "Invalid input: state=foo\nRequest aborted\nValid states are: NoResp DRAIN FAIL FUTURE "
         "RESUME POWER_DOWN POWER_UP UNDRAIN\nNot all states are valid given a node's prior "
         "state\n",
         1);
  calls.refuse("Cluster/UpdateNode", kErrUserId);
  expect(run("update nodename=node1 state=drain reason=x"), "",
         "slurm_update error: Invalid user id\n", 1);
}

TEST_F(Scontrol, ChangesPartitions) {
  calls.answer("Cluster/ChangePartition", v1::Empty());
  expect(run("update partitionname=c-iq state=down maxtime=10"), "", "", 0);
  auto request = calls.asked<v1::ChangePartitionRequest>("Cluster/ChangePartition").at(0);
  EXPECT_EQ(request.name(), "c-iq");
  EXPECT_EQ(request.settings(1).key(), "MaxTime");
  expect(run("update partitionname=c-iq state=foo"), "",
         "scontrol: error: Invalid input: state=foo\n"
         "scontrol: error: Acceptable State values are UP, DOWN, DRAIN and INACTIVE\n"
         "slurm_update error: No error\n",
         1);
  expect(run("update partitionname=c-iq"), "", "scontrol: error: No changes specified\n", 1);
  calls.refuse("Cluster/ChangePartition", kErrInvalidPartition);
  expect(run("delete partitionname=tst"), "",
         "delete_partition partitionname=tst: Invalid partition name specified\n", 1);
  expect(run("create partitionname=tst"), "",
         "Error creating the partition: Invalid partition name specified\n", 1);
}

TEST_F(Scontrol, MakesReservations) {
  v1::ChangeReservationResponse made;
  made.set_name("alice_1");
  calls.answer("Cluster/ChangeReservation", made);
  expect(run("create reservation user=alice starttime=now+1hour duration=10 nodes=node4"),
         "Reservation created: alice_1\n", "", 0);
  auto request = calls.asked<v1::ChangeReservationRequest>("Cluster/ChangeReservation").at(0);
  EXPECT_EQ(request.settings(0).key(), "Users");
  expect(run("create res"), "",
         "scontrol: error: A start time must be given.  No reservation created.\n", 1);
  expect(run("create res user=a starttime=now duration=abc nodes=b"), "",
         "scontrol: error: Invalid duration duration=abc.  No reservation created.\n", 1);
  expect(run("update res=alice_1 foo=bar"), "",
         "scontrol: error: Unknown parameter foo=bar.  No reservation update.\n"
         "slurm_update error: No error\n",
         1);
  expect(run("update reservationname=alice_1 users+=bob"), "Reservation updated.\n", "", 0);
  EXPECT_EQ(calls.asked<v1::ChangeReservationRequest>("Cluster/ChangeReservation")
                .back()
                .settings(0)
                .key(),
            "Users+");
  calls.refuse("Cluster/ChangeReservation", kErrReservationInvalid);
  expect(run("delete reservation=alice_1"), "",
         "delete_reservation reservation=alice_1: Requested reservation is invalid\n", 1);
}

TEST_F(Scontrol, WritesAScript) {
  v1::ScriptResponse script;
  script.set_script("#!/bin/sh\ntrue\n");
  calls.answer("Jobs/Script", script);
  expect(run("write batch_script 115 -"), "#!/bin/sh\ntrue\n", "", 0);
  expect(run("write batch_script 115 /nonexist/foo"), "",
         "failed to open file `/nonexist/foo`: No such file or directory\n", 0);
  calls.refuse("Jobs/Script", kErrInvalidJobId);
  expect(run("write batch_script 9999"), "",
         "job script retrieval failed: Invalid job id specified\n", 0);
  expect(run("write foo"), "", "invalid write argument:foo\n", 1);
}

TEST_F(Scontrol, AnswersErrorNumbersAndPings) {
  expect(run("errnumstr 2017"), "Invalid job id specified\n", "", 0);
  expect(run("errnumstr abc"), "", "numeric arguments required for keyword:errnumstr\n", 1);
  v1::PingResponse pong;
  pong.set_host("vm");
  calls.answer("Cluster/Ping", pong);
  expect(run("ping"), "Slurmctld(primary) at vm is UP\n", "", 0);
}

}  // namespace
}  // namespace grappe::scontrol
