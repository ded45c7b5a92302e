#include "embedded/leases.h"

#include "embedded/testing/engine_fixture.h"

namespace grappe::embedded {
namespace {

class Leases : public EngineTest {
 protected:
  Leases() {
    site().process_start = [this](uint32_t pid) {
      const auto found = processes.find(pid);
      return found == processes.end() ? 0 : found->second;
    };
    restart();
  }

  uint32_t allocate(pid_t pid, bool ends_with_client = true) {
    JobWish wish = job().minutes(60);
    wish.spec().set_batch(false);
    v1::SubmitRequest request;
    *request.mutable_spec() = wish.spec();
    request.set_ends_with_client(ends_with_client);
    Caller caller = alice;
    caller.pid = pid;
    auto answer = ask<v1::SubmitResponse>([&](Reply<v1::SubmitResponse> reply) {
      on_submit(core(), caller, std::move(request), std::move(reply));
    });
    EXPECT_TRUE(answer);
    return answer ? answer->job_id() : 0;
  }

  std::map<uint32_t, uint64_t> processes{{100, 7}};
};

TEST_F(Leases, EndWithTheirClient) {
  const uint32_t id = allocate(100);
  advance(60);
  EXPECT_TRUE(runs(id));
  processes.clear();
  advance(3);
  EXPECT_EQ(find(id).base(), JobState::kCancelled);
  EXPECT_EQ(find(id).ended_by, alice.uid);
}

TEST_F(Leases, EndWhenAnotherProcessHasTheNumber) {
  const uint32_t id = allocate(100);
  processes[100] = 8;
  advance(3);
  EXPECT_TRUE(find(id).finished());
}

TEST_F(Leases, OutliveARestartWithTheirClient) {
  const uint32_t lives = allocate(100);
  processes[200] = 9;
  const uint32_t dies = allocate(200);
  processes.erase(200);
  restart();
  advance(3);
  EXPECT_TRUE(runs(lives));
  EXPECT_TRUE(find(dies).finished());
}

TEST_F(Leases, AreTakenOnlyWhereAskedForAndOfClientsThatCanBeSeen) {
  const uint32_t stays = allocate(100, false);
  const uint32_t elsewhere = allocate(300);
  const uint32_t unknown = allocate(0);
  processes.clear();
  advance(60);
  for (uint32_t id : {stays, elsewhere, unknown}) EXPECT_TRUE(runs(id)) << id;
}

TEST_F(Leases, OfWaitingJobsEndToo) {
  must_submit(root, job().nodes(4).exclusive());
  const uint32_t id = allocate(100);
  ASSERT_TRUE(waits(id));
  processes.clear();
  advance(3);
  EXPECT_EQ(find(id).base(), JobState::kCancelled);
}

TEST_F(Leases, WaitForTheInactiveLimit) {
  cluster().config.jobs.inactive_limit_s = 30;
  const uint32_t id = allocate(100);
  processes.clear();
  advance(20);
  EXPECT_TRUE(runs(id));
  advance(20);
  EXPECT_TRUE(find(id).finished());
}

}  // namespace
}  // namespace grappe::embedded
