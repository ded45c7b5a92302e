#include "cli/options/login_environment.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace grappe {
namespace {

TEST(LoginEnvironment, ReadsTimeoutAndMode) {
  EXPECT_EQ(parse_login_mode("1").patience.count(), 8);
  EXPECT_EQ(parse_login_mode("10L").patience.count(), 10);
  EXPECT_TRUE(parse_login_mode("10L").login);
  EXPECT_FALSE(parse_login_mode("S").login);
}

TEST(LoginEnvironment, AsksTheShellOfTheUser) {
  auto e = login_environment(getuid(), {});
  ASSERT_TRUE(e) << e.error().message;
  EXPECT_TRUE(e->get("HOME"));
  EXPECT_TRUE(e->get("PATH"));
  EXPECT_FALSE(e->get("GTEST_FILTER"));
}

TEST(LoginEnvironment, LeavesWhatTheJobHasAlready) {
  Environment login, job;
  login.set("A", "login");
  login.set("B", "login");
  job.set("A", "job");
  add_missing(login, job);
  EXPECT_EQ(job.get("A"), "job");
  EXPECT_EQ(job.get("B"), "login");
}

}  // namespace
}  // namespace grappe
