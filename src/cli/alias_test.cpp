#include "cli/alias.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace grappe {
namespace {

using Words = std::vector<std::string>;

Words words(std::string_view line) {
  auto out = alias_words(line);
  return out ? *out : Words{"error: " + out.error().message};
}

TEST(Alias, IsSplitAsAShellDoes) {
  EXPECT_EQ(words("squeue  --me"), (Words{"squeue", "--me"}));
  EXPECT_EQ(words("squeue -o '%i %j' \"a b\"c \"\""), (Words{"squeue", "-o", "%i %j", "a bc", ""}));
  EXPECT_EQ(words("a\\ b"), (Words{"a b"}));
  EXPECT_EQ(words("squeue '"), (Words{"error: a quote is not closed"}));
}

TEST(Alias, TakesVariablesFromTheEnvironment) {
  setenv("GRAPPE_TEST_USER", "ada b", 1);
  EXPECT_EQ(words("squeue -u $GRAPPE_TEST_USER"), (Words{"squeue", "-u", "ada b"}));
  EXPECT_EQ(words("x=${GRAPPE_TEST_USER}y '$GRAPPE_TEST_USER' $ $1x"),
            (Words{"x=ada by", "$GRAPPE_TEST_USER", "$", ""}));
  unsetenv("GRAPPE_TEST_USER");
  EXPECT_EQ(words("a $GRAPPE_TEST_USER b"), (Words{"a", "", "b"}));
}

}  // namespace
}  // namespace grappe
