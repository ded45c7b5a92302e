#include "base/log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

namespace grappe {
namespace {

std::string contents(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class LogTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/grappe-log-XXXXXX";
    folder_ = mkdtemp(name);
    path_ = folder_ + "/log";
    ASSERT_TRUE(open_log_file(path_));
  }
  void TearDown() override {
    set_log_level(LogLevel::kInfo);
    ASSERT_TRUE(open_log_file("/dev/stderr"));
    unlink(path_.c_str());
    unlink((path_ + ".1").c_str());
    rmdir(folder_.c_str());
  }
  std::string folder_, path_;
};

TEST_F(LogTest, WritesTimeLevelAndText) {
  log_info("job {} started", 7);
  std::string line = contents(path_);
  ASSERT_EQ(line.size(), std::string("2026-11-15T18:34:20.123 info  job 7 started\n").size());
  EXPECT_EQ(line[10], 'T');
  EXPECT_EQ(line[19], '.');
  EXPECT_EQ(line.substr(23), " info  job 7 started\n");
}

TEST_F(LogTest, LeavesOutWhatIsBelowTheLevel) {
  log_debug("quiet");
  EXPECT_EQ(contents(path_), "");
  set_log_level(LogLevel::kDebug);
  log_debug("loud");
  EXPECT_NE(contents(path_).find(" debug loud\n"), std::string::npos);
}

TEST_F(LogTest, ATextCannotForgeALine) {
  log_warn("{}", "a\nb\x1b[0m");
  EXPECT_EQ(contents(path_).substr(23), " warn  a\\nb\\x1b[0m\n");
}

TEST_F(LogTest, OpensTheFileAnewAfterRotation) {
  log_error("one");
  rename(path_.c_str(), (path_ + ".1").c_str());
  ASSERT_TRUE(open_log_file(path_));
  log_error("two");
  EXPECT_EQ(contents(path_).substr(23), " error two\n");
}

TEST_F(LogTest, LinesOfThreadsDoNotMix) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 200; ++i) log_info("{}", std::string(100, static_cast<char>('a' + t)));
    });
  }
  for (auto& thread : threads) thread.join();
  std::istringstream lines(contents(path_));
  std::string line;
  int count = 0;
  for (; std::getline(lines, line); ++count) {
    EXPECT_EQ(line.substr(30), std::string(100, line[30]));
  }
  EXPECT_EQ(count, 800);
}

TEST_F(LogTest, SaysWhyAFileCannotBeOpened) {
  auto status = open_log_file(folder_ + "/none/log");
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("No such file or directory"), std::string::npos);
}

}  // namespace
}  // namespace grappe
