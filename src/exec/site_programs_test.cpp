#include "exec/site_programs.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>

namespace grappe::exec {
namespace {

class SiteProgramsTest : public ::testing::Test {
 protected:
  SiteProgramsTest() {
    char name[] = "/tmp/site-programs-XXXXXX";
    dir_ = mkdtemp(name);
  }
  ~SiteProgramsTest() override { std::filesystem::remove_all(dir_); }

  std::string script(const std::string& text) {
    const std::string path = dir_ + "/script";
    std::ofstream(path) << "#!/bin/bash\n" << text << "\n";
    chmod(path.c_str(), 0755);
    return path;
  }
  SiteProgramEnded run(const std::string& path) {
    programs_->run({7, 1, SiteProgramKind::kProlog, path,
                    "SLURM_JOB_ID=7" + std::string(1, '\0') + "DIR=" + dir_ + '\0'});
    std::unique_lock lock(mutex_);
    came_.wait_for(lock, std::chrono::seconds(20), [&] { return !ended_.empty(); });
    SiteProgramEnded ended = ended_.empty() ? SiteProgramEnded{} : ended_.back();
    ended_.clear();
    return ended;
  }
  std::string read(const std::string& name) {
    std::ifstream file(dir_ + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string dir_;
  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<SiteProgramEnded> ended_;
  std::unique_ptr<SitePrograms> programs_ =
      std::make_unique<SitePrograms>([this](SiteProgramEnded ended) {
        const std::lock_guard lock(mutex_);
        ended_.push_back(std::move(ended));
        came_.notify_all();
      });
};

TEST_F(SiteProgramsTest, RunWithTheEnvironmentThatIsGivenAndNoOther) {
  const auto ended = run(script("pwd >$DIR/out; echo $SLURM_JOB_ID $HOME >>$DIR/out"));
  EXPECT_EQ(ended.job_id, 7u);
  EXPECT_EQ(ended.restart, 1u);
  EXPECT_EQ(ended.failure, "");
  EXPECT_EQ(read("out"), "/\n7\n");
}

TEST_F(SiteProgramsTest, SayHowTheyFailed) {
  EXPECT_EQ(run(script("exit 3")).failure, "exited with status 3");
  EXPECT_NE(run(dir_ + "/missing").failure, "");
}

TEST_F(SiteProgramsTest, LeaveNothingRunning) {
  EXPECT_EQ(run(script("sleep 100 & echo $! >$DIR/pid")).failure, "");
  const pid_t left = std::stoi(read("pid"));
  bool gone = false;
  for (int i = 0; i < 100 && !gone; ++i) {
    std::ifstream stat("/proc/" + std::to_string(left) + "/stat");
    std::string word;
    stat >> word >> word >> word;
    gone = !stat || word == "Z";
    usleep(20'000);
  }
  EXPECT_TRUE(gone);
}

TEST_F(SiteProgramsTest, EndWithTheService) {
  programs_->run({8, 0, SiteProgramKind::kEpilog, script("sleep 100"), ""});
  usleep(100'000);
  programs_.reset();
  EXPECT_TRUE(ended_.empty());
}

}  // namespace
}  // namespace grappe::exec
