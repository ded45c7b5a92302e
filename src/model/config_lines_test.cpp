#include "model/config_lines.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

std::string flat(std::string_view text) {
  auto lines = read_config_lines(text, "slurm.conf", {});
  if (!lines) return lines.error().message;
  std::string out;
  for (const ConfigLine& line : *lines) {
    out += std::to_string(line.number) + ":";
    for (const ConfigPair& pair : line.pairs) out += " <" + pair.key + "|" + pair.value + ">";
    out += "\n";
  }
  return out;
}

TEST(ConfigLines, KeepsPairsOfOneLineTogetherWithTheirNumber) {
  EXPECT_EQ(flat("\nA=1\n\nB=2 C=3\n"), "2: <A|1>\n4: <B|2> <C|3>\n");
}

TEST(ConfigLines, AllowsBlanksAroundTheEqualsSign) {
  EXPECT_EQ(flat("  Key  =  value  \t\r\n"), "1: <Key|value>\n");
}

TEST(ConfigLines, DropsCommentsButKeepsEscapedHashes) {
  EXPECT_EQ(flat("# all\nA=1 # rest\nLicenses=a\\#b\n"), "2: <A|1>\n3: <Licenses|a#b>\n");
}

TEST(ConfigLines, JoinsLinesThatEndInABackslashWithoutABlank) {
  EXPECT_EQ(flat("P=bf_continue,\\\nbf_window=2880\nA=1\n"),
            "1: <P|bf_continue,bf_window=2880>\n3: <A|1>\n");
  EXPECT_EQ(flat("NodeName=n1 CPUs=8 \\  \n RealMemory=10\\"),
            "1: <NodeName|n1> <CPUs|8> <RealMemory|10>\n");
}

TEST(ConfigLines, TakesBlanksInsideQuotes) {
  EXPECT_EQ(flat("Reason=\"my reason\" State=DOWN"), "1: <Reason|my reason> <State|DOWN>\n");
  EXPECT_EQ(flat("Nodes=\"\" A=1"), "1: <Nodes|> <A|1>\n");
}

TEST(ConfigLines, TreatsAQuoteInsideAWordAsALetter) {
  EXPECT_EQ(flat("MailProg=/bin/true\"z\""), "1: <MailProg|/bin/true\"z\">\n");
}

TEST(ConfigLines, NamesTheLineThatCannotBeRead) {
  EXPECT_EQ(flat("A=1\nnonsense here\n"), "slurm.conf:2: Parse error: \"nonsense here\"");
  EXPECT_EQ(flat("MailDomain=\"x y"), "slurm.conf:1: Parse error: \"y\"");
  EXPECT_EQ(flat("A+=1"), "slurm.conf:1: Parse error: \"A+=1\"");
}

TEST(ConfigLines, AcceptsAnEmptyValueAtTheEndOfALine) {
  EXPECT_EQ(flat("PartitionName=p Nodes="), "1: <PartitionName|p> <Nodes|>\n");
}

TEST(ConfigLines, ReadsIncludedFilesInTheirPlace) {
  const ReadInclude include = [](const std::string& name) -> Result<std::string> {
    if (name == "nodes.conf") return "NodeName=n1\nNodeName=n2\n";
    return fail(name + ": No such file or directory");
  };
  auto lines = read_config_lines("A=1\ninclude  nodes.conf\nB=2\n", "slurm.conf", include);
  ASSERT_TRUE(lines);
  ASSERT_EQ(lines->size(), 4u);
  EXPECT_EQ((*lines)[2].place(), "nodes.conf:2");
  EXPECT_EQ((*lines)[3].place(), "slurm.conf:3");

  auto missing = read_config_lines("Include x.conf\n", "slurm.conf", include);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "slurm.conf:1: Include x.conf: No such file or directory");
}

TEST(ConfigLines, EndsWhenAFileIncludesItself) {
  const ReadInclude include = [](const std::string&) -> Result<std::string> {
    return "Include again\n";
  };
  auto lines = read_config_lines("Include again\n", "slurm.conf", include);
  ASSERT_FALSE(lines);
  EXPECT_EQ(lines.error().message, "again:1: Include again: files include each other");
}

}  // namespace
}  // namespace grappe
