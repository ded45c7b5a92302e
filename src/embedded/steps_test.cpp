#include "embedded/steps.h"

#include <signal.h>

#include "embedded/act.h"
#include "embedded/testing/engine_fixture.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

class Steps : public EngineTest {
 protected:
  // The step of an srun in the job; its number.
  uint32_t start_step(uint32_t job_id, uint32_t minutes = 0) {
    v1::CreateStepRequest request;
    request.set_job_id(job_id);
    request.mutable_spec()->add_argv("sleep");
    request.mutable_spec()->set_overlap(true);
    if (minutes) request.mutable_spec()->set_time_limit(minutes);
    auto answer = ask<v1::CreateStepResponse>([&](Reply<v1::CreateStepResponse> reply) {
      on_create_step(core(), alice, request, std::move(reply));
    });
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? answer->step_id() : 0;
  }
  std::string last_notice() {
    return executor.notices.empty() ? "" : executor.notices.back().second;
  }
  int notify(const Caller& who, uint32_t job_id, const std::string& text) {
    v1::JobActionRequest request;
    request.add_job_ids(std::to_string(job_id));
    request.set_action(v1::JobActionRequest::NOTIFY);
    request.set_message(text);
    auto answer = ask<v1::JobsChanged>(
        [&](Reply<v1::JobsChanged> reply) { on_act(core(), who, request, std::move(reply)); });
    return answer ? static_cast<int>(answer->outcomes(0).error()) : -1;
  }
  JobWish allocation() {
    JobWish wish = job();
    wish.spec().set_batch(false);
    return wish;
  }
};

TEST_F(Steps, KeepTheirExitCodeThroughARestart) {
  uint32_t id = must_submit(alice, job().minutes(10));
  uint32_t number = start_step(id);
  events_get_lost([&] { executor.end({id, number, 0}, 7 << 8); });
  restart();
  EXPECT_EQ(find_step(id, number).exit_code, 7 << 8);
  EXPECT_EQ(base_state(find_step(id, number).state), JobState::kFailed);
  EXPECT_EQ(find(id).derived_exit_code, 7 << 8);
  EXPECT_TRUE(runs(id));
}

TEST_F(Steps, MayRunBeyondTheirLimitAsLongAsJobs) {
  cluster().config.scheduling.over_time_limit_min = 2;
  uint32_t id = must_submit(alice, job().minutes(10));
  uint32_t number = start_step(id, 1);
  advance(179);
  EXPECT_EQ(find_step(id, number).limit_signal, 0);
  advance(1);
  EXPECT_EQ(find_step(id, number).limit_signal, SIGTERM);
}

TEST_F(Steps, AreEndedAtTheirOwnLimit) {
  uint32_t id = must_submit(alice, job().minutes(10));
  uint32_t number = start_step(id, 1);
  advance(60);
  EXPECT_NE(last_notice().find("DUE TO TIME LIMIT ***"), std::string::npos) << last_notice();
  EXPECT_NE(last_notice().find("STEP " + std::to_string(id)), std::string::npos);
  executor.end({id, number, 0}, SIGTERM);
  settle();
  EXPECT_EQ(base_state(find_step(id, number).state), JobState::kTimeout);
  EXPECT_TRUE(runs(id)) << "the job has time left";
}

TEST_F(Steps, OfAJobThatIsOverAreInTheStoreOnly) {
  const uint32_t id = must_submit(alice, job());
  EXPECT_EQ(state().steps_of(id).size(), 1u);
  finish(id, 3 << 8);
  EXPECT_TRUE(state().steps_of(id).empty());
  EXPECT_EQ(find_step(id, exec::kBatchStep).exit_code, 3 << 8);
  restart();
  EXPECT_TRUE(state().steps_of(id).empty());
}

TEST_F(Steps, MayBeToldSomething) {
  uint32_t batch = must_submit(alice, job());
  EXPECT_EQ(notify(alice, batch, "hello"), 0);
  EXPECT_EQ(last_notice(), "slurmstepd: error: hello");
  EXPECT_EQ(notify(bob, batch, "hello"), kErrUserId);
  finish(batch);
  EXPECT_EQ(notify(alice, batch, "hello"), kErrAlreadyDone);

  JobWish of_srun = allocation();
  of_srun.spec().clear_argv();
  uint32_t srun = must_submit(alice, of_srun);
  EXPECT_EQ(notify(alice, srun, "hello"), kErrDisabled);
  start_step(srun);
  EXPECT_EQ(notify(root, srun, "hello"), 0);
  EXPECT_EQ(last_notice(), "srun: hello");
}

}  // namespace
}  // namespace grappe::embedded
