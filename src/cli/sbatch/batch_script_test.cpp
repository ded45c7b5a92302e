#include "cli/sbatch/batch_script.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

using Words = std::vector<std::string>;

Words words(const std::string& line) {
  auto found = read_directives("#!/bin/bash\n" + line + "\nhostname\n#SBATCH -J late\n", "job.sh");
  if (!found) return {found.error().message};
  return found->sbatch;
}

struct Case {
  const char* line;
  Words expected;
};

// Each was asked of Slurm 22.05.
TEST(BatchScript, CutsDirectivesIntoWordsAsSlurmDoes) {
  const Case cases[] = {
      {"#SBATCH -J \"a b\"", {"-J", "a b"}},
      {"#SBATCH --comment=a\\ b", {"--comment=a", "b"}},
      {"##SBATCH -J no", {}},
      {"# SBATCH -J no", {}},
      {" #SBATCH -J no", {}},
      {"#SBATCH -J yes # trailing -t 5", {"-J", "yes"}},
      {"#SBATCH -J 'a \"b\" c'", {"-J", "a \"b\" c"}},
      {"#SBATCH -J x --time=5 -N 1", {"-J", "x", "--time=5", "-N", "1"}},
      {"#SBATCH", {}},
      {"#SBATCH-J x", {"-J", "x"}},
      {"#SBATCH\t-J\ttabbed", {"-J", "tabbed"}},
      {"#SBATCH --comment=\"a # b\" -J z", {"--comment=a # b", "-J", "z"}},
      {"#SBATCH --comment=a#b -J z", {"--comment=a"}},
      {"#SBATCH --comment=a\\#b -J z", {"--comment=a#b", "-J", "z"}},
      {"#SBATCH -J a\\", {"-J", "a"}},
      {"#SBATCH -J \"a\"b\"c\"", {"-J", "abc"}},
      {"#SBATCH -J \"a\\\"b\"", {"-J", "a\"b"}},
      {"#SBATCH -J 'a\\'b'", {"-J", "a'b"}},
      {"#SBATCH -J a\\\\b", {"-J", "a\\b"}},
      {"#SBATCH -J \"\"", {"-J"}},
      {"#SBATCH -J a\\nb", {"-J", "anb"}},
      {"#SBATCH -J \"a\\ b\"", {"-J", "a b"}},
      {"#SBATCH -J a\"b c\"d", {"-J", "ab cd"}},
      {"#SBATCH \"-J x\"", {"-J x"}},
      {"#SBATCH --export=A=\"x y\",B=2", {"--export=A=x y,B=2"}},
      {"#SBATCH -J a:b", {"-J", "a:b"}},
      {"#SBATCH -J \"unmatched", {"job.sh: line 2: Unmatched `\"` in [ \"unmatched]"}},
      {"#SBATCH -J a : b", {"job.sh: line 2: Unexpected `:` in [ : b]"}},
      {"#SLURM -J x", {"-J", "x"}},
  };
  for (const Case& c : cases) EXPECT_EQ(words(c.line), c.expected) << c.line;
}

TEST(BatchScript, StopsAtTheFirstCommandButNotAtBlankOrCommentLines) {
  auto found = read_directives("#!/bin/sh\n\n  \n  # x\n#SBATCH -J a\n: x\n#SBATCH -t 5\n", "f");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->sbatch, (Words{"-J", "a"}));
}

TEST(BatchScript, KeepsForeignDirectivesApart) {
  auto found = read_directives("#!/bin/sh\n#PBS -N p\n#BSUB -J b\n#SBATCH -J s\n", "f");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->pbs, (Words{"-N", "p"}));
  EXPECT_EQ(found->bsub, (Words{"-J", "b"}));
}

TEST(BatchScript, RefusesWhatIsNoScriptInSlurmsWords) {
  EXPECT_EQ(check_script("").error().message, "Batch script is empty!");
  EXPECT_EQ(check_script("  \n\n").error().message, "Batch script contains only whitespace!");
  EXPECT_EQ(check_script("hostname\n").error().notes[0],
            "This does not look like a batch script.  The first");
  EXPECT_EQ(check_script(std::string("#!/bin/sh\n\0", 11)).error().message,
            "contain a NULL character '\\0'.");
  EXPECT_EQ(check_script("#!/bin/sh\r\nls\r\n").error().notes[0],
            "Batch script contains DOS line breaks (\\r\\n)");
  EXPECT_TRUE(check_script("#!/bin/sh"));
}

}  // namespace
}  // namespace grappe
