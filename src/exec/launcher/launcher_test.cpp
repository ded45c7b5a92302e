// End to end: a real launcher, real shepherds, real users.
#include "exec/launcher/launcher.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>

#include "exec/os/files.h"
#include "exec/testing/service_fixture.h"

namespace grappe::exec {
namespace {

using testing::StepClient;

class LauncherTest : public testing::ServiceTest {};

TEST_F(LauncherTest, RunsABatchScriptAsTheUser) {
  const auto ended = service().run(service().batch(1, "id -u; id -g; id -Gn; pwd; echo $0"));
  ASSERT_EQ(ended.exits.size(), 1u) << ended.failure;
  EXPECT_EQ(ended.exits[0].status, 0);
  const auto& account = service().account();
  EXPECT_EQ(service().read_out(),
            fmt::format("{}\n{}\n{}\n{}\n{}/state/steps/1.batch.0/slurm_script\n", account.uid,
                        account.gid, account.name, service().home(), service().dir()));
}

TEST_F(LauncherTest, ReportsExitCodesAndSignals) {
  EXPECT_EQ(service().run(service().batch(1, "exit 7")).exits.at(0).status, 7 << 8);
  EXPECT_EQ(service().run(service().batch(2, "kill -SEGV $$")).exits.at(0).status & 0x7f, SIGSEGV);
}

TEST_F(LauncherTest, AppliesUmaskLimitsEnvironmentAndArguments) {
  auto launch = service().batch(
      1, "umask; ulimit -n; ulimit -c; echo $A $B \"$@\"; env | grep -c SLURM_TASK_PID=$$");
  launch.umask = 027;
  launch.rlimits = {{RLIMIT_NOFILE, 100, 200}, {RLIMIT_CORE, 0, 0}};
  launch.environment += std::string("A=step\0B=step\0", 14);
  launch.tasks[0].environment = "B=task";
  launch.programs = {{"one", "two words"}};
  EXPECT_EQ(service().run(launch).exits.at(0).status, 0);
  EXPECT_EQ(service().read_out(), "0027\n100\n0\nstep task one two words\n1\n");
  struct stat info {};
  stat(service().out().c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST_F(LauncherTest, AppendsOrTruncatesTheOutputAsAsked) {
  auto launch = service().batch(1, "echo one");
  service().run(launch);
  launch.open_mode = OpenMode::kAppend;
  launch.key.job_id = 2;
  service().run(launch);
  EXPECT_EQ(service().read_out(), "one\none\n");
  launch.open_mode = OpenMode::kTruncate;
  launch.key.job_id = 3;
  service().run(launch);
  EXPECT_EQ(service().read_out(), "one\n");
}

TEST_F(LauncherTest, ANoticeThatComesBeforeTheScriptRunsIsNotLost) {
  for (uint32_t job = 1; job <= 20; ++job) {
    auto launch = service().batch(job, "sleep 0.1; echo ran");
    service().executor().start(launch);
    usleep(job * 500);  // some moment of its start
    service().executor().notify(launch.key, "mind the 100%p gap", NoticeKind::kMessage);
    const auto ended = service().wait_end(launch.key);
    service().executor().forget(launch.key);
    service().clean(job);
    EXPECT_EQ(ended.failure, "");
    EXPECT_EQ(ended.exits.at(0).status, 0);
    EXPECT_EQ(service().read_out(), "mind the 100%p gap\nran\n") << job;
  }
}

TEST_F(LauncherTest, TasksThatShareAFileDoNotOverwriteEachOther) {
  auto launch = service().step(
      1, 4,
      {"/bin/bash", "-c",
       "echo task; until [ $(grep -c task out) = 4 ]; do sleep 0.01; done; echo again"});
  launch.wait_for_client = false;
  for (TaskLaunch& task : launch.tasks) {
    task.std_in = "/dev/null";
    task.std_out = task.std_err = service().out();
  }
  ASSERT_TRUE(replace_file(AT_FDCWD, service().out(), "old\n", 0666));
  ASSERT_EQ(chown(service().out().c_str(), service().account().uid, service().account().gid), 0);
  service().run(launch);
  EXPECT_EQ(service().read_out(), "task\ntask\ntask\ntask\nagain\nagain\nagain\nagain\n");
}

TEST_F(LauncherTest, SaysWhatCouldNotBeExecutedAsSlurmDoes) {
  const std::string home = service().home();
  const struct {
    const char* make;
    const char* program;
    int exit_code;
    std::string text;
  } cases[] = {
      {"true", "nosuchcommand", 2, "nosuchcommand: No such file or directory"},
      {"touch noexec", "./noexec", 13, home + "/./noexec: Permission denied"},
      {"mkdir adir", "./adir", 13, home + "/./adir: Permission denied"},
      {"echo true > nobang; chmod +x nobang", "./nobang", 8, home + "/./nobang: Exec format error"},
      {"echo '#!/no/such' > bad; chmod +x bad", "./bad", 2,
       "bad interpreter(/no/such): No such file or directory"},
  };
  uint32_t job = 0;
  for (const auto& one : cases) {
    service().run(service().batch(++job, one.make));
    auto launch = service().batch(++job, "");
    launch.script.clear();
    launch.programs = {{one.program}};
    launch.error_prefix = "slurmstepd-%n";
    const auto ended = service().run(launch);
    EXPECT_EQ(ended.exits.at(0).status, one.exit_code << 8);
    EXPECT_EQ(service().read_out(), "slurmstepd-node1: error: execve(): " + one.text + "\n");
  }
}

TEST_F(LauncherTest, GoesToTmpWhenTheWorkingFolderIsMissing) {
  auto launch = service().batch(1, "pwd");
  launch.work_dir = "/no/such";
  EXPECT_EQ(service().run(launch).exits.at(0).status, 0);
  const std::string line =
      "slurmstepd: error: couldn't chdir to `/no/such': No such file or directory: going to /tmp "
      "instead\n";
  EXPECT_EQ(service().read_out(), line + line + "/tmp\n");
}

TEST_F(LauncherTest, OpensOutputAsTheUserSoThatALinkGivesNobodyElsesRights) {
  const std::string target = service().dir() + "/secret";
  ASSERT_TRUE(replace_file(AT_FDCWD, target, "root's", 0600));
  ASSERT_EQ(symlink(target.c_str(), service().out().c_str()), 0);
  const auto ended = service().run(service().batch(1, "echo stolen"));
  EXPECT_EQ(ended.exits.at(0).status, 53);
  EXPECT_EQ(read_file(target), "root's");
}

TEST_F(LauncherTest, RefusesAnIdentityThatContradictsTheUserDatabase) {
  auto launch = service().batch(1, "id > " + service().home() + "/ran");
  launch.user = "root";
  EXPECT_NE(service().run(launch).failure, "");
  launch = service().batch(2, "id > " + service().home() + "/ran");
  launch.gid = 0;
  EXPECT_NE(service().run(launch).failure, "");
  launch = service().batch(3, "id > " + service().home() + "/ran");
  launch.uid = 54321;
  EXPECT_NE(service().run(launch).failure, "");
  EXPECT_FALSE(read_file(service().home() + "/ran"));
}

TEST_F(LauncherTest, StartsAStepOnceHoweverOftenItIsAsked) {
  const auto launch = service().batch(1, "echo ran >> " + service().home() + "/count; sleep 0.2");
  for (int i = 0; i < 5; ++i) executor().start(launch);
  service().wait_end(launch.key);
  executor().start(launch);
  service().wait_end(launch.key);  // told again
  finish(launch.key);
  EXPECT_EQ(read_file(service().home() + "/count"), "ran\n");
}

TEST_F(LauncherTest, NothingOfAStepOutlivesIt) {
  const auto ended = service().run(service().batch(
      1,
      "setsid sleep 1000 & (setsid bash -c 'trap \"\" TERM HUP; sleep 1000' &) ; sleep 1000 & "
      "disown -a; echo left"));
  EXPECT_EQ(ended.exits.at(0).status, 0);
  EXPECT_EQ(service().read_out(), "left\n");
  // ~Service looks for processes, cgroups and folders.
}

TEST_F(LauncherTest, AUserCanNotKillTheShepherdOfTheJob) {
  auto launch = service().batch(1, "kill -9 -1; kill -9 $PPID; exit 5");
  // An account that no other test uses: it kills all that runs as this one.
  const passwd* victim = getpwnam("uucp");
  ASSERT_NE(victim, nullptr);
  launch.user = victim->pw_name;
  launch.uid = victim->pw_uid;
  launch.gid = victim->pw_gid;
  launch.tasks[0].std_out = launch.tasks[0].std_err = "/dev/null";
  const auto ended = service().run(launch);
  EXPECT_EQ(ended.failure, "");
  EXPECT_EQ(ended.exits.at(0).status, 5 << 8);
}

TEST_F(LauncherTest, SignalsGoWhereTheyAreSent) {
  const auto launch = service().batch(
      1,
      "trap 'echo shell' USR1; bash -c 'trap \"echo child; exit\" USR1; echo ready; "
      "while :; do sleep 0.01; done' & wait; wait; echo end");
  executor().start(launch);
  service().wait_for_text(service().out(), "ready");
  executor().signal(launch.key, SIGUSR1, SignalTarget::kTasks);  // not for the batch shell
  executor().signal(launch.key, SIGUSR1, SignalTarget::kBatchShell);
  service().wait_for_text(service().out(), "shell");
  EXPECT_EQ(service().read_out(), "ready\nshell\n");
  executor().signal(launch.key, SIGKILL, SignalTarget::kEverything);
  EXPECT_EQ(service().wait_end(launch.key).exits.at(0).status, SIGKILL);
  finish(launch.key);
}

TEST_F(LauncherTest, ANoticeGoesToTheStandardErrorOfTheStep) {
  const auto launch = service().batch(1, "echo ready; sleep 100");
  executor().start(launch);
  service().wait_for_text(service().out(), "ready");
  executor().notify(launch.key, "slurmstepd: error: *** JOB 1 ON n CANCELLED AT now ***",
                    NoticeKind::kMessage);
  executor().signal(launch.key, SIGTERM, SignalTarget::kEverything);
  EXPECT_EQ(service().wait_end(launch.key).exits.at(0).status, SIGTERM);
  finish(launch.key);
  EXPECT_EQ(service().read_out(),
            "ready\nslurmstepd: error: *** JOB 1 ON n CANCELLED AT now ***\n");
}

TEST_F(LauncherTest, AStoppedStepHearsThatItEnds) {
  const auto launch =
      service().batch(1, "trap 'echo heard; exit 3' TERM; echo ready; kill -STOP $$");
  executor().start(launch);
  service().wait_for_text(service().out(), "ready");
  executor().signal(launch.key, SIGTERM, SignalTarget::kEverything);
  EXPECT_EQ(WEXITSTATUS(service().wait_end(launch.key).exits.at(0).status), 3);
  finish(launch.key);
}

TEST_F(LauncherTest, CleaningEndsWhatStillRuns) {
  const auto launch = service().batch(1, "echo ready; sleep 100");
  executor().start(launch);
  service().wait_for_text(service().out(), "ready");
  executor().clean(1, 0);
  EXPECT_EQ(service().wait_end(launch.key).exits.at(0).status, SIGKILL);
  service().wait_cleaned(1);
  finish(launch.key);
}

TEST_F(LauncherTest, TheTasksOfANodeCanEndAlone) {
  auto launch = service().step(1, 3, {"/bin/bash", "-c", "sleep 1; exit 0"});
  launch.wait_for_client = false;
  launch.node_names = {"n1", "n2"};
  launch.tasks[2].node_index = 1;
  executor().start(launch);
  service().wait_start(launch.key);
  executor().end_node(launch.key, 1);
  const auto ended = service().wait_end(launch.key);
  EXPECT_EQ(ended.exits.at(0).status, 0);
  EXPECT_EQ(ended.exits.at(1).status, 0);
  EXPECT_EQ(ended.exits.at(2).status, SIGKILL);
  finish(launch.key);
}

TEST_F(LauncherTest, FreezesAndThawsAJob) {
  const std::string file = service().home() + "/ticks";
  const auto launch = service().batch(1, "while :; do echo tick >> " + file + "; sleep 0.01; done");
  executor().start(launch);
  service().wait_for_text(file, "tick\ntick\n");
  executor().freeze(1, true);
  std::string frozen, before = "none";
  for (int attempt = 0; attempt < 100 && frozen != before; ++attempt) {
    before = frozen;
    usleep(200'000);
    frozen = read_file(file).value_or("");
  }
  EXPECT_EQ(frozen, before);
  executor().freeze(1, false);
  service().wait_for_text(file, frozen + "tick\n");
  executor().freeze(1, true);
  executor().signal(launch.key, SIGKILL, SignalTarget::kEverything);
  EXPECT_EQ(service().wait_end(launch.key).exits.at(0).status, SIGKILL);
  finish(launch.key);
}

TEST_F(LauncherTest, MeasuresTimeAndMemory) {
  const auto ended = service().run(service().batch(
      1, "x=$(head -c 30000000 /dev/zero | tr '\\0' x); for ((i=0;i<200000;i++)); do :; done"));
  EXPECT_GT(ended.usage.user_us, 50'000u);
  EXPECT_GT(ended.usage.max_rss_bytes, 30'000'000u);
  EXPECT_GE(ended.end_time, ended.start_time);
  EXPECT_GT(ended.usage.written_bytes, 0u);
  ASSERT_EQ(ended.usage.tasks.size(), 1u);
  const TaskUse& task = ended.usage.tasks[0];
  EXPECT_GT(task.cpu_us, 50'000u);
  EXPECT_GT(task.rss_bytes, 30'000'000u);
  EXPECT_EQ(task.written_bytes, ended.usage.written_bytes);
}

TEST_F(LauncherTest, MeasuresARunningStepByItsTasks) {
  const auto launch = service().step(
      1, 2,
      {"/bin/bash", "-c",
       "[ $SLURM_PROCID = 0 ] && x=$(head -c 30000000 /dev/zero | tr '\\0' x); echo up; read y"});
  executor().start(launch);
  StepClient client(executor().socket_path(launch.key), true);
  ASSERT_TRUE(client.wait_for_output("up\nup\n"));
  executor().measure(7, {launch.key, {99, 0, 0}});
  const ExecEvent event = service().wait(
      [](const ExecEvent& e) { return std::holds_alternative<StepsMeasured>(e); }, "a sample");
  const auto& measured = std::get<StepsMeasured>(event);
  EXPECT_EQ(measured.request, 7u);
  ASSERT_EQ(measured.steps.size(), 1u);
  const StepSample& sample = measured.steps[0];
  EXPECT_EQ(sample.key, launch.key);
  EXPECT_GE(sample.pids.size(), 2u);
  EXPECT_GT(sample.user_us + sample.system_us, 0u);
  ASSERT_EQ(sample.tasks.size(), 2u);
  EXPECT_GT(sample.tasks[0].rss_bytes, 30'000'000u);
  EXPECT_LT(sample.tasks[1].rss_bytes, 30'000'000u);
  EXPECT_GT(sample.tasks[1].vsize_bytes, sample.tasks[1].rss_bytes);
  EXPECT_GT(sample.tasks[0].read_bytes, 30'000'000u);
  executor().signal(launch.key, SIGKILL, SignalTarget::kEverything);
  const StepEnded ended = service().wait_end(launch.key);
  EXPECT_EQ(ended.usage.tasks.size(), 2u);
  finish(launch.key);
}

}  // namespace
}  // namespace grappe::exec
