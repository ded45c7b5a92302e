#include "embedded/amend.h"

#include "embedded/testing/engine_fixture.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

class AmendJobs : public EngineTest {
 protected:
  Result<v1::AmendJobsResponse> amend(const Caller& caller, const v1::AmendJobsRequest& request) {
    auto done = amend_jobs(core(), caller, request);
    settle();
    return done;
  }
};

TEST_F(AmendJobs, TheOwnerCommentsAJobThatIsOver) {
  const uint32_t id = must_submit(alice, job().minutes(1));
  finish(id);
  v1::AmendJobsRequest request;
  request.add_job_ids(id);
  request.set_comment("plot 3 of the paper");
  request.set_derived_exit_code(5 << 8);
  ASSERT_TRUE(amend(alice, request));
  EXPECT_EQ(find(id).spec->comment(), "plot 3 of the paper");
  EXPECT_EQ(find(id).derived_exit_code, 5 << 8);
}

TEST_F(AmendJobs, ReachesJobsThatTheEngineHasForgotten) {
  const uint32_t id = must_submit(alice, job().minutes(1));
  finish(id);
  advance(86400);
  ASSERT_EQ(core().state.find(id), nullptr);
  v1::AmendJobsRequest request;
  request.add_job_ids(id);
  request.set_comment("kept");
  ASSERT_TRUE(amend(alice, request));
  auto rows = core().store.history({.job_ids = {id}});
  ASSERT_EQ(rows->size(), 1u);
  EXPECT_EQ(rows->at(0).job.spec->comment(), "kept");
}

TEST_F(AmendJobs, OthersAndOperatorsFieldsAreRefused) {
  const uint32_t id = must_submit(alice, job().minutes(1));
  finish(id);
  v1::AmendJobsRequest request;
  request.add_job_ids(id);
  request.set_comment("mine now");
  EXPECT_EQ(amend(bob, request).error().code, kErrAccessDenied);
  request.set_admin_comment("reviewed");
  EXPECT_EQ(amend(alice, request).error().code, kErrAccessDenied);
  request.add_job_ids(id + 77);
  EXPECT_EQ(amend(root, request).error().code, kErrInvalidJobId);
  EXPECT_EQ(find(id).spec->comment(), "");
}

}  // namespace
}  // namespace grappe::embedded
