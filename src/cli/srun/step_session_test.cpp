#include "cli/srun/step_session.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <thread>

#include "cli/srun/fake_shepherd.h"

namespace grappe {
namespace {

using exec::FrameType;

// A pipe whose reading end gives everything that was written.
struct Capture {
  UniqueFd read_end, write_end;
  Capture() {
    int pair[2];
    if (pipe2(pair, O_CLOEXEC) != 0) return;
    read_end = UniqueFd(pair[0]);
    write_end = UniqueFd(pair[1]);
  }
  std::string text() {
    write_end.reset();
    std::string out;
    char buffer[4096];
    ssize_t n;
    while ((n = read(read_end.get(), buffer, sizeof buffer)) > 0) {
      out.append(buffer, static_cast<size_t>(n));
    }
    return out;
  }
};

class StepSessionTest : public ::testing::Test {
 protected:
  StepSessionTest() {
    face_.job_id = 27;
    face_.step = "0";
    face_.nodes = {"node1", "node2"};
  }

  // Runs a session of `ntasks`, while `script` plays the shepherd's part.
  SessionEnd run(uint32_t ntasks, SessionSetup setup,
                 const std::function<void(FakeShepherd&)>& script, bool labelled = false,
                 bool unbuffered = false) {
    face_.task_node.resize(ntasks);
    StepOutput output(ntasks, labelled, unbuffered);
    OutputFile* out = output.add_file(std::make_unique<OutputFile>(out_.write_end.get()));
    OutputFile* err = output.add_file(std::make_unique<OutputFile>(err_.write_end.get()));
    for (uint32_t task = 0; task < ntasks; ++task) {
      output.route(StepOutput::kOut, task, out);
      output.route(StepOutput::kErr, task, err);
    }
    FakeShepherd shepherd;
    setup.socket = shepherd.take_client_end();
    std::thread player([&] { script(shepherd); });
    testing::internal::CaptureStderr();
    const SessionEnd end = StepSession(std::move(setup), face_, output, signals_, report_).run();
    player.join();
    said_ = testing::internal::GetCapturedStderr();
    return end;
  }

  // Waits until the captured messages are that long.
  static bool wait_until_said(size_t bytes) {
    for (int attempt = 0; attempt < 4000; ++attempt) {
      struct stat info {};
      if (fstat(STDERR_FILENO, &info) == 0 && static_cast<size_t>(info.st_size) >= bytes)
        return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  Signals signals_;
  Report report_{"srun"};
  StepFace face_;
  Capture out_, err_;
  std::string said_;
};

TEST_F(StepSessionTest, PassesOutputOnAndExitsWithTheTask) {
  auto end = run(1, {}, [](FakeShepherd& shepherd) {
    auto hello = shepherd.hear();
    EXPECT_EQ(hello.type, static_cast<uint32_t>(FrameType::kHello));
    EXPECT_EQ(exec::from_payload<exec::HelloPayload>(hello.payload)->reads_stdin, 1u);
    EXPECT_EQ(shepherd.hear().type, static_cast<uint32_t>(FrameType::kStdinEnd));
    shepherd.say(FrameType::kStdout, 0, "vm\n");
    shepherd.say(FrameType::kStderr, 0, "oh");
    shepherd.exit(0, 7 << 8);
    shepherd.done();
  });
  EXPECT_EQ(end.exit_code, 7);
  EXPECT_EQ(end.status, 7 << 8);
  EXPECT_EQ(out_.text(), "vm\n");
  EXPECT_EQ(err_.text(), "oh");
  EXPECT_EQ(said_, "srun: error: node1: task 0: Exited with exit code 7\n");
}

TEST_F(StepSessionTest, GroupsEndsByNodeAndStatus) {
  face_.task_node = {0, 0, 0, 1};
  auto end = run(4, {}, [](FakeShepherd& shepherd) {
    shepherd.exit(3, 1 << 8);
    for (uint32_t task : {0, 2, 1}) shepherd.exit(task, 1 << 8);
    shepherd.done();
  });
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(said_,
            "srun: error: node2: task 3: Exited with exit code 1\n"
            "srun: error: node1: tasks 0-2: Exited with exit code 1\n");
}

TEST_F(StepSessionTest, ASignalOutdoesAnExitCodeAndIsNamed) {
  auto end = run(2, {}, [](FakeShepherd& shepherd) {
    shepherd.exit(0, 200 << 8);
    shepherd.exit(1, SIGKILL);
    shepherd.done();
  });
  EXPECT_EQ(end.exit_code, 137);
  EXPECT_EQ(said_,
            "srun: error: node1: task 0: Exited with exit code 200\n"
            "srun: error: node1: task 1: Killed\n"
            "srun: Force Terminated StepId=27.0\n");
}

TEST_F(StepSessionTest, SaysThatATaskRanOutOfMemory) {
  auto end = run(1, {}, [](FakeShepherd& shepherd) {
    shepherd.say(FrameType::kOutOfMemory, 0);
    shepherd.exit(0, SIGKILL);
    shepherd.done();
  });
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(end.status, 125) << "what the job's exit code is made of";
  EXPECT_EQ(said_, "srun: error: node1: task 0: Out Of Memory\n");
}

TEST_F(StepSessionTest, ATaskThatLostAProcessForLackOfMemoryHasFailedWhateverItsExit) {
  auto end = run(2, {}, [](FakeShepherd& shepherd) {
    shepherd.say(FrameType::kOutOfMemory, 1);
    shepherd.exit(1, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    shepherd.say(FrameType::kOutOfMemory, 0);
    shepherd.exit(0, 4 << 8);
    shepherd.done();
  });
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(end.status, 125);
  EXPECT_EQ(said_, "srun: error: node1: task 1: Out Of Memory\n");
}

TEST_F(StepSessionTest, LabelsWholeLinesPaddedToTheLastTask) {
  run(
      12, {},
      [](FakeShepherd& shepherd) {
        shepherd.say(FrameType::kStdout, 1, "a\n\nb");
        shepherd.say(FrameType::kStdout, 11, "c\n");
        shepherd.say(FrameType::kStdoutEnd, 1);
        for (uint32_t task = 0; task < 12; ++task) shepherd.exit(task, 0);
        shepherd.done();
      },
      true);
  EXPECT_EQ(out_.text(), " 1: a\n 1: \n11: c\n 1: b\n");
}

TEST_F(StepSessionTest, GivesInputToOneTaskAndItsEndToTheOthers) {
  Capture input;
  ASSERT_EQ(write(input.write_end.get(), "data\n", 5), 5);
  input.write_end.reset();
  SessionSetup setup;
  setup.input = input.read_end.get();
  setup.input_task = 1;
  run(2, std::move(setup), [](FakeShepherd& shepherd) {
    shepherd.hear();
    auto end = shepherd.hear();
    EXPECT_EQ(end.type, static_cast<uint32_t>(FrameType::kStdinEnd));
    EXPECT_EQ(end.task, 0u);
    auto data = shepherd.hear();
    EXPECT_EQ(data.task, 1u);
    EXPECT_EQ(data.payload, "data\n");
    end = shepherd.hear();
    EXPECT_EQ(end.type, static_cast<uint32_t>(FrameType::kStdinEnd));
    EXPECT_EQ(end.task, 1u);
    shepherd.exit(0, 0);
    shepherd.exit(1, 0);
    shepherd.done();
  });
  EXPECT_EQ(said_, "");
}

TEST_F(StepSessionTest, ShowsTheStatesAtTheFirstInterruptAndAbortsAtTheSecond) {
  SessionSetup setup;
  bool killed = false;
  setup.kill_step = [&] { return killed = true; };
  const std::string states =
      "srun: interrupt (one more within 1 sec to abort)\n"
      "srun: StepId=27.0 tasks 0-2: running\n";
  auto end = run(3, std::move(setup), [&](FakeShepherd& shepherd) {
    for (uint32_t task = 0; task < 3; ++task) shepherd.say(FrameType::kStarted, task, "pid.");
    shepherd.say(FrameType::kStdout, 0, "up\n");
    shepherd.hear();
    char up[3];
    EXPECT_EQ(read(out_.read_end.get(), up, 3), 3);  // so the starts before it were heard too
    kill(getpid(), SIGINT);
    EXPECT_TRUE(wait_until_said(states.size()));
    kill(getpid(), SIGINT);
    auto frame = shepherd.hear(FrameType::kSignal);
    EXPECT_EQ(exec::from_payload<int32_t>(frame.payload), SIGINT);
    for (uint32_t task = 0; task < 3; ++task) shepherd.exit(task, SIGINT);
    shepherd.done();
  });
  EXPECT_FALSE(killed);  // they heard the signal
  EXPECT_EQ(end.exit_code, 130);
  EXPECT_EQ(said_,
            states +
                "srun: sending Ctrl-C to StepId=27.0\n"
                "srun: forcing job termination\n"
                "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.\n");
}

TEST_F(StepSessionTest, KillsTasksThatIgnoreTheInterrupt) {
  SessionSetup setup;
  setup.quit_on_interrupt = true;
  auto end = run(1, std::move(setup), [](FakeShepherd& shepherd) {
    shepherd.hear();
    kill(getpid(), SIGINT);
    EXPECT_EQ(exec::from_payload<int32_t>(shepherd.hear(FrameType::kSignal).payload), SIGINT);
    EXPECT_EQ(exec::from_payload<int32_t>(shepherd.hear(FrameType::kSignal).payload), SIGKILL);
    shepherd.exit(0, SIGKILL);
    shepherd.done();
  });
  EXPECT_EQ(end.exit_code, 137);
}

TEST_F(StepSessionTest, ForwardsUserSignals) {
  run(1, {}, [](FakeShepherd& shepherd) {
    shepherd.hear();
    kill(getpid(), SIGUSR2);
    auto frame = shepherd.hear(FrameType::kSignal);
    EXPECT_EQ(exec::from_payload<int32_t>(frame.payload), SIGUSR2);
    shepherd.exit(0, 0);
    shepherd.done();
  });
  EXPECT_EQ(said_, "");
}

TEST_F(StepSessionTest, EndsTheOthersSomeTimeAfterTheFirst) {
  SessionSetup setup;
  setup.wait_s = 1;
  auto end = run(2, std::move(setup), [](FakeShepherd& shepherd) {
    shepherd.say(FrameType::kStarted, 0, "pid.");
    shepherd.say(FrameType::kStarted, 1, "pid.");
    shepherd.exit(0, 0);
    auto frame = shepherd.hear(FrameType::kSignal);
    EXPECT_EQ(exec::from_payload<int32_t>(frame.payload), SIGKILL);
    shepherd.exit(1, SIGKILL);
    shepherd.done();
  });
  EXPECT_EQ(end.exit_code, 137);
  EXPECT_EQ(said_,
            "srun: First task exited 1s ago\n"
            "srun: StepId=27.0 task 1: running\n"
            "srun: StepId=27.0 task 0: exited\n"
            "srun: launch/slurm: _step_signal: Terminating StepId=27.0\n"
            "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.\n"
            "srun: error: node1: task 1: Killed\n");
}

TEST_F(StepSessionTest, SaysThatTheServiceEndsTheStep) {
  auto end = run(1, {}, [](FakeShepherd& shepherd) {
    const uint32_t seconds = 30;
    shepherd.say(FrameType::kEnding, exec::kAllTasks, exec::as_payload(seconds));
    shepherd.exit(0, SIGTERM);
    shepherd.done();
  });
  EXPECT_EQ(end.exit_code, 143);
  EXPECT_EQ(said_,
            "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.\n"
            "srun: error: node1: task 0: Terminated\n");
}

TEST_F(StepSessionTest, FailsWhenTheShepherdIsGone) {
  auto end = run(1, {}, [](FakeShepherd& shepherd) { shepherd.hang_up(); });
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(said_, "srun: error: The connection to StepId=27.0 is lost\n");
}

TEST_F(StepSessionTest, GoesToTheNextShepherdWhenTheFirstHadNotBegun) {
  FakeShepherd next;
  next.say(FrameType::kStarted, 0, "pid.");
  next.exit(0, 3 << 8);
  next.done();
  SessionSetup setup;
  setup.reconnect = [&] { return next.take_client_end(); };
  auto end = run(1, std::move(setup), [](FakeShepherd& shepherd) { shepherd.hang_up(); });
  EXPECT_EQ(end.exit_code, 3);
  EXPECT_EQ(next.hear().type, static_cast<uint32_t>(FrameType::kHello));
  EXPECT_EQ(next.hear().type, static_cast<uint32_t>(FrameType::kStdinEnd));
}

TEST_F(StepSessionTest, TellsTasksThatNobodyReadsTheirOutput) {
  out_.read_end.reset();
  run(1, {}, [](FakeShepherd& shepherd) {
    shepherd.say(FrameType::kStdout, 0, "y\n");
    auto frame = shepherd.hear(FrameType::kSignal);
    EXPECT_EQ(exec::from_payload<int32_t>(frame.payload), SIGPIPE);
    shepherd.exit(0, SIGPIPE);
    shepherd.done();
  });
}

TEST_F(StepSessionTest, AnOnlookerEndsWithoutEndingTheStep) {
  SessionSetup setup;
  setup.attached = true;
  run(1, std::move(setup), [](FakeShepherd& shepherd) {
    auto hello = shepherd.hear();
    EXPECT_EQ(exec::from_payload<exec::HelloPayload>(hello.payload)->reads_stdin, 0u);
    kill(getpid(), SIGINT);
    EXPECT_EQ(shepherd.hear().type, 0u);
  });
  EXPECT_EQ(said_, "");
}

}  // namespace
}  // namespace grappe
