#include "cli/command_loop.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "base/unique_fd.h"

namespace grappe {
namespace {

using Words = std::vector<std::string>;

struct Told {
  std::vector<Words> commands;
  std::string out;
  bool to_the_end = false;
};

// What a program with this input carries out, and says.
Told tell(std::string_view input, std::vector<char*> operands = {}) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const UniqueFd from(ends[0]);
  EXPECT_EQ(write(ends[1], input.data(), input.size()), static_cast<ssize_t>(input.size()));
  close(ends[1]);
  Told told;
  bool ended = false;
  const auto run = [&](std::span<const std::string> words) {
    told.commands.emplace_back(words.begin(), words.end());
    ended = words[0] == "exit";
  };
  testing::internal::CaptureStdout();
  told.to_the_end = run_commands({"prog", run, ended, from.get()}, operands);
  told.out = testing::internal::GetCapturedStdout();
  return told;
}

TEST(CommandLoop, RunsTheCommandOfItsLineAndReadsNothing) {
  char show[] = "show", what[] = "a b";
  const Told told = tell("exit\n", {show, what});
  EXPECT_EQ(told.commands, (std::vector<Words>{{"show", "a b"}}));
  EXPECT_EQ(told.out, "");
  EXPECT_TRUE(told.to_the_end);
}

TEST(CommandLoop, ReadsCommandsUntilOneEndsIt) {
  const Told told = tell("show x\n\n!!\nexit\nshow y\n");
  EXPECT_EQ(told.commands, (std::vector<Words>{{"show", "x"}, {"show", "x"}, {"exit"}}));
  EXPECT_EQ(told.out, "prog: show x\nprog: \nprog: !!\nprog: exit\n");
  EXPECT_TRUE(told.to_the_end);
}

TEST(CommandLoop, TellsThatTheInputWasOver) {
  const Told told = tell("show x");
  EXPECT_EQ(told.commands, (std::vector<Words>{{"show", "x"}}));
  EXPECT_EQ(told.out, "prog: show x\nprog: \n");
  EXPECT_FALSE(told.to_the_end);
}

TEST(CommandLoop, KeepsWordsInQuotesTogether) {
  EXPECT_EQ(split_line("a  b=\"c d\"\t'e f'\r"), (Words{"a", "b=\"c d\"", "'e f'"}));
  EXPECT_EQ(split_line(" \t"), Words());
}

}  // namespace
}  // namespace grappe
