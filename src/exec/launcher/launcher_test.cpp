// End to end: a real launcher, real shepherds, real users.
#include "exec/launcher/launcher.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>

#include "exec/os/files.h"
#include "exec/testing/service.h"

namespace grappe::exec {
namespace {

class LauncherTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!testing::Service::available()) GTEST_SKIP() << "needs root: steps run as another user";
    service_ = std::make_unique<testing::Service>();
    service_->connect();
  }
  testing::Service& service() { return *service_; }

  std::unique_ptr<testing::Service> service_;
};

TEST_F(LauncherTest, RunsABatchScriptAsTheUser) {
  const auto ended = service().run(service().batch(1, "id -u; id -g; id -Gn; pwd; echo $0"));
  ASSERT_EQ(ended.exits.size(), 1u) << ended.failure;
  EXPECT_EQ(ended.exits[0].status, 0);
  const auto& account = service().account();
  EXPECT_EQ(service().read_out(), std::to_string(account.uid) + "\n" + std::to_string(account.gid) +
                                      "\n" + account.name + "\n" + service().home() + "\n" +
                                      service().dir() + "/state/steps/1.batch.0/slurm_script\n");
}

TEST_F(LauncherTest, ReportsExitCodesAndSignals) {
  EXPECT_EQ(service().run(service().batch(1, "exit 7")).exits.at(0).status, 7 << 8);
  EXPECT_EQ(service().run(service().batch(2, "kill -SEGV $$")).exits.at(0).status & 0x7f, SIGSEGV);
}

}  // namespace
}  // namespace grappe::exec
