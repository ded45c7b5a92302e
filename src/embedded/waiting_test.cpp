#include "embedded/waiting.h"

#include "embedded/act.h"
#include "embedded/testing/engine_fixture.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

class Waiting : public EngineTest {
 protected:
  // The answer so far of a caller who waits for the end of the job.
  std::shared_ptr<std::optional<v1::WaitResponse>> wait(const Caller& who, uint32_t id) {
    auto answer = std::make_shared<std::optional<v1::WaitResponse>>();
    v1::WaitRequest request;
    request.set_job_id(id);
    request.set_until(v1::WaitRequest::ENDED);
    request.set_timeout_ms(60000);
    on_wait(core(), who, request, [answer](Result<v1::WaitResponse> r) {
      if (r) *answer = *r;
    });
    settle();
    return answer;
  }
  int notify(uint32_t id) {
    v1::JobActionRequest request;
    request.add_job_ids(std::to_string(id));
    request.set_action(v1::JobActionRequest::NOTIFY);
    request.set_message("hello");
    auto answer = ask<v1::JobsChanged>(
        [&](Reply<v1::JobsChanged> reply) { on_act(core(), alice, request, std::move(reply)); });
    return answer && answer->outcomes_size() ? static_cast<int>(answer->outcomes(0).error()) : -1;
  }
};

TEST_F(Waiting, ForTheEndOfAnAllocationHearsNotices) {
  JobWish wish = job();
  wish.spec().set_batch(false);
  const uint32_t id = must_submit(alice, wish);
  ASSERT_TRUE(runs(id));
  EXPECT_EQ(notify(id), kErrDisabled) << "nobody is there";
  auto heard = wait(alice, id);
  auto other = wait(bob, id);
  EXPECT_EQ(notify(id), 0);
  ASSERT_TRUE(*heard);
  EXPECT_EQ((*heard)->notice(), "hello");
  EXPECT_TRUE((*heard)->timed_out()) << "to be asked again";
  EXPECT_FALSE(*other) << "what is said to alice is not bob's";
}

}  // namespace
}  // namespace grappe::embedded
