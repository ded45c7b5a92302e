#include "exec/launcher_client.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <condition_variable>
#include <mutex>

#include "exec/protocol.h"

namespace grappe::exec {
namespace {

// The launcher's end of the pair, driven by the test.
struct Peer {
  Peer() {
    int fds[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    mine.reset(fds[0]);
    theirs.reset(fds[1]);
  }
  LauncherRequest receive() {
    while (true) {
      auto frame = splitter.next();
      if (frame && *frame) return *decode_request((*frame)->type, (*frame)->payload);
      char buffer[4096];
      const ssize_t n = read(mine.get(), buffer, sizeof buffer);
      if (n <= 0) return Hello{0};
      splitter.append(buffer, static_cast<size_t>(n));
    }
  }
  void send(const std::string& bytes) {
    EXPECT_EQ(write(mine.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  UniqueFd mine, theirs;
  FrameSplitter splitter;
};

struct Inbox {
  void put(std::vector<ExecEvent> told) {
    const std::lock_guard lock(mutex);
    std::ranges::move(told, std::back_inserter(events));
    ++calls;
    changed.notify_all();
  }
  ExecEvent wait() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return taken < events.size(); });
    return events[taken++];
  }
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<ExecEvent> events;
  size_t taken = 0, calls = 0;
};

TEST(LauncherExecutor, SaysHelloAndPassesCallsAndEvents) {
  Peer peer;
  Inbox inbox;
  LauncherExecutor executor(std::move(peer.theirs), "/run/x");
  executor.listen([&](std::vector<ExecEvent> events) { inbox.put(std::move(events)); });
  EXPECT_EQ(std::get<Hello>(peer.receive()).version, kLauncherProtocolVersion);

  executor.signal({1, 2, 0}, 10, SignalTarget::kBatchShell);
  EXPECT_EQ(std::get<SignalStep>(peer.receive()).signal_number, 10);
  executor.clean(5, 1);
  EXPECT_EQ(std::get<CleanJob>(peer.receive()).job_id, 5u);

  peer.send(encode_event(JobCleaned{5, 1, ""}));
  EXPECT_EQ(std::get<JobCleaned>(inbox.wait()).restart, 1u);
  EXPECT_EQ(executor.socket_path({5, kBatchStep, 1}), "/run/x/steps/5.batch.1");
}

TEST(LauncherExecutor, SaysOnceThatTheLauncherIsLost) {
  Peer peer;
  Inbox inbox;
  LauncherExecutor executor(std::move(peer.theirs), "/run/x");
  executor.listen([&](std::vector<ExecEvent> events) { inbox.put(std::move(events)); });
  peer.mine.reset();
  EXPECT_TRUE(std::holds_alternative<ExecutorLost>(inbox.wait()));
  executor.forget({1, 2, 0});  // still harmless
  EXPECT_EQ(inbox.events.size(), 1u);
}

TEST(LauncherExecutor, TreatsAMalformedEventAsALostLauncher) {
  Peer peer;
  Inbox inbox;
  LauncherExecutor executor(std::move(peer.theirs), "/run/x");
  executor.listen([&](std::vector<ExecEvent> events) { inbox.put(std::move(events)); });
  std::string bytes = encode_event(JobCleaned{5, 1, "text"});
  bytes[8 + 8] = 127;  // the length of the text
  peer.send(bytes);
  EXPECT_TRUE(std::holds_alternative<ExecutorLost>(inbox.wait()));
}

TEST(LauncherExecutor, TellsInOneCallWhatCameTogether) {
  Peer peer;
  Inbox inbox;
  LauncherExecutor executor(std::move(peer.theirs), "/run/x");
  peer.send(encode_event(JobCleaned{5, 1, ""}) + encode_event(JobCleaned{6, 0, ""}));
  executor.listen([&](std::vector<ExecEvent> events) { inbox.put(std::move(events)); });
  EXPECT_EQ(std::get<JobCleaned>(inbox.wait()).job_id, 5u);
  EXPECT_EQ(std::get<JobCleaned>(inbox.wait()).job_id, 6u);
  EXPECT_EQ(inbox.calls, 1u);
}

TEST(LauncherExecutor, TellsWhatCameBeforeAMalformedEvent) {
  Peer peer;
  Inbox inbox;
  LauncherExecutor executor(std::move(peer.theirs), "/run/x");
  std::string bad = encode_event(JobCleaned{6, 0, "text"});
  bad[8 + 8] = 127;
  peer.send(encode_event(JobCleaned{5, 1, ""}) + bad);
  executor.listen([&](std::vector<ExecEvent> events) { inbox.put(std::move(events)); });
  EXPECT_EQ(std::get<JobCleaned>(inbox.wait()).job_id, 5u);
  EXPECT_TRUE(std::holds_alternative<ExecutorLost>(inbox.wait()));
}

TEST(LauncherExecutor, SendsAMessageLargerThanTheSocketBuffer) {
  Peer peer;
  LauncherExecutor executor(std::move(peer.theirs), "/run/x");
  executor.listen([](const std::vector<ExecEvent>&) {});
  StepLaunch launch;
  launch.script.assign(8 << 20, 'x');
  launch.programs = {{}};
  launch.node_names = {"n"};
  launch.tasks.resize(1);
  executor.start(launch);
  EXPECT_TRUE(std::holds_alternative<Hello>(peer.receive()));
  EXPECT_EQ(std::get<StepLaunch>(peer.receive()).script.size(), 8u << 20);
}

}  // namespace
}  // namespace grappe::exec
