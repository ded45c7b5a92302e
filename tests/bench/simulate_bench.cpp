// How fast the simulator is and how good its forecasts are.
//
//   simulate_bench FOLDER [JOBS]    the folder of traces; jobs of the longest run (10000000)
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "sim/forecast.h"
#include "sim/generator.h"
#include "sim/metrics.h"
#include "sim/policies.h"

namespace grappe::sim {
namespace {

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void say(std::string_view what, const std::string& value, std::string_view wanted) {
  fmt::print("{:<52} {:>16} (wanted: {})\n", what, value, wanted);
  std::fflush(stdout);
}

Figures timed_run(const Trial& trial, Workload& workload, double& seconds) {
  Metrics metrics(trial.machine);
  World world(trial, &metrics);
  double begin = cpu_seconds();
  replay(world, *workload.jobs());
  seconds = cpu_seconds() - begin;
  return metrics.figures();
}

std::string per_minute(uint64_t jobs, double seconds) {
  return fmt::format("{:.2f} M", static_cast<double>(jobs) / seconds * 60 / 1e6);
}

void easy_speed(Workload& trace) {
  Trial trial{*parse_machine("100"), find_policy("easy")->policy};
  double seconds = 0;
  Figures figures = timed_run(trial, trace, seconds);
  say("EASY on KTH-SP2, jobs a minute", per_minute(figures.jobs, seconds), "at least 1 M");
}

void policies_on(Workload& trace) {
  Machine machine = *parse_machine("100");
  double seconds = 0;
  Figures easy = timed_run({machine, find_policy("easy")->policy}, trace, seconds);
  Figures ours = timed_run({machine, sched::default_policy()}, trace, seconds);
  say("slowdown on KTH-SP2, grappe over EASY",
      fmt::format("{:.3f}", ours.mean_slowdown / easy.mean_slowdown), "less than 1");
  double worst = 0;
  for (std::size_t u = 0; u < easy.users.size(); ++u) {
    auto before = static_cast<double>(std::max<Time>(easy.users[u].worst_wait, 1));
    worst = std::max(worst, static_cast<double>(ours.users[u].worst_wait) / before);
  }
  say("  a user's worst wait over that with EASY, at most", fmt::format("{:.3f}", worst),
      "at most 1.1");
}

// Memory grows with the queue, not with the number of jobs.
void long_run(uint64_t jobs) {
  Machine machine = *parse_machine("128");
  GeneratorOptions options;
  options.jobs = jobs;
  options.load = 0.7;
  double seconds = 0;
  auto workload = generated(options, machine);
  Figures figures = timed_run({machine, find_policy("easy")->policy}, *workload, seconds);
  say(fmt::format("EASY, {} made-up jobs, jobs a minute", figures.jobs),
      per_minute(figures.jobs, seconds), "at least 1 M");
  say(fmt::format("  memory of the process (longest queue: {})", figures.most_waiting),
      fmt::format("{:.1f} MB", peak_mb()), "does not grow with jobs");
}

void forecasts_on(Workload& trace) {
  Trial trial{*parse_machine("100"), sched::default_policy()};
  ForecastScore score = score_forecasts(trial, *trace.jobs(), 4, {20, 1, {}});
  say(fmt::format("error of {} forecasts over the mean wait", score.jobs),
      fmt::format("{:.3f}", score.error_part()), "at most 0.44");
  say("  jobs that started until their 90 % bound", fmt::format("{:.1f} %", 100 * score.covered),
      "88 to 92 %");
}

// The GPU trace dealt out to twelve machines of four nodes: every job counts once.
void gpu_hours(const std::string& folder) {
  constexpr uint64_t kMachines = 12;
  auto trace = open_trace(folder + "/philly.csv.gz");
  if (!trace) return fmt::print("skipped, no trace: {}\n", trace.error().message);
  Machine machine = *parse_machine("4x64:gpu=8");
  double whole = 0;
  for (std::string_view policy : {"whole-node", "grappe", "pack", "first-in-line"}) {
    double hours = 0, seconds = 0;
    for (uint64_t i = 0; i < kMachines; ++i) {
      Trial trial{machine, find_policy(policy)->policy};
      trial.policy.max_reservations = std::min(trial.policy.max_reservations, 50u);
      hours += timed_run(trial, *dealt(**trace, kMachines, i), seconds).gpu_hours;
    }
    if (policy == "whole-node") whole = hours;
    say(fmt::format("GPU-hours of the Philly trace, {}", policy), fmt::format("{:.0f}", hours),
        fmt::format("{:.4f} of whole-node", hours / whole));
  }
}

// One forecast, for the last of ten thousand that wait.
void forecast_speed() {
  constexpr uint64_t kQueue = 10000;
  Machine machine = *parse_machine("64x64:gpu=8");
  World world({machine, sched::default_policy()});
  GeneratorOptions options;
  options.jobs = 2 * kQueue;
  auto workload = generated(options, machine);
  auto jobs = workload->jobs();
  sched::Arrivals arrivals;
  uint64_t last = 0;
  while (world.waiting().size() < kQueue) {
    std::optional<TraceJob> job = jobs->next();
    if (!job) break;
    arrivals.add(world.arrival_of(*job));
    last = job->id;
    job->submit = world.now();
    world.submit(*job);
    if (world.waiting().size() < 500) world.schedule();
  }
  double begin = cpu_seconds();
  const sched::Forecast when = forecast(world, arrivals, last, {}).value();
  say(fmt::format("a forecast in a queue of {} (in {:.1f} h)", world.waiting().size(),
                  static_cast<double>(when.median) / 3600),
      fmt::format("{:.2f} s", cpu_seconds() - begin), "at most 1 s");
}

}  // namespace
}  // namespace grappe::sim

int main(int argc, char** argv) {
  std::string folder = argc > 1 ? argv[1] : "../shared/traces";
  uint64_t most = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 10000000;
  for (uint64_t jobs = 100000; jobs <= most; jobs *= 10) grappe::sim::long_run(jobs);
  std::string path = folder + "/KTH-SP2.pyss-easy.swf.gz";
  if (auto trace = grappe::sim::open_trace(path)) {
    grappe::sim::easy_speed(**trace);
    grappe::sim::policies_on(**trace);
    grappe::sim::forecasts_on(**trace);
  } else {
    fmt::print("skipped, no trace: {}\n", trace.error().message);
  }
  grappe::sim::gpu_hours(folder);
  grappe::sim::forecast_speed();
  return 0;
}
