#include "cli/options/option_help.h"

#include <gtest/gtest.h>

#include "cli/docs/option_tables.h"

namespace grappe {
namespace {

const std::vector<BareOption> kRows = {
    {"all", 'a', Arg::none, "", "", "everything", "", true, ""},
    {"accounts", 0, Arg::required, "", "names", "", "", true, ""},
    {"bb", 0, Arg::required, "", "spec", "burst buffer", "there are none.", true, ""},
    {"size", 's', Arg::optional, "", "n", "first line\nsecond line", "", true, "More:"},
    {"jobid", 'j', Arg::required, "", "job", "a job", "", true, "More:"},
    {"json", 0, Arg::none, "", "", "JSON", "", true, "More:"},
};
const CommandHelp kCommand{.name = "sample", .operands = "FILE", .purpose = "show"};

TEST(OptionHelp, ShowsEachOptionThatWorksBelowTheTitleOfItsFamily) {
  EXPECT_EQ(help_text(kCommand, kRows),
            "Usage: sample [OPTIONS] FILE\n"
            "  -a, --all                       everything\n"
            "\nMore:\n"
            "  -s, --size[=n]                  first line\n"
            "                                  second line\n"
            "  -j, --jobid=job                 a job\n"
            "      --json                      JSON\n");
}

TEST(OptionHelp, PutsTheOptionsAboutHelpLast) {
  const std::vector<BareOption> rows = {
      {"help", 'h', Arg::none, "", "", "this", "", true, ""},
      {"jobid", 'j', Arg::required, "", "job", "a job", "", true, ""},
      {"version", 'V', Arg::none, "", "", "print it", "", true, ""},
  };
  EXPECT_EQ(option_help(rows),
            "  -j, --jobid=job                 a job\n"
            "\nHelp options:\n"
            "  -h, --help                      this\n"
            "  -V, --version                   print it\n");
}

// What the conformance tests of Slurm look for.
TEST(OptionHelp, HasTheTitlesOfSlurmsHelpTexts) {
  for (const OptionTable& table : all_tables()) {
    if (table.command.name == "grappe") continue;
    EXPECT_NE(help_text(table.command, table.rows).find("\nHelp options:\n"), std::string::npos)
        << table.command.name;
    if (table.command.name != "sbatch" && table.command.name != "srun") continue;
    for (const char* title : {"Parallel run options:", "Constraint options:",
                              "Consumable resources related options:"}) {
      EXPECT_NE(help_text(table.command, table.rows).find(title), std::string::npos) << title;
    }
  }
}

TEST(OptionHelp, GivesTheUsageInTheShortestForms) {
  EXPECT_EQ(usage_text(kCommand, kRows),
            "Usage: sample [-a] [--size=n] [-j job] [--json] FILE\n");
}

TEST(OptionHelp, BreaksTheUsageAtEightyLetters) {
  std::vector<BareOption> many(20, kRows[4]);
  const std::string text = usage_text(kCommand, many);
  size_t start = 0;
  for (size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    EXPECT_LE(end - start, 80u);
    if (start > 0) {
      EXPECT_EQ(text.substr(start, 15), "              [");
    }
  }
}

TEST(OptionHelp, SaysOfEveryOptionOfEveryCommandWhatItDoes) {
  for (const OptionTable& table : all_tables()) {
    EXPECT_FALSE(table.command.purpose.empty()) << table.command.name;
    for (const BareOption& row : table.rows) {
      if (row.arg == Arg::none || !row.shown()) continue;
      EXPECT_FALSE(row.metavar.empty()) << table.command.name << " --" << row.name;
    }
  }
}

}  // namespace
}  // namespace grappe
