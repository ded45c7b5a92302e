#include "sim/world.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "sim/generator.h"
#include "sim/metrics.h"
#include "sim/policies.h"

namespace grappe::sim {
namespace {

// Remembers every start, and that never more was given out than there is.
class Ledger : public Observer {
 public:
  explicit Ledger(const Machine& machine) : free_(machine.cpus()) {}
  void started(const TraceJob& job, Time now) override {
    EXPECT_LE(job.cpus, free_);
    free_ -= job.cpus;
    EXPECT_TRUE(starts.emplace(job.id, now).second || job.rest);
    EXPECT_GE(now, job.submit);
  }
  void ended(const TraceJob& job, Time start, Time now) override {
    free_ += job.cpus;
    EXPECT_EQ(now - start, job.run);
    ++ended_jobs;
  }
  void refused(const TraceJob&) override { ++refused_jobs; }

  std::map<uint64_t, Time> starts;
  uint64_t ended_jobs = 0, refused_jobs = 0;

 private:
  uint64_t free_;
};

TraceJob job(uint64_t id, Time submit, uint32_t cpus, Time run, Time limit) {
  TraceJob out;
  out.id = id;
  out.submit = submit;
  out.cpus = cpus;
  out.run = run;
  out.limit = limit;
  return out;
}

std::map<uint64_t, Time> starts(std::string_view policy, std::vector<TraceJob> jobs,
                                Time max_time = kForever) {
  Trial trial{*parse_machine("10"), find_policy(policy)->policy, max_time};
  Ledger ledger(trial.machine);
  World world(trial, &ledger);
  replay(world, *workload_of(std::move(jobs))->jobs());
  EXPECT_TRUE(world.idle());
  return ledger.starts;
}

using Starts = std::map<uint64_t, Time>;

// The first has most of the machine, the second must wait for all of it.
std::vector<TraceJob> two_and(TraceJob third) {
  return {job(1, 0, 8, 100, 100), job(2, 1, 10, 100, 100), third};
}

TEST(World, FcfsLetsNobodyPass) {
  EXPECT_EQ(starts("fcfs", two_and(job(3, 2, 2, 10, 10))), (Starts{{1, 0}, {2, 100}, {3, 200}}));
}

TEST(World, EasyFillsTheGapBeforeTheFirstInLine) {
  EXPECT_EQ(starts("easy", two_and(job(3, 2, 2, 10, 10))), (Starts{{1, 0}, {2, 100}, {3, 2}}));
  EXPECT_EQ(starts("easy", two_and(job(3, 2, 2, 10, 200))), (Starts{{1, 0}, {2, 100}, {3, 200}}));
}

TEST(World, ShortestFirstChoosesAmongThoseThatFit) {
  std::vector<TraceJob> jobs = two_and(job(3, 2, 2, 90, 90));
  jobs[0].run = 99;
  jobs.push_back(job(4, 2, 2, 20, 20));
  EXPECT_EQ(starts("easy", jobs)[3], 2);
  EXPECT_EQ(starts("sjf", jobs)[4], 2);
}

TEST(World, EverythingOfOneSecondIsOneBatch) {
  // The first ends when the second and third come; both start at once.
  EXPECT_EQ(starts("easy", {job(1, 0, 10, 50, 50), job(2, 50, 5, 1, 1), job(3, 50, 5, 1, 1)}),
            (Starts{{1, 0}, {2, 50}, {3, 50}}));
}

TEST(World, AShorterGreatestLimitCutsRunsIntoPieces) {
  Trial trial{*parse_machine("10"), find_policy("easy")->policy, 40};
  Metrics metrics(trial.machine);
  World world(trial, &metrics);
  replay(world, *workload_of({job(1, 0, 10, 100, 200)})->jobs());
  EXPECT_EQ(metrics.figures().jobs, 3u);
  EXPECT_EQ(metrics.figures().last, 100);
}

TEST(World, WhatIsTooBigIsRefused) {
  Trial trial{*parse_machine("10"), find_policy("easy")->policy};
  Ledger ledger(trial.machine);
  World world(trial, &ledger);
  replay(world, *workload_of({job(1, 0, 11, 1, 1), job(2, 0, 10, 1, 1)})->jobs());
  EXPECT_EQ(ledger.refused_jobs, 1u);
  EXPECT_EQ(ledger.ended_jobs, 1u);
}

TEST(World, GpuJobsShareNodesAndMemoryCounts) {
  Trial trial{*parse_machine("1x8:gpu=4:mem=8G"), find_policy("easy")->policy};
  Ledger ledger(trial.machine);
  World world(trial, &ledger);
  std::vector<TraceJob> jobs;
  for (uint64_t id = 1; id <= 3; ++id) jobs.push_back(job(id, 0, 2, 100, 100));
  for (TraceJob& j : jobs) j.gpus = 1;
  for (TraceJob& j : jobs) j.memory_mb = 4096;
  replay(world, *workload_of(jobs)->jobs());
  EXPECT_EQ(ledger.starts, (Starts{{1, 0}, {2, 0}, {3, 100}}));
}

RC_GTEST_PROP(World, EveryJobRunsOnceAndNothingIsGivenTwice, ()) {
  GeneratorOptions options;
  options.jobs = 200;
  options.seed = *rc::gen::inRange<uint64_t>(1, 1000000);
  options.load = *rc::gen::element(0.5, 1.0, 3.0);
  Machine machine = *parse_machine(*rc::gen::element("64", "4x16", "2x16:gpu=4+1x8"));
  const PolicyRow& row = policies()[*rc::gen::inRange<std::size_t>(0, policies().size())];
  Trial trial{machine, row.policy};
  Ledger ledger(machine);
  World world(trial, &ledger);
  auto workload = generated(options, machine);
  replay(world, *workload->jobs());
  RC_ASSERT(world.idle());
  RC_ASSERT(ledger.ended_jobs + ledger.refused_jobs == options.jobs);
}

// What plan() said at each instant is what happened: a second world that is driven by hand from
// plan to plan comes to the same starts.
RC_GTEST_PROP(World, PlanAndReplayAgree, ()) {
  GeneratorOptions options;
  options.jobs = 100;
  options.seed = *rc::gen::inRange<uint64_t>(1, 1000000);
  options.load = 2;
  Trial trial{*parse_machine("2x16:gpu=4"), sched::first_in_line_policy()};
  auto workload = generated(options, trial.machine);
  Ledger once(trial.machine), again(trial.machine);
  World first(trial, &once);
  replay(first, *workload->jobs());
  World second(trial, &again);
  auto jobs = workload->jobs();
  auto next = jobs->next();
  while (next || !second.idle()) {
    Time at = std::min(next ? next->submit : kForever, second.next_end());
    second.advance(at);
    for (; next && next->submit == at; next = jobs->next()) second.submit(*next);
    sched::Plan plan = sched::plan(second.snapshot(), trial.policy);
    std::size_t before = again.starts.size();
    second.schedule();
    RC_ASSERT(again.starts.size() == before + plan.starts.size());
  }
  RC_ASSERT(once.starts == again.starts);
}

}  // namespace
}  // namespace grappe::sim
