#include "exec/shepherd/pmi_server.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <atomic>
#include <thread>

namespace grappe::exec {
namespace {

class PmiServerTest : public ::testing::Test {
 protected:
  PmiServerTest()
      : server_(loop_, "7.0", [this](const std::string& why) {
          abort_ = why;
          loop_.stop();
        }) {}
  ~PmiServerTest() override {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  void start(uint32_t size) {
    std::vector<uint32_t> ranks(size);
    for (uint32_t rank = 0; rank < size; ++rank) ranks[rank] = rank;
    ASSERT_TRUE(server_.open(ranks));
    for (const int fd : server_.task_ends()) ends_.push_back(dup(fd));
    server_.close_task_ends();
    server_.start();
    poll();
    thread_ = std::thread([this] { loop_.run(); });
  }
  void poll() {
    loop_.after(std::chrono::milliseconds(5), [this] {
      if (stop_) {
        loop_.stop();
      } else {
        poll();
      }
    });
  }
  void send(size_t rank, const std::string& text) {
    ASSERT_EQ(write(ends_[rank], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void send2(size_t rank, const std::string& text) {
    char length[8];
    snprintf(length, sizeof length, "%6zu", text.size());
    send(rank, length + text);
  }
  std::string receive(size_t rank) {
    char buffer[4096];
    const ssize_t n = read(ends_[rank], buffer, sizeof buffer);
    return n > 0 ? std::string(buffer, static_cast<size_t>(n)) : "";
  }
  std::string ask(size_t rank, const std::string& text) {
    send(rank, text);
    return receive(rank);
  }

  EventLoop loop_;
  PmiServer server_;
  std::vector<int> ends_;
  std::thread thread_;
  std::atomic<bool> stop_ = false;
  std::string abort_;
};

TEST_F(PmiServerTest, SpeaksTheFirstVersion) {
  start(2);
  EXPECT_EQ(ask(0, "cmd=init pmi_version=1 pmi_subversion=1\n"),
            "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n");
  EXPECT_EQ(ask(0, "cmd=get_my_kvsname\n"), "cmd=my_kvsname kvsname=7.0 rc=0\n");
  EXPECT_EQ(ask(0, "cmd=get_universe_size\n"), "cmd=universe_size size=2 rc=0\n");
  EXPECT_EQ(ask(0, "cmd=get kvsname=7.0 key=PMI_process_mapping\n"),
            "cmd=get_result rc=0 msg=success value=(vector,(0,1,2))\n");
  EXPECT_EQ(ask(0, "cmd=put kvsname=7.0 key=card value=port 1=2\n"),
            "cmd=put_result rc=0 msg=success\n");
  EXPECT_EQ(ask(1, "cmd=init pmi_version=1 pmi_subversion=1\n"),
            "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n");
  send(1, "cmd=barrier_in\n");
  send(0, "cmd=barrier_in\n");
  EXPECT_EQ(receive(0), "cmd=barrier_out rc=0\n");
  EXPECT_EQ(receive(1), "cmd=barrier_out rc=0\n");
  EXPECT_EQ(ask(1, "cmd=get kvsname=7.0 key=card\n"),
            "cmd=get_result rc=0 msg=success value=port 1=2\n");
  EXPECT_EQ(ask(1, "cmd=get kvsname=7.0 key=none\n"),
            "cmd=get_result rc=-1 msg=key_none_not_found value=unknown\n");
  EXPECT_EQ(ask(1, "cmd=finalize\n"), "cmd=finalize_ack rc=0\n");
}

TEST_F(PmiServerTest, SpeaksTheSecondVersion) {
  start(1);
  EXPECT_EQ(ask(0, "cmd=init pmi_version=2 pmi_subversion=0\n"),
            "cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=0\n");
  send2(0, "cmd=fullinit;pmijobid=7.0;pmirank=0;threaded=FALSE;");
  const std::string body =
      "cmd=fullinit-response;rc=0;pmi-version=2;pmi-subversion=0;rank=0;size=1;appnum=0;"
      "debugged=FALSE;pmiverbose=FALSE;";
  char length[8];
  snprintf(length, sizeof length, "%6zu", body.size());
  EXPECT_EQ(receive(0), length + body);
  send2(0, "cmd=kvs-put;thrid=4;key=a;value=x;;y=z;");
  EXPECT_EQ(receive(0), "    34cmd=kvs-put-response;thrid=4;rc=0;");
  send2(0, "cmd=kvs-fence;");
  EXPECT_EQ(receive(0), "    28cmd=kvs-fence-response;rc=0;");
  send2(0, "cmd=kvs-get;jobid=7.0;srcid=0;key=a;");
  EXPECT_EQ(receive(0), "    50cmd=kvs-get-response;rc=0;found=TRUE;value=x;;y=z;");
  send2(0, "cmd=info-getnodeattr;key=none;wait=FALSE;");
  EXPECT_EQ(receive(0), "    47cmd=info-getnodeattr-response;rc=0;found=FALSE;");
}

TEST_F(PmiServerTest, AnAbortReachesTheOwner) {
  start(1);
  ask(0, "cmd=init pmi_version=1 pmi_subversion=1\n");
  send(0, "cmd=abort exitcode=3 message=no more\n");
  thread_.join();
  EXPECT_EQ(abort_, "PMI: rank 0 aborted: no more");
}

TEST_F(PmiServerTest, ABrokenClientIsDroppedAndOthersGoOn) {
  start(2);
  ask(0, "cmd=init pmi_version=2 pmi_subversion=0\n");
  EXPECT_EQ(ask(0, "garbage that is no length"), "");
  EXPECT_NE(ask(1, "cmd=init pmi_version=1 pmi_subversion=1\n"), "");
  EXPECT_EQ(ask(1, "cmd=frobnicate\n"), "cmd=frobnicate_result rc=-1 msg=not_supported\n");
}

}  // namespace
}  // namespace grappe::exec
