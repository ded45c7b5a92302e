// What scontrol update may not change, whoever asks and however the request is spelled.
#include "embedded/update.h"

#include "embedded/testing/engine_fixture.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

class UpdateJob : public EngineTest {
 protected:
  int change(const Caller& who, uint32_t id, v1::UpdateJobRequest request) {
    request.set_job_id(std::to_string(id));
    auto answer = ask<v1::JobsChanged>([&](Reply<v1::JobsChanged> reply) {
      on_update_job(core(), who, request, std::move(reply));
    });
    if (!answer) return answer.error().code;
    return answer->outcomes_size() > 0 ? static_cast<int>(answer->outcomes(0).error()) : 0;
  }
  int clear(const Caller& who, uint32_t id, const std::string& field) {
    v1::UpdateJobRequest request;
    request.add_clear(field);
    return change(who, id, request);
  }
};

TEST_F(UpdateJob, NeverChangesWhoseAJobIs) {
  JobWish held = job();
  held.spec().set_hold(true);
  const uint32_t id = must_submit(alice, held);
  v1::UpdateJobRequest request;
  request.mutable_set()->set_as_uid(0);
  EXPECT_EQ(change(alice, id, request), kErrNotSupported);
  EXPECT_EQ(change(root, id, request), kErrNotSupported);
  EXPECT_EQ(clear(alice, id, "batch"), kErrNotSupported);
}

TEST_F(UpdateJob, TakesFieldsAwayByTheRulesOfSettingThem) {
  const uint32_t id = must_submit(alice, job());
  ASSERT_TRUE(runs(id));
  EXPECT_EQ(clear(alice, id, "work_dir"), kErrNotPending);
  EXPECT_EQ(clear(alice, id, "admin_comment"), kErrAccessDenied);
  EXPECT_EQ(clear(alice, id, "comment"), 0);
}

TEST_F(UpdateJob, LeavesToOperatorsHowAPendingJobSharesNodes) {
  JobWish held = job();
  held.spec().set_hold(true);
  const uint32_t id = must_submit(alice, held);
  v1::UpdateJobRequest contiguous, sharing, deadline, cores;
  contiguous.mutable_set()->set_contiguous(true);
  sharing.mutable_set()->set_sharing(v1::JobSpec::OVERSUBSCRIBE);
  deadline.mutable_set()->set_deadline(core().now + 100000);
  cores.mutable_set()->set_core_spec(1);
  for (const v1::UpdateJobRequest& request : {contiguous, sharing, deadline, cores}) {
    EXPECT_EQ(change(alice, id, request), kErrAccessDenied) << request.DebugString();
  }
  EXPECT_EQ(change(root, id, cores), kErrAccessDenied) << "AllowSpecResourcesUsage is off";
  EXPECT_EQ(clear(alice, id, "contiguous"), kErrAccessDenied);
  EXPECT_EQ(change(root, id, contiguous), 0);
  EXPECT_EQ(clear(alice, id, "contiguous"), 0);
  EXPECT_EQ(change(root, id, sharing), 0);
  EXPECT_EQ(clear(alice, id, "sharing"), kErrAccessDenied);
}

TEST_F(UpdateJob, GivesAUserNoLongerLimitThanThePartitions) {
  JobWish held = job();
  held.spec().set_hold(true);
  const uint32_t id = must_submit(alice, held);
  const uint32_t most = core().state.cluster.partitions.front().config.max_time_min;
  v1::UpdateJobRequest request;
  request.mutable_set()->set_time_limit(most);
  EXPECT_EQ(change(alice, id, request), 0);
  if (most == kInfinite) return;
  request.mutable_set()->set_time_limit(most + 1);
  EXPECT_EQ(change(alice, id, request), kErrAccessDenied);
  EXPECT_EQ(change(root, id, request), 0);
}

TEST_F(UpdateJob, KnowsAnEndOnlyOfAJobThatRuns) {
  JobWish held = job();
  held.spec().set_hold(true);
  const uint32_t id = must_submit(alice, held);
  v1::UpdateJobRequest request;
  request.set_end_time(core().now + 600);
  EXPECT_EQ(change(alice, id, request), kErrJobNotRunning);
}

TEST_F(UpdateJob, SaysMemoryInOneWay) {
  JobWish held = job();
  held.spec().set_hold(true);
  const uint32_t id = must_submit(alice, held);
  v1::UpdateJobRequest node, cpu;
  node.mutable_set()->set_mem_per_node_mb(64);
  cpu.mutable_set()->set_mem_per_cpu_mb(32);
  EXPECT_EQ(change(alice, id, node), 0);
  EXPECT_EQ(change(alice, id, cpu), 0);
  EXPECT_FALSE(core().state.find(id)->spec->has_mem_per_node_mb());
  EXPECT_EQ(core().state.find(id)->settled.mem_per_cpu_mb, 32u);
}

TEST_F(UpdateJob, GivesARunningJobNoMoreNodes) {
  const uint32_t id = must_submit(alice, job());
  ASSERT_TRUE(runs(id));
  v1::UpdateJobRequest request;
  request.mutable_set()->set_min_nodes(2);
  EXPECT_EQ(change(alice, id, request), kErrNotSupported);
}

}  // namespace
}  // namespace grappe::embedded
