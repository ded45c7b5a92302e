#include "sim/formats.h"

#include <gtest/gtest.h>

#include "sim/stamp.h"

namespace grappe::sim {
namespace {

// Reads the lines; the last must be a job.
struct Read {
  People people;
  WorkloadFacts facts;
  std::optional<TraceJob> job;
  std::string error;
};
Read read_lines(std::initializer_list<const char*> lines) {
  Read out;
  std::unique_ptr<Format> format;
  for (const char* line : lines) {
    if (!format) format = format_of(line);
    if (!format) {
      out.error = "no format";
      return out;
    }
    auto job = format->job(line, out.people, out.facts);
    if (!job) {
      out.error = job.error().message;
      return out;
    }
    out.job = *job;
  }
  return out;
}

TEST(Swf, ReadsTheColumnsThatMatter) {
  Read r = read_lines(
      {"; MaxProcs: 100", "  39  608903  97200  47817  8 -1 -1 9 52200 -1 1 21 7 -1 -1 -1 -1 -1"});
  ASSERT_TRUE(r.job) << r.error;
  EXPECT_EQ(r.facts.machine_cpus, 100u);
  EXPECT_EQ(r.job->id, 39u);
  EXPECT_EQ(r.job->submit, 608903);
  EXPECT_EQ(r.job->recorded_wait, 97200);
  EXPECT_EQ(r.job->run, 47817);
  EXPECT_EQ(r.job->cpus, 9u);  // as asked for
  EXPECT_EQ(r.job->limit, 52200);
  EXPECT_EQ(r.people.users.name(r.job->user), "21");
  EXPECT_EQ(r.people.accounts.name(r.job->account), "7");
}

TEST(Swf, ARunIsEndedByItsLimit) {
  Read r = read_lines({"1 0 0 700 1 -1 -1 1 600 -1 1 1 1 -1 -1 -1 -1 -1"});
  EXPECT_EQ(r.job->run, 600);
}

TEST(Swf, RowsWithoutARunAreCountedAndLeftOut) {
  Read r = read_lines({"1 0 0 -1 1 -1 -1 1 600 -1 5 1 1 -1 -1 -1 -1 -1"});
  EXPECT_FALSE(r.job);
  EXPECT_EQ(r.facts.left_out, 1u);
}

TEST(Swf, SaysWhichColumnIsWrong) {
  EXPECT_EQ(read_lines({"1 0 0 x"}).error, "column 4 of 18 is not a number");
  EXPECT_EQ(read_lines({"1 0 0 5"}).error, "column 5 of 18 is not a number");
}

constexpr const char* kTitles =
    "JobID|User|Account|Submit|Start|End|State|Timelimit|ReqCPUS|ReqTRES";

TEST(Sacct, ReadsByItsTitles) {
  Read r = read_lines({kTitles,
                       "12|alice|es|2026-11-15T10:00:00|2026-11-15T10:05:00|2026-11-15T11:05:00|"
                       "COMPLETED|02:00:00|4|billing=4,cpu=4,gres/gpu=2,mem=16G,node=1"});
  ASSERT_TRUE(r.job) << r.error;
  EXPECT_EQ(r.job->recorded_wait, 300);
  EXPECT_EQ(r.job->run, 3600);
  EXPECT_EQ(r.job->limit, 7200);
  EXPECT_EQ(r.job->cpus, 4u);
  EXPECT_EQ(r.job->gpus, 2u);
  EXPECT_EQ(r.job->memory_mb, 16u * 1024);
  EXPECT_EQ(r.people.users.name(r.job->user), "alice");
}

TEST(Sacct, StepsAndJobsThatNeverRanAreLeftOut) {
  Read step = read_lines({kTitles, "12.batch|||2026-11-15T10:00:00|||||1|"});
  EXPECT_FALSE(step.job);
  EXPECT_EQ(step.facts.left_out, 0u);
  Read never =
      read_lines({kTitles, "13|bob|es|2026-11-15T10:00:00|Unknown|Unknown|PENDING|1:00|1|"});
  EXPECT_FALSE(never.job);
  EXPECT_EQ(never.facts.left_out, 1u);
}

TEST(Sacct, SaysWhichColumnIsMissing) {
  EXPECT_EQ(read_lines({"JobID|User"}).error.substr(0, 28), "the column Submit is missing");
  EXPECT_EQ(read_lines({kTitles, "1|2"}).error, "2 columns where there are 10 titles");
}

TEST(GpuList, ReadsGroupsAndGivesLimits) {
  Read r = read_lines({"timestamp,duration,num_gpus,gpu_time,cluster",
                       "2017-10-09 06:07:06,2879.0,2,5758.0,6214e9"});
  ASSERT_TRUE(r.job) << r.error;
  EXPECT_EQ(r.job->gpus, 2u);
  EXPECT_EQ(r.job->run, 2879);
  EXPECT_GE(r.job->limit, 2 * 2879);
  EXPECT_EQ(r.people.accounts.name(r.job->account), "6214e9");
}

TEST(Formats, WhatIsNeitherIsRefused) {
  EXPECT_EQ(read_lines({"hello"}).error, "no format");
}

TEST(Stamp, IsReadWithoutTimeZone) {
  EXPECT_EQ(parse_stamp("1970-01-02T00:00:01"), 86401);
  EXPECT_EQ(parse_stamp("2017-10-09 06:07:06"), 1507529226);
  EXPECT_FALSE(parse_stamp("2017-13-09 06:07:06"));
  EXPECT_FALSE(parse_stamp("Unknown"));
}

}  // namespace
}  // namespace grappe::sim
