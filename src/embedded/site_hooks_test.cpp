#include "embedded/site_hooks.h"

#include "embedded/cancel.h"
#include "embedded/testing/engine_fixture.h"
#include "embedded/waiting.h"

namespace grappe::embedded {
namespace {

Cluster with_site_hooks() {
  Cluster cluster = four_nodes();
  cluster.config.hooks.prolog_slurmctld = "/etc/prolog";
  cluster.config.hooks.epilog_slurmctld = "/etc/epilog";
  return cluster;
}

class SiteHooks : public EngineTest {
 protected:
  SiteHooks() : EngineTest(with_site_hooks()) {}

  bool configuring(uint32_t id) { return runs(id) && (find(id).state & kStateConfiguring) != 0; }
  void program_ends(const std::string& failure = "") {
    executor.program_ends(failure);
    settle();
  }
  std::string last_program() {
    return executor.programs.empty() ? "" : executor.programs.back().path;
  }
  JobWish interactive() {
    JobWish wish = job();
    wish.spec().set_batch(false);
    return wish;
  }
};

TEST_F(SiteHooks, AScriptStartsWhenThePrologOfTheServiceHasEnded) {
  const uint32_t id = must_submit(alice, job());
  EXPECT_TRUE(configuring(id));
  EXPECT_EQ(last_program(), "/etc/prolog");
  EXPECT_TRUE(executor.started.empty());
  program_ends();
  EXPECT_FALSE(configuring(id));
  EXPECT_EQ(executor.started.size(), 1u);
  finish(id);
  EXPECT_EQ(find(id).base(), JobState::kCompleted);
  EXPECT_EQ(last_program(), "/etc/epilog");
  EXPECT_EQ(executor.programs.size(), 2u);
}

TEST_F(SiteHooks, TellTheProgramAboutTheJobAndNothingElse) {
  must_submit(alice, job().cpus(2));
  const std::string& env = executor.programs.back().environment;
  for (std::string_view entry : {"SLURM_JOB_ID=1", "SLURM_JOB_NODELIST=node1", "SLURM_JOB_UID=1001",
                                 "SLURM_JOB_PARTITION=batch", "SLURM_JOB_CPUS_PER_NODE=2",
                                 "SLURM_SCRIPT_CONTEXT=prolog_slurmctld"}) {
    EXPECT_NE(env.find(std::string(entry) + '\0'), std::string::npos) << entry;
  }
}

TEST_F(SiteHooks, ABatchJobGoesBackToTheQueueWhenThePrologFails) {
  const uint32_t id = must_submit(alice, job());
  program_ends("exited with status 3");
  EXPECT_TRUE(waits(id));
  EXPECT_EQ(find(id).restarts, 1u);
  EXPECT_EQ(find(id).hold, Hold::kNone);
  EXPECT_TRUE(executor.started.empty());
}

TEST_F(SiteHooks, AJobThatMayNotRunAgainEndsWhenThePrologFails) {
  JobWish once = job();
  once.spec().set_requeue(false);
  const uint32_t batch = must_submit(alice, once);
  program_ends("exited with status 3");
  EXPECT_EQ(find(batch).base(), JobState::kCancelled);
  const uint32_t shell = must_submit(alice, interactive());
  program_ends("exited with status 3");
  EXPECT_EQ(find(shell).base(), JobState::kCancelled);
}

TEST_F(SiteHooks, WhoeverWaitsForAnAllocationHearsThatThePrologFailedEvenLate) {
  const uint32_t id = must_submit(alice, interactive());
  program_ends("exited with status 3");
  v1::WaitRequest request;
  request.set_job_id(id);
  request.set_until(v1::WaitRequest::READY);
  auto answer = ask<v1::WaitResponse>(
      [&](Reply<v1::WaitResponse> reply) { on_wait(core(), alice, request, std::move(reply)); });
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->timed_out());
  EXPECT_EQ(answer->notice(), "PrologSlurmctld failed, job killed");
}

TEST_F(SiteHooks, ThePrologRunsAgainAfterARestart) {
  const uint32_t id = must_submit(alice, job());
  restart();
  EXPECT_TRUE(configuring(id));
  EXPECT_EQ(executor.programs.size(), 2u);
  EXPECT_EQ(last_program(), "/etc/prolog");
  program_ends();
  EXPECT_EQ(executor.started.size(), 1u);
}

TEST_F(SiteHooks, AJobGoesOnWhenThePrologIsGoneFromTheConfiguration) {
  const uint32_t id = must_submit(alice, job());
  restart(four_nodes());
  EXPECT_FALSE(configuring(id));
  EXPECT_EQ(executor.started.size(), 1u);
}

TEST_F(SiteHooks, TheEpilogOfACancelledJobWaitsForItsProlog) {
  const uint32_t id = must_submit(alice, job());
  v1::CancelRequest request;
  request.add_job_ids(std::to_string(id));
  ask<v1::CancelResponse>([&](Reply<v1::CancelResponse> reply) {
    on_cancel(core(), alice, request, std::move(reply));
  });
  EXPECT_EQ(find(id).base(), JobState::kCancelled);
  EXPECT_EQ(executor.programs.size(), 1u);
  program_ends();
  EXPECT_EQ(last_program(), "/etc/epilog");
  EXPECT_TRUE(executor.started.empty());
}

}  // namespace
}  // namespace grappe::embedded
