#include "cli/format/report_table.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

std::string printed(const std::vector<ReportColumn>& columns,
                    const std::vector<std::string>& values, const ReportStyle& style = {}) {
  std::string out;
  append_report_titles(out, columns, style);
  append_report_row(out, columns, values, style);
  return out;
}

TEST(ReportTable, CutsWithAPlusAndAlignsByTheSign) {
  EXPECT_EQ(printed({{"JobID", -6}, {"State", 8}}, {"12", "CANCELLED by 0"}),
            "JobID     State \n"
            "------ -------- \n"
            "12     CANCELL+ \n");
}

TEST(ReportTable, CutsATitleWithoutAMark) {
  EXPECT_EQ(printed({{"ReservationId", 8}}, {"7"}), "Reservat \n-------- \n       7 \n");
}

TEST(ReportTable, PutsBarsForPrograms) {
  const std::vector<ReportColumn> columns{{"A", 3}, {"B", 3}};
  EXPECT_EQ(printed(columns, {"12345", ""}, {ReportStyle::kBars, "|"}), "A|B|\n12345||\n");
  EXPECT_EQ(printed(columns, {"1", "2"}, {ReportStyle::kBarsBetween, ", "}), "A, B\n1, 2\n");
}

TEST(ReportTable, ReadsNamesAndWidths) {
  auto words = parse_report_format("jobid,state%20,name%-3,x%99999999999");
  ASSERT_EQ(words.size(), 4u);
  EXPECT_FALSE(words[0].has_width);
  EXPECT_EQ(words[1].width, 20);
  EXPECT_EQ(words[2].width, -3);
  EXPECT_EQ(words[3].width, 65536);
}

TEST(ReportTable, SkipsBlanksAndStopsAtAnEmptyName) {
  auto words = parse_record_format("jobid, state%20,,name");
  ASSERT_EQ(words.size(), 2u);
  EXPECT_EQ(words[1].name, "state");
  EXPECT_EQ(words[1].width, 20);
}

TEST(ReportTable, FindsAFieldByItsBeginning) {
  const std::vector<std::string_view> names{"Account", "JobID", "JobName"};
  auto find = [&](std::string_view typed) {
    return find_report_field(typed, names.size(), [&](size_t i) { return names[i]; });
  };
  EXPECT_EQ(find("job"), 1);
  EXPECT_EQ(find("JOBN"), 2);
  EXPECT_EQ(find("jobs"), -1);
}

}  // namespace
}  // namespace grappe
