// End to end: what srun and sattach see of a step.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <csignal>
#include <set>

#include "exec/os/files.h"
#include "exec/os/identity.h"
#include "exec/testing/service_fixture.h"

namespace grappe::exec {
namespace {

using testing::StepClient;

class StepIoTest : public testing::ServiceTest {
 protected:
  StepClient attach(const StepLaunch& launch, bool supplies_input = true) {
    return StepClient(executor().socket_path(launch.key), supplies_input);
  }
};

TEST_F(StepIoTest, EveryTasksOutputAndExitReachTheClient) {
  const auto launch = service().step(
      1, 3, {"/bin/bash", "-c", "echo out $SLURM_PROCID; echo err >&2; exit $SLURM_PROCID"});
  executor().start(launch);
  auto client = attach(launch);
  ASSERT_TRUE(client.wait(FrameType::kDone));
  std::map<uint32_t, int> exits;
  for (const auto& frame : client.frames) {
    if (frame.type == static_cast<uint32_t>(FrameType::kTaskExit)) {
      exits[frame.task] = *from_payload<int32_t>(frame.payload);
    }
  }
  for (uint32_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(client.output(FrameType::kStdout, rank), fmt::format("out {}\n", rank));
    EXPECT_EQ(client.output(FrameType::kStderr, rank), "err\n");
    EXPECT_EQ(exits.at(rank), static_cast<int>(rank) << 8);
  }
  const auto ended = service().wait_end(launch.key);
  EXPECT_EQ(ended.exits.size(), 3u);
  EXPECT_EQ(ended.exits[2].status, 2 << 8);
  finish(launch.key);
}

TEST_F(StepIoTest, InputGoesToOneTaskOrToAll) {
  const auto launch = service().step(1, 2, {"/bin/cat"});
  executor().start(launch);
  auto client = attach(launch);
  client.send(FrameType::kStdin, kAllTasks, "all\n");
  client.send(FrameType::kStdin, 1, "one\n");
  client.send(FrameType::kStdinEnd, kAllTasks);
  ASSERT_TRUE(client.wait(FrameType::kDone));
  EXPECT_EQ(client.output(FrameType::kStdout, 0), "all\n");
  EXPECT_EQ(client.output(FrameType::kStdout, 1), "all\none\n");
  service().wait_end(launch.key);
  finish(launch.key);
}

TEST_F(StepIoTest, NoByteOfALargeOutputIsLost) {
  auto launch = service().step(1, 2, {"/bin/bash", "-c", "head -c 5000000 /dev/zero"});
  executor().start(launch);
  auto client = attach(launch);
  ASSERT_TRUE(client.wait(FrameType::kDone));
  EXPECT_EQ(client.output().size(), 10'000'000u);
  service().wait_end(launch.key);
  finish(launch.key);
}

TEST_F(StepIoTest, ASlowClientStillGetsEverythingAfterTheStepHasEnded) {
  auto launch = service().step(1, 1, {"/bin/bash", "-c", "head -c 600000 /dev/zero; echo end"});
  executor().start(launch);
  auto client = attach(launch);
  const auto ended = service().wait_end(launch.key);  // without the client having read a byte
  EXPECT_EQ(ended.exits.at(0).status, 0);
  finish(launch.key);
  ASSERT_TRUE(client.wait(FrameType::kDone));
  EXPECT_EQ(client.output().size(), 600'004u);
}

TEST_F(StepIoTest, LargeInputWaitsUntilTheTaskReadsIt) {
  const auto launch = service().step(1, 1, {"/bin/bash", "-c", "sleep 0.3; wc -c"});
  executor().start(launch);
  auto client = attach(launch);
  const std::string block(100'000, 'x');
  for (int i = 0; i < 50; ++i) client.send(FrameType::kStdin, 0, block);
  client.send(FrameType::kStdinEnd, 0);
  ASSERT_TRUE(client.wait(FrameType::kDone));
  EXPECT_EQ(client.output(), "5000000\n");
  service().wait_end(launch.key);
  finish(launch.key);
}

TEST_F(StepIoTest, ABackgroundChildDoesNotHoldTheOutputOpen) {
  const auto launch = service().step(1, 1, {"/bin/bash", "-c", "sleep 1000 & echo done"});
  executor().start(launch);
  auto client = attach(launch);
  ASSERT_TRUE(client.wait(FrameType::kDone));
  EXPECT_EQ(client.output(), "done\n");
  service().wait_end(launch.key);
  finish(launch.key);
}

TEST_F(StepIoTest, TasksStartOnlyWhenTheClientIsThere) {
  const auto launch =
      service().step(1, 1, {"/bin/bash", "-c", "touch " + service().home() + "/ran"});
  executor().start(launch);
  usleep(200'000);
  EXPECT_NE(access((service().home() + "/ran").c_str(), F_OK), 0);
  auto client = attach(launch);
  ASSERT_TRUE(client.wait(FrameType::kDone));
  EXPECT_EQ(access((service().home() + "/ran").c_str(), F_OK), 0);
  service().wait_end(launch.key);
  finish(launch.key);
}

TEST_F(StepIoTest, AVanishedClientEndsTheStep) {
  auto launch = service().step(1, 2, {"/bin/bash", "-c", "echo ready; sleep 1000"});
  executor().start(launch);
  auto client = attach(launch);
  ASSERT_TRUE(client.wait_for_output("ready"));
  client.close();
  EXPECT_EQ(service().wait_end(launch.key).exits.at(0).status, SIGTERM);
  finish(launch.key);
}

TEST_F(StepIoTest, ASecondClientLooksOnAndKeepsTheStepAlive) {
  auto launch = service().step(
      1, 1,
      {"/bin/bash", "-c",
       "echo ready; read line; until [ -e go ]; do sleep 0.01; done; echo $line.end"});
  executor().start(launch);
  auto owner = attach(launch);
  ASSERT_TRUE(owner.wait_for_output("ready"));
  auto onlooker = attach(launch, false);
  ASSERT_TRUE(onlooker.wait(FrameType::kStarted));
  owner.close();
  usleep(100'000);
  ASSERT_TRUE(replace_file(AT_FDCWD, service().home() + "/go", "", 0644));
  ASSERT_TRUE(onlooker.wait(FrameType::kDone));
  EXPECT_EQ(onlooker.output(), "ready\n.end\n");
  service().wait_end(launch.key);
  finish(launch.key);
}

TEST_F(StepIoTest, WhoAttachesLateSeesTheLastOutputOfEachTaskButNotAllOfIt) {
  auto launch = service().step(1, 2,
                               {"/bin/bash", "-c",
                                "head -c 500000 /dev/zero; echo; echo here $SLURM_PROCID; until [ "
                                "-e go ]; do sleep 0.01; done"});
  launch.tasks[1].node_index = 1;
  launch.node_names.push_back("other");
  executor().start(launch);
  auto owner = attach(launch);
  ASSERT_TRUE(owner.wait_for_output("here 0"));
  ASSERT_TRUE(owner.wait_for_output("here 1"));
  auto onlooker = attach(launch, false);
  ASSERT_TRUE(onlooker.wait_for_output("here 0"));
  ASSERT_TRUE(onlooker.wait_for_output("here 1"));
  for (uint32_t rank = 0; rank < 2; ++rank) {
    EXPECT_LE(onlooker.output(FrameType::kStdout, rank).size(), 128u * 1024);
    EXPECT_GT(onlooker.output(FrameType::kStdout, rank).size(), 32u * 1024);
  }
  ASSERT_TRUE(replace_file(AT_FDCWD, service().home() + "/go", "", 0644));
  ASSERT_TRUE(owner.wait(FrameType::kDone));
  service().wait_end(launch.key);
  finish(launch.key);
}

TEST_F(StepIoTest, AClientsSignalReachesEveryProcessOfTheTasks) {
  auto launch = service().step(1, 1, {"/bin/bash", "-c", "(echo ready; exec sleep 1000); echo $?"});
  executor().start(launch);
  auto client = attach(launch);
  ASSERT_TRUE(client.wait_for_output("ready"));
  const int32_t number = SIGINT;
  client.send(FrameType::kSignal, kAllTasks, as_payload(number));
  EXPECT_EQ(service().wait_end(launch.key).exits.at(0).status, SIGINT);
  finish(launch.key);
}

TEST_F(StepIoTest, AFileThatCanNotBeOpenedIsToldToTheClient) {
  auto launch = service().step(1, 1, {"/bin/true"});
  launch.tasks[0].std_out = "/proc/nowhere";
  executor().start(launch);
  auto client = attach(launch);
  const auto failed = client.wait(FrameType::kTaskFailed);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->payload, "Slurmd could not connect IO");
  ASSERT_TRUE(client.wait(FrameType::kTaskExit));
  service().wait_end(launch.key);
  finish(launch.key);
}

TEST_F(StepIoTest, OneBadExitEndsTheOthersWhenAsked) {
  auto launch =
      service().step(1, 2, {"/bin/bash", "-c", "[ $SLURM_PROCID = 0 ] && exit 3; sleep 1000"});
  launch.kill_on_bad_exit = true;
  executor().start(launch);
  auto client = attach(launch);
  const auto ended = service().wait_end(launch.key);
  EXPECT_EQ(ended.exits.at(0).status, 3 << 8);
  EXPECT_EQ(ended.exits.at(1).status, SIGTERM);
  finish(launch.key);
}

TEST_F(StepIoTest, OthersEndSomeTimeAfterTheFirstWhenAsked) {
  auto launch =
      service().step(1, 2, {"/bin/bash", "-c", "[ $SLURM_PROCID = 0 ] && exit 0; sleep 1000"});
  launch.wait_seconds = 1;
  executor().start(launch);
  auto client = attach(launch);
  EXPECT_EQ(service().wait_end(launch.key).exits.at(1).status, SIGKILL);
  finish(launch.key);
}

TEST_F(StepIoTest, NobodyElseCanConnect) {
  auto launch = service().step(1, 1, {"/bin/true"});
  executor().start(launch);
  const std::string path = executor().socket_path(launch.key);
  while (access(path.c_str(), F_OK) != 0) usleep(1000);
  usleep(50'000);
  const pid_t other = fork();
  if (other == 0) {
    if (!become({65534, 65534, {65534}})) _exit(3);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    _exit(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 ? 1 : 0);
  }
  int status = 0;
  waitpid(other, &status, 0);
  EXPECT_EQ(status, 0) << "another user could connect";
  auto client = attach(launch);
  ASSERT_TRUE(client.wait(FrameType::kDone));
  service().wait_end(launch.key);
  finish(launch.key);
}

TEST_F(StepIoTest, GarbageFromAClientEndsOnlyThatConnection) {
  auto launch = service().step(1, 1, {"/bin/bash", "-c", "read line; echo $line"});
  executor().start(launch);
  auto client = attach(launch);
  ASSERT_TRUE(client.wait(FrameType::kStarted));
  auto bad = attach(launch, false);
  bad.send(static_cast<FrameType>(9999), 0, "garbage");
  EXPECT_FALSE(bad.wait(FrameType::kDone));
  client.send(FrameType::kStdin, 0, "fine\n");
  ASSERT_TRUE(client.wait(FrameType::kDone));
  EXPECT_EQ(client.output(), "fine\n");
  service().wait_end(launch.key);
  finish(launch.key);
}

TEST_F(StepIoTest, ATerminalHasJobControlAndASize) {
  // Without an editor, which changes the terminal between commands and may lose what is typed then.
  auto launch = service().step(1, 1, {"/bin/bash", "--norc", "--noediting", "-i"});
  launch.pty = true;
  launch.rows = 33;
  launch.cols = 77;
  launch.environment += std::string("PS1=$\0", 6);
  executor().start(launch);
  auto client = attach(launch);
  client.send(FrameType::kStdin, 0, "stty size; tty; stat -c %U $(tty)\n");
  ASSERT_TRUE(client.wait_for_output("33 77"));
  ASSERT_TRUE(client.wait_for_output("/dev/pts/"));
  ASSERT_TRUE(client.wait_for_output(service().account().name));
  const ResizePayload size{50, 100};
  client.send(FrameType::kResize, 0, as_payload(size));
  client.send(FrameType::kStdin, 0, "stty size\n");
  ASSERT_TRUE(client.wait_for_output("50 100"));
  client.send(FrameType::kStdin, 0, "(echo 'be''gun'; exec sleep 1000)\n");
  ASSERT_TRUE(client.wait_for_output("begun"));
  client.send(FrameType::kStdin, 0, "\x1a");  // ^Z
  ASSERT_TRUE(client.wait_for_output("Stopped"));
  client.send(FrameType::kStdin, 0,
              "p=$(jobs -p); kill -9 $p; while [ -e /proc/$p ]; do sleep 0.05; done\n\n");
  ASSERT_TRUE(client.wait_for_output("Killed")) << client.output();
  client.send(FrameType::kStdin, 0, "exit 6\n");
  ASSERT_TRUE(client.wait(FrameType::kDone)) << client.output();
  EXPECT_EQ(client.output().find("no job control"), std::string::npos) << client.output();
  EXPECT_EQ(service().wait_end(launch.key).exits.at(0).status, 6 << 8);
  finish(launch.key);
}

TEST_F(StepIoTest, TaskPrologChangesTheEnvironmentAndTaskEpilogRunsAfter) {
  auto launch = service().step(1, 1, {"/bin/bash", "-c", "echo $ADDED.$GONE"});
  launch.environment += std::string("GONE=here\0", 10);
  const std::string prolog = service().dir() + "/task_prolog",
                    epilog = service().dir() + "/task_epilog";
  ASSERT_TRUE(replace_file(AT_FDCWD, prolog,
                           "#!/bin/sh\necho print hello\necho export ADDED=a=b\necho unset GONE\n",
                           0755));
  ASSERT_TRUE(
      replace_file(AT_FDCWD, epilog, "#!/bin/sh\nid -u > " + service().home() + "/epilog\n", 0755));
  launch.task_prolog = prolog;
  launch.task_epilog = epilog;
  executor().start(launch);
  auto client = attach(launch);
  ASSERT_TRUE(client.wait(FrameType::kDone));
  EXPECT_EQ(client.output(), "hello\na=b.\n");
  service().wait_end(launch.key);
  finish(launch.key);
  EXPECT_EQ(read_file(service().home() + "/epilog"), fmt::format("{}\n", service().account().uid));
}

}  // namespace
}  // namespace grappe::exec
