#include "sim/metrics.h"

#include <gtest/gtest.h>

#include "sim/generator.h"
#include "sim/policies.h"
#include "sim/report.h"

namespace grappe::sim {
namespace {

TEST(Metrics, CountsJobsThatAreSplitOverLinks) {
  auto split_by = [](std::string_view policy) {
    Trial trial{*parse_machine("1x8:gpu=8:links=4"), find_policy(policy)->policy};
    Metrics metrics(trial.machine);
    World world(trial, &metrics);
    std::vector<TraceJob> jobs(3);
    for (uint64_t i = 0; i < 3; ++i) {
      jobs[i] = {i + 1, 0, 100, 100, 1, 2};
      if (i == 0) jobs[i].gpus = 3;
    }
    replay(world, *workload_of(jobs)->jobs());
    return std::pair(metrics.figures().split, metrics.figures().linkable);
  };
  EXPECT_EQ(split_by("grappe"), std::pair(uint64_t{0}, uint64_t{3}));
  EXPECT_EQ(split_by("no-links"), std::pair(uint64_t{1}, uint64_t{3}));
}

TEST(Metrics, SlowdownIsBounded) {
  EXPECT_DOUBLE_EQ(bounded_slowdown(0, 5), 1);
  EXPECT_DOUBLE_EQ(bounded_slowdown(100, 0), 10);
  EXPECT_DOUBLE_EQ(bounded_slowdown(100, 100), 2);
}

TEST(Histogram, QuantilesAreWithinThreePercent) {
  Histogram histogram;
  for (Time t = 1; t <= 100000; ++t) histogram.add(t);
  EXPECT_NEAR(double(histogram.quantile(0.5)), 50000, 1600);
  EXPECT_NEAR(double(histogram.quantile(0.99)), 99000, 3200);
  EXPECT_NEAR(histogram.part_up_to(20000), 0.2, 0.01);
  Histogram small;
  for (Time t : {0, 0, 7, 40}) small.add(t);
  EXPECT_EQ(small.quantile(0.5), 0);
  EXPECT_EQ(small.quantile(0.75), 7);
  EXPECT_EQ(small.quantile(1), 40);
}

TraceJob account_job(Time submit, uint32_t cpus, Time run, uint32_t account) {
  TraceJob out;
  out.submit = submit;
  out.cpus = cpus;
  out.run = out.limit = run;
  out.user = out.account = account;
  return out;
}

Figures figures_of(std::vector<TraceJob> jobs) {
  Trial trial{*parse_machine("10"), find_policy("fcfs")->policy};
  Metrics metrics(trial.machine);
  World world(trial, &metrics);
  replay(world, *workload_of(std::move(jobs))->jobs());
  return metrics.figures();
}

TEST(Metrics, UtilisationEndsWithTheLastSubmission) {
  Figures f = figures_of({account_job(0, 5, 100, 0), account_job(100, 1, 1000, 0)});
  EXPECT_DOUBLE_EQ(f.utilisation, 0.5);
  EXPECT_DOUBLE_EQ(f.cpu_hours, 500.0 / 3600);
}

TEST(Metrics, FairnessIsWhatAccountsHadOfTheirEqualParts) {
  // Both could use half of the machine, but the first has all of it for 100 s.
  Figures f = figures_of({account_job(0, 10, 100, 0), account_job(0, 10, 100, 1)});
  EXPECT_DOUBLE_EQ(f.accounts[0].used, 1000);
  EXPECT_DOUBLE_EQ(f.accounts[1].missing, 500);
  EXPECT_DOUBLE_EQ(f.accounts[1].entitled, 1500);
  EXPECT_DOUBLE_EQ(f.fairness, 1 - 500.0 / 2000);
  EXPECT_EQ(f.users[1].worst_wait, 100);
}

TEST(Report, TheSameSeedGivesTheSameBytes) {
  auto page = [](uint64_t seed) {
    GeneratorOptions options;
    options.jobs = 500;
    options.seed = seed;
    Machine machine = *parse_machine("2x32:gpu=4");
    auto workload = generated(options, machine);
    Comparison all{"made up", &workload->people(), {}};
    for (const PolicyRow& row : policies()) {
      Trial trial{machine, row.policy};
      Metrics metrics(machine);
      World world(trial, &metrics);
      replay(world, *workload->jobs());
      all.runs.push_back({std::string(row.name), machine, metrics.figures()});
    }
    return text_report(all) + html_report(all);
  };
  EXPECT_EQ(page(3), page(3));
  EXPECT_NE(page(3), page(4));
}

TEST(Report, ThePageStandsAloneAndEscapesNames) {
  People people;
  people.accounts.index("<es>");
  Figures figures;
  figures.jobs = 1;
  figures.accounts = {{3600, 3600, 0}};
  Comparison all{"a & b", &people, {{"easy", *parse_machine("4"), figures}}};
  std::string page = html_report(all);
  EXPECT_NE(page.find("a &amp; b"), page.npos);
  EXPECT_NE(page.find("&lt;es&gt;"), page.npos);
  EXPECT_NE(page.find("role=\"img\""), page.npos);
  EXPECT_NE(page.find("prefers-color-scheme:dark"), page.npos);
  EXPECT_EQ(page.find("http"), page.npos);
  EXPECT_EQ(page.find("<script"), page.npos);
}

}  // namespace
}  // namespace grappe::sim
