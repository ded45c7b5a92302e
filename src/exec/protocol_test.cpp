#include "exec/protocol.h"

#include <gtest/gtest.h>

#include "exec/step_name.h"

namespace grappe::exec {
namespace {

StepLaunch sample_launch() {
  StepLaunch launch;
  launch.key = {12, kBatchStep, 1};
  launch.uid = 1001;
  launch.gid = 1002;
  launch.user = "alice";
  launch.job.memory_mb = 1024;
  launch.job.cpus = {0, 3};
  launch.job.confine_devices = true;
  launch.job.devices = {"/dev/nvidia0"};
  launch.job.all_devices = {"/dev/nvidia0", "/dev/nvidia1"};
  launch.job.private_tmp = true;
  launch.job.tmp_parent = "/local";
  launch.job.prolog = "/etc/prolog";
  launch.job.script_environment = std::string("A=1\0B=2\0", 8);
  launch.work_dir = "/home/alice";
  launch.environment = std::string("HOME=/home/alice\0", 17);
  launch.script = "#!/bin/sh\ntrue\n";
  launch.programs = {{}, {"/bin/echo", "hello"}};
  launch.tasks = {{0, 0, 0, "X=1", {1}, "/dev/null", "out", "err"}, {1, 1, 1, "", {}, "", "", ""}};
  launch.node_names = {"n1", "n2"};
  launch.open_mode = OpenMode::kAppend;
  launch.rlimits = {{7, 1024, 4096}};
  launch.pty = true;
  launch.rows = 24;
  launch.wait_for_client = true;
  launch.mpi = MpiKind::kPmi2;
  launch.task_epilog = "/etc/task_epilog";
  return launch;
}

// The frame of `value` cut again into type and payload.
FrameSplitter::Frame split(const std::string& bytes) {
  FrameSplitter splitter;
  splitter.append(bytes.data(), bytes.size());
  auto frame = splitter.next();
  EXPECT_TRUE(frame && *frame);
  return **frame;
}

TEST(LauncherProtocol, EveryRequestSurvivesTheWire) {
  const StepKey key{7, 3, 2};
  const LauncherRequest requests[] = {
      Hello{},
      sample_launch(),
      SignalStep{key, 15, SignalTarget::kEverything},
      NotifyStep{key, "slurmstepd: error: *** STEP 7.3 ***", NoticeKind::kEnd},
      FreezeJob{7, true},
      ForgetStep{key},
      CleanJob{7, 2},
      EndNode{key, 1},
      ConfineJob{7, 2, sample_launch().job},
      MeasureSteps{9, {key, {8, 0, 0}}},
  };
  for (const LauncherRequest& request : requests) {
    const std::string bytes = encode_request(request);
    const auto frame = split(bytes);
    const auto decoded = decode_request(frame.type, frame.payload);
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_EQ(decoded->index(), request.index());
    EXPECT_EQ(encode_request(*decoded), bytes);
  }
}

TEST(LauncherProtocol, EveryEventSurvivesTheWire) {
  const StepKey key{7, 3, 2};
  StepEnded ended{
      key, {{0, 256}, {1, 9}}, true, "why", 100, 200, {1, 2, 3, 4, 5, {{0, 1, 2, 3, 4, 5, 6}}}};
  const ExecEvent events[] = {
      StepStarted{key, {{0, 4711}, {1, 4712}}},
      ended,
      JobCleaned{7, 2, "epilog failed"},
      PrologFailed{key, "exit 1"},
      ExecutorReady{
          {key}, {StepEnded{key, {{0, 256}}, true, "x", 1, 2, {}}}, {7, 8}, {"no cgroups"}},
      ExecutorLost{},
      StepsMeasured{9, {{key, 1, 2, {{0, 1, 2, 3, 4, 5, 6}, {1, 7, 8, 9, 10, 11, 12}}, {4711}}}},
      GpusMeasured{{{3, 75, 1 << 30}}},
  };
  for (const ExecEvent& event : events) {
    const std::string bytes = encode_event(event);
    const auto frame = split(bytes);
    const auto decoded = decode_event(frame.type, frame.payload);
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_EQ(decoded->index(), event.index());
    EXPECT_EQ(encode_event(*decoded), bytes);
  }
}

TEST(LauncherProtocol, KeepsEveryFieldOfALaunch) {
  const auto frame = split(encode_request(sample_launch()));
  const auto decoded = decode_request(frame.type, frame.payload);
  ASSERT_TRUE(decoded);
  const auto& launch = std::get<StepLaunch>(*decoded);
  EXPECT_EQ(launch.key, sample_launch().key);
  EXPECT_EQ(launch.gid, 1002u);
  EXPECT_EQ(launch.job.script_environment.size(), 8u);
  EXPECT_EQ(launch.programs[1][1], "hello");
  EXPECT_EQ(launch.tasks[0].std_err, "err");
  EXPECT_EQ(launch.open_mode, OpenMode::kAppend);
  EXPECT_EQ(launch.rlimits[0].hard, 4096u);
  EXPECT_EQ(launch.mpi, MpiKind::kPmi2);
  EXPECT_EQ(launch.task_epilog, "/etc/task_epilog");
}

TEST(LauncherProtocol, RefusesEveryTruncationOfALaunch) {
  const auto frame = split(encode_request(sample_launch()));
  for (size_t size = 0; size < frame.payload.size(); ++size) {
    EXPECT_FALSE(decode_request(frame.type, std::string_view(frame.payload).substr(0, size)));
  }
  EXPECT_FALSE(decode_request(frame.type, frame.payload + "x"));
}

TEST(LauncherProtocol, RefusesAnUnknownTypeAndAnEnumOutOfRange) {
  EXPECT_FALSE(decode_request(99, ""));
  EXPECT_FALSE(decode_event(0, ""));
  auto frame = split(encode_request(SignalStep{{1, 2, 3}, 9, SignalTarget::kEverything}));
  frame.payload.back() = 7;
  EXPECT_FALSE(decode_request(frame.type, frame.payload));
}

TEST(LauncherProtocol, RefusesALaunchThatContradictsItself) {
  const auto refused = [](auto change) {
    StepLaunch launch = sample_launch();
    change(launch);
    const auto frame = split(encode_request(launch));
    return !decode_request(frame.type, frame.payload);
  };
  EXPECT_FALSE(refused([](StepLaunch&) {}));
  EXPECT_TRUE(refused([](StepLaunch& l) { l.tasks[1].program = 2; }));
  EXPECT_TRUE(refused([](StepLaunch& l) { l.tasks[1].node_index = 2; }));
  EXPECT_TRUE(refused([](StepLaunch& l) { l.tasks.clear(); }));
  EXPECT_TRUE(refused([](StepLaunch& l) { l.script.clear(); }));
  EXPECT_TRUE(refused([](StepLaunch& l) { l.tasks[0].std_out = std::string("a\0b", 3); }));
  EXPECT_TRUE(refused([](StepLaunch& l) { l.programs[1][0] = std::string("a\0b", 3); }));
  EXPECT_TRUE(refused([](StepLaunch& l) { l.job.tmp_parent = "relative"; }));
  EXPECT_TRUE(refused([](StepLaunch& l) { l.job.prolog = std::string("/a\0b", 4); }));
}

TEST(LauncherProtocol, CutsAStreamIntoFramesWhereverItIsSplit) {
  const std::string bytes =
      encode_request(FreezeJob{1, true}) + encode_request(CleanJob{2, 0}) + encode_request(Hello{});
  FrameSplitter splitter;
  int frames = 0;
  for (const char byte : bytes) {
    splitter.append(&byte, 1);
    const auto frame = splitter.next();
    ASSERT_TRUE(frame);
    if (*frame) ++frames;
  }
  EXPECT_EQ(frames, 3);
}

TEST(LauncherProtocol, RefusesALengthBeyondTheLimitBeforeReadingIt) {
  const uint32_t header[2] = {0xffffffff, 1};
  FrameSplitter splitter;
  splitter.append(reinterpret_cast<const char*>(header), sizeof header);
  EXPECT_FALSE(splitter.next());
}

TEST(StepName, IsReadBackAndNothingElseIs) {
  for (const StepKey key : {StepKey{12, kBatchStep, 0}, StepKey{1, 0, 3},
                            StepKey{9, kExternStep, 1}, StepKey{4294967295, kInteractiveStep, 0}}) {
    EXPECT_EQ(parse_step_name(step_name(key)), key);
  }
  EXPECT_EQ(step_name({12, kBatchStep, 0}), "12.batch.0");
  for (const char* name : {"", "..", "1.2", "1.batch.0x", "01.batch.0", "-1.0.0", "1.0.0.0",
                           "4294967296.0.0", "1.4294967291.0", "x"}) {
    EXPECT_FALSE(parse_step_name(name)) << name;
  }
}

// A shepherd outlives the program that started it, and its record is read by the next one.
TEST(Protocol, ReadsTheEndThatAnOlderShepherdWroteDown) {
  StepEnded ended{{1, 2, 3}, {{0, 256}}, true, "", 1000, 2000, {}};
  ended.usage.max_rss_bytes = 77;
  std::string before_tasks = encode_step_ended(ended);
  before_tasks.resize(before_tasks.size() - sizeof(uint32_t));
  auto read = decode_step_ended(before_tasks);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->exits.at(0).status, 256);
  EXPECT_EQ(read->usage.max_rss_bytes, 77u);
  before_tasks.pop_back();
  EXPECT_FALSE(decode_step_ended(before_tasks));
}

}  // namespace
}  // namespace grappe::exec
