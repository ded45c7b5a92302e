// End to end: what a job can't do.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include <csignal>

#include "exec/os/files.h"
#include "exec/testing/service_fixture.h"

namespace grappe::exec {
namespace {

class ConfinementTest : public testing::ServiceTest {
 protected:
  // For tests of a limit that this machine may be unable to set.
  bool can(const char* word) const {
    for (const std::string& sentence : ready_.unconfined) {
      if (sentence.find(word) != std::string::npos) return false;
    }
    return true;
  }
};

TEST_F(ConfinementTest, AScriptGoesOnWithoutAProcessThatLackedMemoryAndItsStepTellsOfIt) {
  if (!can("Memory")) GTEST_SKIP() << "no memory cgroup on this machine";
  auto launch = service().batch(1,
                                "head -c 300000000 /dev/zero | tail -c 300000000 2>/dev/null "
                                "|| echo fallback $?; echo end; exit 0");
  launch.job.memory_mb = 60;
  const auto ended = service().run(launch);
  EXPECT_TRUE(ended.out_of_memory);
  EXPECT_EQ(ended.exits.at(0).status, 0);
  const std::string out = service().read_out();
  EXPECT_NE(out.find("fallback 137\nend\n"
                     "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=1.batch. Some of "
                     "your processes may have been killed by the cgroup out-of-memory handler.\n"),
            std::string::npos)
      << out;
}

TEST_F(ConfinementTest, AStepBeyondTheMemoryOfTheJobDoesNotTakeTheBatchScriptAlong) {
  if (!can("Memory")) GTEST_SKIP() << "no memory cgroup on this machine";
  auto batch = service().batch(1, "echo ready; until [ -e go ]; do sleep 0.01; done; exit 4");
  batch.job.memory_mb = 80;
  executor().start(batch);
  service().wait_for_text(service().out(), "ready");
  auto step =
      service().step(1, 1, {"/bin/bash", "-c", "head -c 300000000 /dev/zero | tail -c 300000000"});
  step.job = batch.job;
  step.wait_for_client = false;
  executor().start(step);
  EXPECT_TRUE(service().wait_end(step.key).out_of_memory);
  executor().forget(step.key);
  ASSERT_TRUE(replace_file(AT_FDCWD, service().home() + "/go", "", 0644));
  const auto ended = service().wait_end(batch.key);
  EXPECT_FALSE(ended.out_of_memory);
  EXPECT_EQ(ended.exits.at(0).status, 4 << 8);
  finish(batch.key);
}

TEST_F(ConfinementTest, AJobIsHeldToItsCpus) {
  if (!can("CPUs")) GTEST_SKIP() << "no cpuset cgroup on this machine";
  if (sysconf(_SC_NPROCESSORS_ONLN) < 2) GTEST_SKIP() << "needs two CPUs";
  auto launch = service().batch(
      1, "grep Cpus_allowed_list /proc/self/status; taskset -c 0 true 2>/dev/null || echo refused");
  launch.job.cpus = {1};
  service().run(launch);
  EXPECT_EQ(service().read_out(), "Cpus_allowed_list:\t1\nrefused\n");
}

TEST_F(ConfinementTest, ATaskIsBoundToItsOwnCpus) {
  auto launch = service().batch(1, "grep Cpus_allowed_list /proc/self/status");
  launch.tasks[0].cpus = {0};
  service().run(launch);
  EXPECT_EQ(service().read_out(), "Cpus_allowed_list:\t0\n");
}

TEST_F(ConfinementTest, AForkBombMeetsTheLimitOfProcesses) {
  if (!can("processes")) GTEST_SKIP() << "no pids cgroup on this machine";
  auto launch = service().batch(1, "");
  launch.script =
      "#!/bin/sh\ni=0; while [ $i -lt 100 ]; do sleep 100 & i=$((i+1)); done; echo forked all\n";
  launch.job.max_processes = 20;
  service().run(launch);
  EXPECT_EQ(service().read_out().find("forked all"), std::string::npos);
}

TEST_F(ConfinementTest, OnlyTheAllocatedDevicesCanBeOpened) {
  if (!can("GPUs")) GTEST_SKIP() << "no device filter on this machine";
  auto launch = service().batch(1, "");
  std::string script;
  for (unsigned i = 0; i < 4; ++i) {
    const std::string path = fmt::format("{}/gpu{}", service().dir(), i);
    // Nobody drives these numbers: an open that is let through fails with ENXIO.
    ASSERT_EQ(mknod(path.c_str(), S_IFCHR | 0666, makedev(240, 10 + i)), 0);
    ASSERT_EQ(chmod(path.c_str(), 0666), 0);
    launch.job.all_devices.push_back(path);
    script += fmt::format("cat {} 2>&1 | sed 's/.*: //'; ", path);
  }
  launch.job.all_devices.push_back("/dev/null");  // a pretended one must not cut this off
  launch.job.confine_devices = true;
  launch.job.devices = {launch.job.all_devices[1], launch.job.all_devices[2]};
  launch.script = "#!/bin/bash\n" + script + "echo > /dev/null && echo null\n";
  service().run(launch);
  EXPECT_EQ(service().read_out(),
            "Operation not permitted\nNo such device or address\nNo such device or address\n"
            "Operation not permitted\nnull\n");
}

TEST_F(ConfinementTest, AJobThatGivesADeviceBackCanNotOpenItAnyMore) {
  if (!can("GPUs")) GTEST_SKIP() << "no device filter on this machine";
  auto launch = service().batch(1, "");
  std::string look;
  for (unsigned i = 0; i < 2; ++i) {
    const std::string path = fmt::format("{}/gpu{}", service().dir(), i);
    ASSERT_EQ(mknod(path.c_str(), S_IFCHR | 0666, makedev(240, 20 + i)), 0);
    ASSERT_EQ(chmod(path.c_str(), 0666), 0);
    launch.job.all_devices.push_back(path);
    look += fmt::format("cat {} 2>&1 | sed 's/.*: //'; ", path);
  }
  launch.job.confine_devices = true;
  launch.job.devices = launch.job.all_devices;
  launch.job.memory_mb = 500;
  launch.script = "#!/bin/bash\n" + look + "until [ -e go ]; do sleep 0.01; done; " + look;
  executor().start(launch);
  service().wait_for_text(service().out(), "address\nNo such device or address\n");
  JobConfinement less = launch.job;
  less.devices.pop_back();
  less.memory_mb = 100;
  executor().confine(1, 0, less);
  // Answered in order: the launcher has dealt with it.
  executor().notify(launch.key, "confined", NoticeKind::kMessage);
  service().wait_for_text(service().out(), "confined\n");
  ASSERT_TRUE(replace_file(AT_FDCWD, service().home() + "/go", "", 0644));
  service().wait_end(launch.key);
  finish(launch.key);
  EXPECT_EQ(service().read_out(),
            "No such device or address\nNo such device or address\nconfined\n"
            "No such device or address\nOperation not permitted\n");
}

TEST_F(ConfinementTest, TheTemporaryFolderIsTheUsersAndGoesWithTheJob) {
  auto launch = service().batch(1, "");
  launch.job.tmp_parent = service().dir() + "/scratch";
  const std::string tmp = launch.job.tmp_parent + "/job_1";
  const std::string precious = service().dir() + "/precious";
  mkdir(precious.c_str(), 0777);
  ASSERT_TRUE(replace_file(AT_FDCWD, precious + "/file", "x", 0666));
  launch.script = fmt::format(
      "#!/bin/bash\nstat -c '%a %U' {0}; mkdir -p {0}/a/b; echo x > {0}/a/b/c; ln -s {1} "
      "{0}/link\n",
      tmp, precious);
  executor().start(launch);
  service().wait_end(launch.key);
  EXPECT_EQ(service().read_out(), "700 " + service().account().name + "\n");
  EXPECT_TRUE(read_file(tmp + "/a/b/c"));
  finish(launch.key);
  EXPECT_NE(access(tmp.c_str(), F_OK), 0);
  EXPECT_TRUE(read_file(precious + "/file"));
}

TEST_F(ConfinementTest, ATemporaryFolderThatSomebodyElsePreparedIsRefused) {
  auto launch = service().batch(1, "true");
  launch.job.tmp_parent = service().dir() + "/scratch";
  ASSERT_TRUE(make_dirs(launch.job.tmp_parent + "/job_1", 0777));
  ASSERT_EQ(chown((launch.job.tmp_parent + "/job_1").c_str(), 65534, 65534), 0);
  executor().start(launch);
  const auto failed = std::get<PrologFailed>(service().wait(
      [](const ExecEvent& e) { return std::holds_alternative<PrologFailed>(e); }, "a refusal"));
  EXPECT_NE(failed.message.find("belongs to uid 65534"), std::string::npos);
  service().clean(1);
}

TEST_F(ConfinementTest, StepsOfAJobShareAPrivateTmpThatNobodyElseSees) {
  auto launch =
      service().batch(1,
                      "echo secret > /tmp/note; echo shm > /dev/shm/note; ls /var/tmp/note; "
                      "df --output=target /tmp | tail -1");
  launch.job.private_tmp = true;
  launch.job.tmp_parent = service().dir() + "/scratch";
  launch.tasks[0].std_out = launch.tasks[0].std_err = "/var/opt/grappe-test-out";
  launch.work_dir = "/";
  mkdir("/var/opt", 0755);
  // The test's own folder is below /tmp, which the job does not see.
  UniqueFd out(open("/var/opt/grappe-test-out", O_CREAT | O_TRUNC | O_RDWR, 0666));
  fchmod(out.get(), 0666);
  executor().start(launch);
  const auto ended = service().wait_end(launch.key);
  EXPECT_EQ(ended.failure, "");
  EXPECT_EQ(ended.exits.at(0).status, 0);
  EXPECT_EQ(read_file("/var/opt/grappe-test-out"), "/var/tmp/note\n/tmp\n");
  EXPECT_NE(access("/tmp/note", F_OK), 0);
  EXPECT_NE(access("/dev/shm/note", F_OK), 0);
  executor().forget(launch.key);

  auto step = launch;
  step.key.step_id = 0;
  step.script.clear();
  step.programs = {{"/bin/bash", "-c", "cat /tmp/note /dev/shm/note"}};
  executor().start(step);
  service().wait_end(step.key);
  EXPECT_EQ(read_file("/var/opt/grappe-test-out"), "secret\nshm\n");
  finish(step.key);
  unlink("/var/opt/grappe-test-out");
  EXPECT_TRUE(list_dir(service().dir() + "/scratch").empty());
  for (const std::string& name : list_dir("/dev/shm")) {
    EXPECT_FALSE(name.starts_with(service().cgroup())) << name;
  }
}

}  // namespace
}  // namespace grappe::exec
