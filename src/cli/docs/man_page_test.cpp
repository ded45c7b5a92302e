#include <gtest/gtest.h>

#include "cli/docs/manual.h"

namespace grappe {
namespace {

TEST(ManPage, IsThereForEveryCommandWithItsOptionsAndVariables) {
  for (const OptionTable& table : all_tables()) {
    const std::string page = man_page(table.command.name);
    EXPECT_FALSE(manual_description(table.command.name).empty()) << table.command.name;
    for (const char* part : {".SH NAME\n", ".SH OPTIONS\n", ".SH \"EXIT STATUS\"\n", "EXAMPLES"}) {
      EXPECT_NE(page.find(part), std::string::npos) << table.command.name << " " << part;
    }
  }
  const std::string sbatch = man_page("sbatch");
  EXPECT_NE(sbatch.find("\n\\fB\\-t\\fR, \\fB\\-\\-time\\fR=\\fIminutes\\fR\n"), std::string::npos);
  EXPECT_NE(sbatch.find("\\fBSBATCH_TIMELIMIT\\fR\nthe same as \\-\\-time\n"), std::string::npos);
  EXPECT_EQ(man_page("nosuch"), "");
}

TEST(ManPage, ListsWhatIsRefusedWithTheReason) {
  const std::string page = man_page("scancel");
  EXPECT_NE(page.find(".SH \"OPTIONS OF SLURM THAT ARE REFUSED\"\n.TP\n\\fB\\-\\-sibling\\fR"),
            std::string::npos);
}

TEST(Completion, OffersValuesByTheKindOfTheOption) {
  const std::string script = bash_completion();
  EXPECT_NE(script.find("--partition:partitions -p:partitions"), std::string::npos);
  EXPECT_NE(script.find("complete -o default -F _grappe_scontrol scontrol\n"), std::string::npos);
  EXPECT_EQ(script.find("--sibling="), std::string::npos) << "refused options are not offered";
}

}  // namespace
}  // namespace grappe
