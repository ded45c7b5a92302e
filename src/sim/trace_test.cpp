// The recorded schedule of an independent simulator, and the goals that our policy has on it.
// GRAPPE_TRACES names the folder of traces; the tests are skipped without it.
#include "sim/trace.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <unordered_map>

#include "sim/forecast.h"
#include "sim/metrics.h"
#include "sim/policies.h"

namespace grappe::sim {
namespace {

std::string trace_file(const std::string& name) {
  const char* folder = std::getenv("GRAPPE_TRACES");
  std::string path = std::string(folder ? folder : GRAPPE_TRACES_BESIDE) + "/" + name;
  return std::ifstream(path).good() ? path : "";
}

#define OPEN_OR_SKIP(variable, name)                                           \
  if (trace_file(name).empty()) {                                              \
    GTEST_SKIP() << name << " is not in $GRAPPE_TRACES (or ../shared/traces)"; \
  }                                                                            \
  auto variable = open_trace(trace_file(name));                                \
  ASSERT_TRUE(variable) << variable.error().message

class Recorder : public Metrics {
 public:
  using Metrics::Metrics;
  void started(const TraceJob& job, Time now) override {
    Metrics::started(job, now);
    same += now - job.submit == job.recorded_wait;
  }
  uint64_t same = 0;
};

TEST(Traces, EasyAgreesWithAnIndependentSimulator) {
  OPEN_OR_SKIP(workload, "KTH-SP2.pyss-easy.swf.gz");
  double wait = 0, slowdown = 0, jobs = 0;
  auto recorded = (*workload)->jobs();
  while (auto job = recorded->next()) {
    wait += double(job->recorded_wait);
    slowdown += bounded_slowdown(job->recorded_wait, job->run);
    ++jobs;
  }
  Trial trial{*parse_machine("100"), find_policy("easy")->policy};
  Recorder recorder(trial.machine);
  World world(trial, &recorder);
  replay(world, *(*workload)->jobs());
  Figures figures = recorder.figures();
  EXPECT_EQ(figures.jobs, 28481u);
  EXPECT_NEAR(figures.mean_wait, wait / jobs, 0.02 * wait / jobs);
  EXPECT_NEAR(figures.mean_slowdown, slowdown / jobs, 0.02 * slowdown / jobs);
  EXPECT_GE(double(recorder.same), 0.95 * jobs);
}

Figures figures_with(std::string_view policy, const Machine& machine, Workload& workload) {
  Metrics metrics(machine);
  World world({machine, find_policy(policy)->policy}, &metrics);
  replay(world, *workload.jobs());
  return metrics.figures();
}

TEST(Traces, TheDefaultPolicyBeatsEasyAndNoUserPaysForIt) {
  OPEN_OR_SKIP(workload, "KTH-SP2.pyss-easy.swf.gz");
  Machine machine = *parse_machine("100");
  Figures easy = figures_with("easy", machine, **workload);
  Figures ours = figures_with("grappe", machine, **workload);
  EXPECT_LT(ours.mean_slowdown, easy.mean_slowdown);
  EXPECT_LT(ours.mean_wait, easy.mean_wait);
  for (std::size_t user = 0; user < easy.users.size(); ++user) {
    EXPECT_LE(double(ours.users[user].worst_wait), 1.1 * double(easy.users[user].worst_wait))
        << "user " << (*workload)->people().users.name(static_cast<uint32_t>(user));
  }
}

// The GPU trace dealt out to twelve machines of four nodes, each with more work than it can do:
// every job of the trace counts once. GPU-hours that they deliver until the last job came.
TEST(Traces, MoreGpuHoursThanWithWholeNodeReservations) {
  OPEN_OR_SKIP(workload, "philly.csv.gz");
  constexpr uint64_t kMachines = 12;
  Machine machine = *parse_machine("4x64:gpu=8");
  auto hours = [&](std::string_view policy) {
    double sum = 0;
    for (uint64_t i = 0; i < kMachines; ++i) {
      Trial trial{machine, find_policy(policy)->policy};
      trial.policy.max_reservations = 50;
      Metrics metrics(machine);
      World world(trial, &metrics);
      replay(world, *dealt(**workload, kMachines, i)->jobs());
      sum += metrics.figures().gpu_hours;
    }
    return sum;
  };
  EXPECT_GT(hours("grappe"), hours("whole-node"));
}

TEST(Traces, ForecastsAreNearAndTheirBoundsHold) {
  OPEN_OR_SKIP(workload, "KTH-SP2.pyss-easy.swf.gz");
  sched::ForecastOptions options;
  options.samples = 20;
  Trial trial{*parse_machine("100"), sched::default_policy()};
  ForecastScore score = score_forecasts(trial, *(*workload)->jobs(), 20, options);
  EXPECT_GT(score.jobs, 500u);
  EXPECT_LE(score.error_part(), 0.44);
  EXPECT_GE(score.covered, 0.88);
  EXPECT_LE(score.covered, 0.92);
}

TEST(Trace, ABrokenFileIsNamedWithItsLine) {
  std::string path = ::testing::TempDir() + "/broken.swf";
  std::ofstream(path) << "; MaxProcs: 8\n1 0 0 5 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1\n2 0 oops\n";
  auto workload = open_trace(path);
  ASSERT_FALSE(workload);
  EXPECT_EQ(workload.error().message, path + ":3: column 3 of 18 is not a number");
  std::ofstream(path) << "";
  EXPECT_EQ(open_trace(path).error().message, path + ": there is no job in it that could be run");
  std::remove(path.c_str());
  EXPECT_EQ(open_trace(path).error().message, path + ": No such file or directory");
}

TEST(Trace, RowsOutOfOrderAreSorted) {
  std::string path = ::testing::TempDir() + "/unsorted.swf";
  std::ofstream(path) << "7 90 0 5 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1\n"
                         "8 10 0 5 1 -1 -1 1 60 -1 1 2 1 -1 -1 -1 -1 -1\n";
  auto workload = open_trace(path);
  ASSERT_TRUE(workload);
  for (int round = 0; round < 2; ++round) {
    auto jobs = (*workload)->jobs();
    EXPECT_EQ(jobs->next()->id, 8u);
    EXPECT_EQ(jobs->next()->id, 7u);
    EXPECT_FALSE(jobs->next());
  }
  std::remove(path.c_str());
}

}  // namespace
}  // namespace grappe::sim
