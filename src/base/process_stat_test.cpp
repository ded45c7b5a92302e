#include "base/process_stat.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace grappe {
namespace {

TEST(ProcessStat, CountsFieldsAfterTheName) {
  const auto stat = parse_process_stat(
      "42 (a) b (c) S 7 42 42 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 10 184467\n");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->parent, 7u);
  EXPECT_EQ(stat->start, 987654u);
}

TEST(ProcessStat, RefusesWhatIsCutOff) {
  EXPECT_FALSE(parse_process_stat(""));
  EXPECT_FALSE(parse_process_stat("42 (name"));
  EXPECT_FALSE(parse_process_stat("42 (name) S 7 42"));
}

TEST(ProcessStat, KnowsThisProcess) {
  const auto stat = read_process_stat(static_cast<uint32_t>(getpid()));
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->parent, static_cast<uint32_t>(getppid()));
  EXPECT_GT(stat->start, 0u);
  EXPECT_FALSE(read_process_stat(0));
}

}  // namespace
}  // namespace grappe
