#include "cli/options/option_table.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace grappe {
namespace {

struct Sample {
  std::string partition;
  bool header = true;
  std::string immediate = "absent";
};

Status set_partition(Sample& s, Value v) {
  s.partition = v.text;
  return {};
}

constexpr Option<Sample> kRows[] = {
    {"cpus-per-task", 'c', Arg::required, "", "n", "cpus",
     [](Sample&, Value v) { return v.text == "1" ? Status() : Status(fail("bad count")); }},
    {"immediate", 'I', Arg::optional, "", "secs", "exit if not available",
     [](Sample& s, Value v) {
       s.immediate = v.given ? std::string(v.text) : "none";
       return Status();
     }},
    {"noheader", 'h', Arg::none, "", "", "no headers",
     [](Sample& s, Value) {
       s.header = false;
       return Status();
     }},
    {"partition", 'p', Arg::required, "SAMPLE_PARTITION", "name", "partition", set_partition},
    {"partitions", 0, Arg::required, "", "", "", set_partition},
    {"bb", 0, Arg::required, "", "spec", "burst buffer", nullptr, "there are none."},
    {"version", 'V', Arg::none, "", "", "version"},
};
constexpr CommandHelp kCommand = {"sample", "", "", 255, 254, true};

struct Outcome {
  Parsed parsed;
  Sample sample;
  std::string err;
};

Outcome run(std::vector<std::string> words) {
  words.insert(words.begin(), "sample");
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  Outcome r;
  testing::internal::CaptureStderr();
  r.parsed = parse_options(kCommand, kRows, static_cast<int>(words.size()), argv.data(), r.sample);
  r.err = testing::internal::GetCapturedStderr();
  return r;
}

TEST(OptionTable, TakesLongShortAndAbbreviatedOptions) {
  EXPECT_EQ(run({"--partition=a"}).sample.partition, "a");
  EXPECT_EQ(run({"--partition", "a"}).sample.partition, "a");
  EXPECT_EQ(run({"--part=a"}).sample.partition, "a");
  EXPECT_EQ(run({"-pa"}).sample.partition, "a");
  EXPECT_FALSE(run({"-hpa"}).sample.header);
}

TEST(OptionTable, WhatAbbreviatesTwoNamesOfOneOptionIsNotAmbiguous) {
  EXPECT_EQ(run({"--partitions=a"}).sample.partition, "a");
  EXPECT_EQ(run({"--parti=a"}).sample.partition, "a");
}

TEST(OptionTable, TellsAMissingOptionalArgumentFromAGivenOne) {
  EXPECT_EQ(run({}).sample.immediate, "absent");
  EXPECT_EQ(run({"-I"}).sample.immediate, "none");
  EXPECT_EQ(run({"-I5"}).sample.immediate, "5");
  EXPECT_EQ(run({"--immediate=7"}).sample.immediate, "7");
}

TEST(OptionTable, StopsAtTheFirstOperandWhenAsked) {
  Outcome r = run({"-h", "prog", "-p", "x"});
  EXPECT_EQ(r.parsed.first_operand, 2);
  EXPECT_EQ(r.sample.partition, "");
}

TEST(OptionTable, RefusesUnknownOptionsInSlurmsWordsAndSuggestsTheNearest) {
  Outcome r = run({"--cpu-per-task=1"});
  EXPECT_EQ(r.parsed.exit_code, 255);
  EXPECT_EQ(r.err,
            "sample: unrecognized option '--cpu-per-task=1'\n"
            "Try \"sample --help\" for more information\n"
            "did you mean --cpus-per-task?\n");
  EXPECT_EQ(run({"--zzzz"}).err,
            "sample: unrecognized option '--zzzz'\nTry \"sample --help\" for more information\n");
  EXPECT_EQ(run({"-h", "--partition"}).err,
            "sample: option '--partition' requires an argument\n"
            "Try \"sample --help\" for more information\n");
}

TEST(OptionTable, SaysWhatAValueLacksAndExitsWithTheCommandsCode) {
  Outcome r = run({"-c", "x"});
  EXPECT_EQ(r.parsed.exit_code, 254);
  EXPECT_EQ(r.err, "sample: error: bad count\n");
}

TEST(OptionTable, SaysWhyAnOptionIsRefused) {
  EXPECT_EQ(run({"--bb=x"}).err, "sample: error: --bb is not supported: there are none.\n");
}

TEST(OptionTable, ReadsDefaultsFromTheEnvironment) {
  setenv("SAMPLE_PARTITION", "fromenv", 1);
  Sample sample;
  EXPECT_FALSE(read_environment(kCommand, kRows, sample));
  EXPECT_EQ(sample.partition, "fromenv");
  unsetenv("SAMPLE_PARTITION");
}

}  // namespace
}  // namespace grappe
