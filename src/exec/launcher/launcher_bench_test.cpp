// How fast jobs pass through the launcher. Off by default:
//   build/bin/exec_test --gtest_also_run_disabled_tests --gtest_filter='*Bench*'
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <sstream>

#include "exec/os/files.h"
#include "exec/os/identity.h"
#include "exec/testing/service_fixture.h"

namespace grappe::exec {
namespace {

class LauncherBench : public testing::ServiceTest {
 protected:
  using Clock = std::chrono::steady_clock;

  // Processor time of the launcher and of everything it has started and that has ended.
  double cpu_seconds() {
    const auto stat = read_file(fmt::format("/proc/{}/stat", service().launcher()));
    std::istringstream fields(stat->substr(stat->rfind(')') + 2));
    std::string skip;
    for (int i = 0; i < 11; ++i) fields >> skip;
    double ticks = 0, one = 0;
    for (int i = 0; i < 4 && fields >> one; ++i) ticks += one;
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
  }

  // Runs `count` jobs, `width` at a time, each through start, end, forget and clean.
  void run(const char* name, uint32_t count, uint32_t width,
           const std::function<void(StepLaunch&)>& change) {
    const auto begin = Clock::now();
    const double cpu_begin = cpu_seconds();
    uint32_t started = 0, cleaned = 0;
    const auto start_one = [&] {
      auto launch = service().batch(++started, "");
      launch.script = "#!/bin/sh\ntrue\n";
      launch.tasks[0].std_out = launch.tasks[0].std_err = "/dev/null";
      change(launch);
      executor().start(launch);
    };
    while (started < std::min(width, count)) start_one();
    while (cleaned < count) {
      const ExecEvent event = service().wait(
          [](const ExecEvent& e) {
            return std::holds_alternative<StepEnded>(e) || std::holds_alternative<JobCleaned>(e);
          },
          "progress");
      if (const auto* ended = std::get_if<StepEnded>(&event)) {
        EXPECT_EQ(ended->failure, "");
        executor().forget(ended->key);
        executor().clean(ended->key.job_id, 0);
      } else {
        ++cleaned;
        if (started < count) start_one();
      }
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    fmt::print("{:20} {} at a time: {:5.0f} jobs/s, {:5.0f} us of CPU each\n", name, width,
               count / seconds, 1e6 * (cpu_seconds() - cpu_begin) / count);
  }
};

// The floor: fork, become the user, execute the same script.
void run_bare(const testing::Account& account, const std::string& dir, int count) {
  const std::string script = dir + "/bare";
  ASSERT_TRUE(replace_file(AT_FDCWD, script, "#!/bin/sh\ntrue\n", 0755));
  rusage before{}, after{};
  getrusage(RUSAGE_CHILDREN, &before);
  for (int i = 0; i < count; ++i) {
    const pid_t pid = fork();
    if (pid == 0) {
      if (!become({account.uid, account.gid, {account.gid}})) _exit(1);
      execl(script.c_str(), script.c_str(), nullptr);
      _exit(1);
    }
    waitpid(pid, nullptr, 0);
  }
  getrusage(RUSAGE_CHILDREN, &after);
  const auto seconds = [](const rusage& r) {
    return static_cast<double>(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
  };
  fmt::print("{:20} {:5.0f} us of CPU each\n", "bare fork and exec",
             1e6 * (seconds(after) - seconds(before)) / count);
}

TEST_F(LauncherBench, DISABLED_Plain) {
  run_bare(service().account(), service().dir(), 500);
  const auto plain = [](StepLaunch&) {};
  run("plain", 1000, 1, plain);
  run("plain", 2000, 8, plain);
}

TEST_F(LauncherBench, DISABLED_Limits) {
  run("memory limit", 1000, 8, [](StepLaunch& l) { l.job.memory_mb = 1000; });
  run("memory, cpus, pids", 1000, 8, [](StepLaunch& l) {
    l.job.memory_mb = 1000;
    l.job.cpus = {0, 1};
    l.job.max_processes = 1000;
  });
}

TEST_F(LauncherBench, DISABLED_DeviceFilter) {
  run("device filter", 1000, 8, [](StepLaunch& l) {
    l.job.confine_devices = true;
    l.job.all_devices = {"/dev/fuse"};
  });
}

TEST_F(LauncherBench, DISABLED_TemporaryFolder) {
  run("tmp folder", 1000, 8,
      [&](StepLaunch& l) { l.job.tmp_parent = service().dir() + "/scratch"; });
}

TEST_F(LauncherBench, DISABLED_PrivateTmp) {
  run("private tmp", 1000, 8, [&](StepLaunch& l) {
    l.job.tmp_parent = service().dir() + "/scratch";
    l.job.private_tmp = true;
  });
}

// What looking at 500 steps costs, each a shell and a program.
TEST_F(LauncherBench, DISABLED_Sampling) {
  constexpr uint32_t kSteps = 500;
  constexpr int kRounds = 20, kDefaultFrequency = 30;
  std::vector<StepKey> keys;
  for (uint32_t i = 1; i <= kSteps; ++i) {
    auto launch = service().batch(i, "sleep 1000; true");
    launch.tasks[0].std_out = launch.tasks[0].std_err = "/dev/null";
    keys.push_back(launch.key);
    executor().start(launch);
    service().wait_start(launch.key);
  }
  usleep(2'000'000);
  const auto sampled = [](const ExecEvent& e) { return std::holds_alternative<StepsMeasured>(e); };
  const double cpu_begin = cpu_seconds();
  const auto begin = Clock::now();
  for (int round = 0; round < kRounds; ++round) {
    executor().measure(1, keys);
    const ExecEvent event = service().wait(sampled, "samples");
    EXPECT_EQ(std::get<StepsMeasured>(event).steps.size(), kSteps);
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count() / kRounds;
  const double cpu = (cpu_seconds() - cpu_begin) / kRounds;
  fmt::print(
      "sampling {} steps: {:.1f} ms, {:.1f} ms of CPU; every {} s that is {:.3f} % of a core\n",
      kSteps, 1e3 * seconds, 1e3 * cpu, kDefaultFrequency, 100 * cpu / kDefaultFrequency);
  for (const StepKey key : keys) {
    executor().clean(key.job_id, 0);
    service().wait_end(key);
    executor().forget(key);
  }
}

}  // namespace
}  // namespace grappe::exec
