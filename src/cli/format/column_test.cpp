#include "cli/format/column.h"

#include <gtest/gtest.h>

#include "cli/format/field.h"

namespace grappe {
namespace {

struct Row {
  std::string id, name;
};
struct Ctx {};
using F = Field<Row, Ctx>;
constexpr F kFields[] = {
    {'i', "jobid", "JOBID", [](std::string& o, const Row& r, const Ctx&) { o += r.id; }},
    {'j', "name", "NAME", [](std::string& o, const Row& r, const Ctx&) { o += r.name; }},
};

// Header, line and the keys that are unknown, for job 30 "bigjob".
struct Shown {
  std::string text;
  std::vector<std::string> unknown;
};
Shown show(std::string_view text, bool letters) {
  Shown shown;
  Format format = letters ? parse_letter_format(text) : parse_name_format(text);
  Table<Row, Ctx> table(format, kFields, letters,
                        [&](std::string_view key) { shown.unknown.emplace_back(key); });
  table.append_header(shown.text);
  table.append_row(shown.text, {"30", "bigjob"}, {});
  return shown;
}
std::string letters(std::string_view text) {
  return show(text, true).text;
}
std::string names(std::string_view text) {
  return show(text, false).text;
}

// The layouts are those squeue 22.05.8 gave, some formats shortened to fit two fields.
TEST(LetterFormat, JustifiesCutsAndKeepsTextBetween) {
  EXPECT_EQ(letters("%.10i|%5j|"), "     JOBID|NAME |\n        30|bigjo|\n");
  EXPECT_EQ(letters("abc%idef%jghi"), "abcJOBIDdefNAMEghi\nabc30defbigjobghi\n");
  EXPECT_EQ(letters("%05i|"), "JOBID|\n30   |\n");
  EXPECT_EQ(letters("%.j|"), "NAME|\nbigjob|\n");
}

TEST(LetterFormat, TreatsRepeatedAndTrailingPercentAsNothing) {
  EXPECT_EQ(letters("%i%%%%%j"), "JOBIDNAME\n30bigjob\n");
  EXPECT_EQ(letters("%i foo%"), "JOBID foo\n30 foo\n");
}

TEST(LetterFormat, PrintsTextAloneOrNothingOnEachLine) {
  EXPECT_EQ(letters("abc"), "abc\nabc\n");
  EXPECT_EQ(letters(""), "\n\n");
  EXPECT_EQ(letters("%"), "\n\n");
}

TEST(LetterFormat, ShowsUnknownColumnsAsTyped) {
  Shown shown = show("%5.3i|%..5j|%-5j|%1 %5", true);
  EXPECT_EQ(shown.text, "%5.3i|%..5j|%-5j|%1 %5\n%5.3i|%..5j|%-5j|%1 %5\n");
  EXPECT_EQ(shown.unknown, (std::vector<std::string>{".", ".", "-", " ", ""}));
}

TEST(NameFormat, IsTwentyWideWithoutASize) {
  EXPECT_EQ(names("jobid"), "JOBID               \n30                  \n");
  EXPECT_EQ(names("jobid,"), "JOBID               \n30                  \n");
  EXPECT_EQ(names(",,jobid"), "JOBID               \n30                  \n");
}

TEST(NameFormat, TakesSizeSideAndSuffix) {
  EXPECT_EQ(names("jobid:0,name"), "JOBIDNAME                \n30bigjob              \n");
  EXPECT_EQ(names("jobid:,name:3"), "JOBIDNAM\n30big\n");
  EXPECT_EQ(names("jobid:.8,name:3"), "   JOBIDNAM\n      30big\n");
  EXPECT_EQ(names("jobid:8|x,name:.5foo"), "JOBID   |x NAMEfoo\n30      |xbigjofoo\n");
  EXPECT_EQ(names("jobid:5:6,name:0"), "JOBID:6NAME\n30   :6bigjob\n");
  EXPECT_EQ(names("jobid:.foo,name:0"), "JOBIDfooNAME\n30foobigjob\n");
  EXPECT_EQ(names("jobid: 8,name:0"), "JOBID   NAME\n30      bigjob\n");
  EXPECT_EQ(names("jobid: ,name:0"), "JOBID NAME\n30 bigjob\n");
  EXPECT_EQ(names("jobid: |,name:. 8"), "JOBID |    NAME\n30 |  bigjob\n");
}

TEST(NameFormat, LeavesUnknownNamesOut) {
  Shown shown = show("name,bogus:10,JobID:5", false);
  EXPECT_EQ(shown.text, "NAME                JOBID\nbigjob              30   \n");
  EXPECT_EQ(shown.unknown, std::vector<std::string>{"bogus"});
  EXPECT_EQ(names("bogus:64|"), "|\n|\n");
}

TEST(Column, CutsTimesAndNodesOnTheLeftOnly) {
  auto cell = [](std::string text, bool right, bool cut_right) {
    finish_cell(text, 0, 3, right, cut_right);
    return text;
  };
  EXPECT_EQ(cell("1:00:00", true, false), "1:00:00");
  EXPECT_EQ(cell("1:00:00", true, true), "1:0");
  EXPECT_EQ(cell("1:00:00", false, false), "1:0");
}

TEST(Column, LeavesAMissingValueOutThatDoesNotFit) {
  std::string text = "(null)";
  finish_cell(text, 0, 5, false);
  EXPECT_EQ(text, "     ");
}

TEST(Column, BoundsAWidthFromTheCommandLine) {
  EXPECT_EQ(parse_letter_format("%99999999999999i").columns[0].width, kMaxWidth);
}

}  // namespace
}  // namespace grappe
