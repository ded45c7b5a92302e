#include "exec/launcher/hook.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <csignal>

#include "exec/os/files.h"
#include "exec/testing/service_fixture.h"

namespace grappe::exec {
namespace {

class HookTest : public testing::ServiceTest {
 protected:
  void SetUp() override {
    ServiceTest::SetUp();
    if (IsSkipped()) return;
    // Not in /tmp: everybody can write there, so that no program in it is trusted.
    char name[] = "/run/grappe-hook-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    dir_ = name;
    chmod(name, 0755);
  }
  void TearDown() override {
    if (dir_.empty()) return;
    EXPECT_TRUE(remove_tree(dir_));
  }
  std::string script(const std::string& name, const std::string& text) {
    const std::string path = dir_ + "/" + name;
    EXPECT_TRUE(replace_file(AT_FDCWD, path, "#!/bin/sh\n" + text + "\n", 0755));
    return path;
  }
  std::string wait_prolog_failed() {
    return std::get<PrologFailed>(
               service().wait(
                   [](const ExecEvent& e) { return std::holds_alternative<PrologFailed>(e); },
                   "a failed prolog"))
        .message;
  }

  std::string dir_;
};

TEST_F(HookTest, PrologAndEpilogRunAsRootAroundTheJob) {
  auto launch = service().batch(1, "echo job >> " + service().home() + "/order");
  const std::string order = service().home() + "/order";
  launch.job.prolog = script("prolog", "echo prolog $(id -u) >> " + order + "; chmod 666 " + order);
  launch.job.epilog = script("epilog", "echo epilog $(id -u) >> " + order);
  service().run(launch);
  EXPECT_EQ(read_file(order), "prolog 0\njob\nepilog 0\n");
}

TEST_F(HookTest, ANoticeToAJobInItsPrologIsForItsScript) {
  auto launch = service().batch(1, "echo ran");
  launch.job.prolog = script("prolog", "sleep 0.3");
  service().executor().start(launch);
  service().executor().notify(launch.key, "wake up", NoticeKind::kMessage);
  service().wait_end(launch.key);
  service().executor().forget(launch.key);
  service().clean(1);
  const std::string out = service().read_out();
  EXPECT_TRUE(out == "wake up\nran\n" || out == "ran\nwake up\n") << out;
}

TEST_F(HookTest, OfManyNoticesToAJobInItsPrologTheFirstAreKept) {
  auto launch = service().batch(1, "sleep 0.2");
  launch.job.prolog = script("prolog", "sleep 0.5");
  service().executor().start(launch);
  for (int i = 0; i < 500; ++i)
    service().executor().notify(launch.key, std::string(4096, 'x'), NoticeKind::kMessage);
  EXPECT_EQ(service().wait_end(launch.key).exits.at(0).status, 0);
  service().executor().forget(launch.key);
  service().clean(1);
  EXPECT_EQ(service().read_out().size(), kMostEarlyNotices * 4097);
}

TEST_F(HookTest, TheirEnvironmentHoldsNothingOfTheUsers) {
  auto launch = service().batch(1, "true");
  launch.environment += std::string("LD_PRELOAD=/tmp/evil.so\0BASH_ENV=/tmp/evil\0", 43);
  launch.tasks[0].environment = "EVIL=1";
  launch.job.script_environment =
      std::string("SLURM_JOB_ID=1\0LD_PRELOAD=/tmp/evil.so\0SLURM_JOB_USER=games\0PATH=/tmp\0", 70);
  launch.job.prolog = script("prolog", "env > " + dir_ + "/env");
  service().run(launch);
  std::string environment = read_file(dir_ + "/env").value_or("");
  for (const char* expected :
       {"SLURM_JOB_ID=1\n", "SLURM_JOB_USER=games\n", "PWD=/\n",
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n"}) {
    const size_t at = environment.find(expected);
    ASSERT_NE(at, std::string::npos) << expected;
    environment.erase(at, std::string(expected).size());
  }
  EXPECT_EQ(environment, "");
}

TEST_F(HookTest, AFailedPrologKeepsTheJobFromStarting) {
  auto launch = service().batch(1, "echo ran");
  launch.job.prolog = script("prolog", "exit 3");
  executor().start(launch);
  EXPECT_EQ(wait_prolog_failed(), "prolog " + launch.job.prolog + " exited with status 3");
  service().clean(1);
  EXPECT_FALSE(read_file(service().out()));
}

TEST_F(HookTest, APatternRunsAllProgramsInOrderUntilOneFails) {
  const std::string order = service().home() + "/order";
  script("p.10", "echo one >> " + order);
  script("p.20", "echo two >> " + order + "; exit 4");
  script("p.30", "echo three >> " + order);
  auto launch = service().batch(1, "echo ran");
  launch.job.prolog = dir_ + "/p.*";
  executor().start(launch);
  EXPECT_EQ(wait_prolog_failed(), "prolog " + dir_ + "/p.20 exited with status 4");
  EXPECT_EQ(read_file(order), "one\ntwo\n");
  service().clean(1);

  launch.key.job_id = 2;
  launch.job.prolog = dir_ + "/none.*";
  EXPECT_EQ(service().run(launch).failure, "") << "a pattern may match nothing";
}

TEST_F(HookTest, APrologThatTakesTooLongIsKilled) {
  auto launch = service().batch(1, "echo ran");
  launch.job.prolog = script("prolog", "sleep 100");
  launch.job.hook_timeout_s = 1;
  executor().start(launch);
  EXPECT_NE(wait_prolog_failed().find("ended by signal 9"), std::string::npos);
  service().clean(1);
}

TEST_F(HookTest, WhatAPrologLeavesRunningEndsWithIt) {
  const std::string left = dir_ + "/left";
  // Gone, or dead and not yet buried.
  auto launch = service().batch(1, "while grep -qs '^State:.[^ZX]' /proc/$(cat " + left +
                                       ")/status; do sleep 0.05; done; echo gone");
  launch.job.prolog = script("prolog", "sleep 100 & echo $! > " + left);
  service().run(launch);
  EXPECT_EQ(service().read_out(), "gone\n");
}

TEST_F(HookTest, AFailedEpilogIsTold) {
  auto launch = service().batch(1, "true");
  launch.job.epilog = script("epilog", "exit 9");
  executor().start(launch);
  service().wait_end(launch.key);
  executor().forget(launch.key);
  EXPECT_EQ(service().clean(1).epilog_failure,
            "epilog " + launch.job.epilog + " exited with status 9");
}

TEST_F(HookTest, AProgramThatOthersCouldHaveChangedIsNotRun) {
  const std::string good = script("good", "true");
  EXPECT_TRUE(check_trusted_program(good));
  ASSERT_EQ(symlink("good", (dir_ + "/link").c_str()), 0);
  EXPECT_TRUE(check_trusted_program(dir_ + "/link"));

  const std::string writable = script("writable", "true");
  chmod(writable.c_str(), 0777);
  const std::string foreign = script("foreign", "true");
  ASSERT_EQ(chown(foreign.c_str(), service().account().uid, 0), 0);
  mkdir((dir_ + "/open").c_str(), 0777);
  chmod((dir_ + "/open").c_str(), 0777);
  const std::string in_open = script("open/program", "true");
  ASSERT_EQ(symlink((dir_ + "/open/program").c_str(), (dir_ + "/link2").c_str()), 0);
  for (const std::string& path : {writable, foreign, in_open, dir_ + "/link2", dir_ + "/missing",
                                  dir_ + "/open", std::string("relative")}) {
    EXPECT_FALSE(check_trusted_program(path)) << path;
  }

  auto launch = service().batch(1, "echo ran");
  launch.job.prolog = writable;
  executor().start(launch);
  EXPECT_NE(wait_prolog_failed().find("can be written by others"), std::string::npos);
  service().clean(1);
}

TEST_F(HookTest, APrologThatDiedWithItsLauncherRunsAgainOnceTheStepIsAskedForAgain) {
  auto launch = service().batch(1, "echo job >> " + service().home() + "/order");
  const std::string order = service().home() + "/order";
  launch.job.prolog =
      script("prolog", "echo prolog >> " + order + "; chmod 666 " + order + "; sleep 0.3");
  executor().start(launch);
  service().wait_for_text(order, "prolog");
  kill(service().launcher(), SIGKILL);
  service().connect();
  executor().start(launch);
  service().wait_end(launch.key);
  kill(service().launcher(), SIGKILL);
  service().connect();
  service().wait_end(launch.key);
  finish(launch.key);
  EXPECT_EQ(read_file(order), "prolog\nprolog\njob\n");
}

}  // namespace
}  // namespace grappe::exec
