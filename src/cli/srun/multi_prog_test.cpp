#include "cli/srun/multi_prog.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

std::vector<std::string> argv_of(const MultiProgram& programs, uint32_t task) {
  for (const v1::MultiProg& row : programs.rows) {
    for (uint32_t one : row.tasks()) {
      if (one == task) return {row.argv().begin(), row.argv().end()};
    }
  }
  return {};
}

using Words = std::vector<std::string>;

TEST(MultiProg, GivesEachTaskItsProgramAndNumbers) {
  auto p =
      parse_multi_prog("# head\n0 echo zero %t %o\n1-2 echo r %t %o\n* echo rest %t %o\n", "f", 4);
  ASSERT_TRUE(p);
  EXPECT_EQ(argv_of(*p, 0), (Words{"echo", "zero", "0", "0"}));
  EXPECT_EQ(argv_of(*p, 1), (Words{"echo", "r", "1", "0"}));
  EXPECT_EQ(argv_of(*p, 2), (Words{"echo", "r", "2", "1"}));
  EXPECT_EQ(argv_of(*p, 3), (Words{"echo", "rest", "3", "3"}));
}

TEST(MultiProg, KnowsSingleQuotesAndBackslashesOnly) {
  auto p = parse_multi_prog("0,1 echo \"a b\" 'c d' e\\ f\n", "f", 2);
  ASSERT_TRUE(p);
  EXPECT_EQ(argv_of(*p, 1), (Words{"echo", "\"a", "b\"", "c d", "e f"}));
}

TEST(MultiProg, ContinuesALineAfterABackslash) {
  auto p = parse_multi_prog("0 echo a \\\n b\n", "f", 1);
  ASSERT_TRUE(p);
  EXPECT_EQ(argv_of(*p, 0), (Words{"echo", "a", "b"}));
}

TEST(MultiProg, CountsTasksWhenNoneWereAskedFor) {
  auto p = parse_multi_prog("0-2 a\n3 b\n", "f", std::nullopt);
  ASSERT_TRUE(p);
  EXPECT_EQ(p->ntasks, 4u);
}

struct Wrong {
  const char* text;
  const char* note;
  const char* message;
};

TEST(MultiProg, RefusesWrongFilesInSlurmsWords) {
  const Wrong cases[] = {
      {"0 a\n", nullptr, "Configuration file f invalid, no record for task id 1"},
      {"x a\n", "Invalid task range specification (x)", "Line 1 of configuration file f invalid"},
      {"2-1 a\n", "Invalid task range, 2-1", "Line 1 of configuration file f invalid"},
      {"0-x a\n", "Invalid task range specification", "Line 1 of configuration file f invalid"},
      {"0 a\n0 b\n", "Duplicate record for task 0", "Line 2 of configuration file f invalid"},
      {"0\n1 a\n", nullptr, "Line 1 of configuration file f invalid"},
      {"0-3 a\n", "Invalid task id, 3 >= ntasks", "Line 1 of configuration file f invalid"},
  };
  for (const Wrong& wrong : cases) {
    auto p = parse_multi_prog(wrong.text, "f", 2);
    ASSERT_FALSE(p) << wrong.text;
    EXPECT_EQ(p.error().message, wrong.message);
    if (wrong.note) {
      ASSERT_EQ(p.error().notes.size(), 1u);
      EXPECT_EQ(p.error().notes[0], wrong.note);
    }
  }
}

}  // namespace
}  // namespace grappe
