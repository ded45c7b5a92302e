// What a job's record says of how its script ended.
#include "embedded/exits.h"

#include <signal.h>

#include "embedded/act.h"
#include "embedded/testing/engine_fixture.h"

namespace grappe::embedded {
namespace {

class HowJobsEnd : public EngineTest {
 protected:
  void expect(uint32_t id, JobState state, Reason reason, int status) {
    EXPECT_EQ(find(id).base(), state);
    EXPECT_EQ(find(id).reason, reason);
    EXPECT_EQ(find(id).exit_code, status);
  }
  void requeue(uint32_t id) {
    v1::JobActionRequest request;
    request.add_job_ids(std::to_string(id));
    request.set_action(v1::JobActionRequest::REQUEUE);
    EXPECT_TRUE(ask<v1::JobsChanged>(
        [&](Reply<v1::JobsChanged> reply) { on_act(core(), alice, request, std::move(reply)); }));
  }
};

TEST_F(HowJobsEnd, IsToldByTheStatusOfTheScript) {
  const uint32_t good = must_submit(alice, job());
  finish(good);
  expect(good, JobState::kCompleted, Reason::kNone, 0);
  const uint32_t bad = must_submit(alice, job());
  finish(bad, 3 << 8);
  expect(bad, JobState::kFailed, Reason::kNonZeroExitCode, 3 << 8);
  const uint32_t shot = must_submit(alice, job());
  finish(shot, SIGSEGV);
  expect(shot, JobState::kFailed, Reason::kJobLaunchFailure, SIGSEGV);
}

TEST_F(HowJobsEnd, IsOutOfMemoryWhateverTheScriptMadeOfIt) {
  const uint32_t id = must_submit(alice, job());
  exec::StepEnded end;
  end.key = {id, exec::kBatchStep, 0};
  end.exits = {{0, 0}};
  end.out_of_memory = true;
  executor.end(end);
  settle();
  expect(id, JobState::kOutOfMemory, Reason::kOutOfMemory, kOutOfMemoryStatus);
}

TEST_F(HowJobsEnd, IsForTheCommandOfAnAllocationWhatItIsForAScript) {
  const uint32_t id = must_submit(alice, job());
  end_by_status(core(), id, kOutOfMemoryStatus);
  settle();
  expect(id, JobState::kOutOfMemory, Reason::kOutOfMemory, kOutOfMemoryStatus);
}

TEST_F(HowJobsEnd, MakesARequeuedJobWaitAsLongAsTheSiteSays) {
  cluster().config.jobs.cred_expire_s = 120;
  const uint32_t id = must_submit(alice, job());
  requeue(id);
  advance(110);
  EXPECT_TRUE(waits(id));
  EXPECT_EQ(find(id).restarts, 1u);
  advance(20);
  EXPECT_TRUE(runs(id));
}

TEST_F(HowJobsEnd, AJobThatIsOverCanBeRequeuedAfterARestart) {
  const uint32_t id = must_submit(alice, job());
  finish(id);
  restart();
  requeue(id);
  advance(60);
  EXPECT_TRUE(runs(id));
}

}  // namespace
}  // namespace grappe::embedded
