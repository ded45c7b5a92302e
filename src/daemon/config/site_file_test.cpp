#include "daemon/config/site_file.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

std::string site_error_of(std::string_view text) {
  auto site = parse_site_file(text);
  return site ? "no error" : site.error().message;
}

TEST(SiteFile, NamesShortcuts) {
  auto site = parse_site_file("[aliases]\nsq = \"squeue --me\"\nsbatch-iq = 'sbatch -p c-iq'\n");
  ASSERT_TRUE(site) << site.error().message;
  EXPECT_EQ(site->aliases, (std::map<std::string, std::string>{{"sq", "squeue --me"},
                                                               {"sbatch-iq", "sbatch -p c-iq"}}));
  EXPECT_TRUE(parse_site_file("")->aliases.empty());
}

TEST(SiteFile, SaysInWhichLineItIsWrong) {
  EXPECT_EQ(site_error_of("\n[alias]\n"),
            "grappe.toml:2: there is no alias: only database and [aliases]");
  EXPECT_EQ(site_error_of("[aliases]\nsq = 3\n"),
            "grappe.toml:2: sq needs a command line in quotes");
  EXPECT_EQ(site_error_of("[aliases]\n\"../sq\" = \"squeue\"\n"),
            "grappe.toml:2: \"../sq\" cannot be the name of a command");
  EXPECT_EQ(site_error_of("aliases = 3\n"), "grappe.toml:1: aliases is a section: [aliases]");
  EXPECT_TRUE(site_error_of("[aliases\n").starts_with("grappe.toml:1: "))
      << site_error_of("[aliases\n");
}

TEST(SiteFile, NamesTheDatabase) {
  EXPECT_EQ(parse_site_file("database = \"postgresql:///grappe\"\n")->database,
            "postgresql:///grappe");
  EXPECT_EQ(site_error_of("database = \"mysql://x\"\n"),
            "grappe.toml:1: database is \"postgresql://...\", or a file name with its path");
}

}  // namespace
}  // namespace grappe
