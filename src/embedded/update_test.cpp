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

}  // namespace
}  // namespace grappe::embedded
