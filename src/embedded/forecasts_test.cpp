#include "embedded/forecasts.h"

#include "embedded/finish.h"
#include "embedded/listing.h"
#include "embedded/testing/engine_fixture.h"
#include "embedded/when.h"

namespace grappe::embedded {
namespace {

class ForecastTest : public EngineTest {
 protected:
  static JobWish whole_machine(uint32_t minutes) {
    return job().nodes(4).exclusive().minutes(minutes);
  }

  // Runs of `seconds` with a limit of an hour.
  void live_through(int runs, int64_t seconds) {
    for (int i = 0; i < runs; ++i) {
      const uint32_t id = must_submit(alice, whole_machine(60));
      advance(seconds);
      finish(id);
      advance(100);
    }
  }

  // What the thread of the forecasts does from time to time.
  void make_forecasts() {
    const auto view = view_queue(core());
    take_forecasts(core(), *view, foresee(*view, false));
    settle();
  }

  // What it does a moment after a start.
  void remember() {
    learn_from_past(core(), read_past_forecasts(store, now));
    settle();
  }

  v1::WhenResponse when(const v1::WhenRequest& request) {
    auto ask_it = look_ahead(core(), alice, request);
    EXPECT_TRUE(ask_it) << (ask_it ? "" : ask_it.error().message);
    return ask_it ? (*ask_it)() : v1::WhenResponse();
  }
  v1::WhenResponse when(uint32_t id) {
    v1::WhenRequest request;
    request.set_job_id(id);
    return when(request);
  }

  int64_t listed_start(uint32_t id, bool forecasts) {
    v1::ListJobsRequest request;
    request.add_job_ids(std::to_string(id));
    request.set_forecasts(forecasts);
    v1::JobInfo info;
    list_of(core(), alice, request)->fill(0, info);
    return info.start_time();
  }

  v1::ScoreResponse score(v1::ScoreRequest::By by = v1::ScoreRequest::ALL) {
    v1::ScoreRequest request;
    request.set_by(by);
    return *score_forecasts(store, request, now, "");
  }
};

TEST_F(ForecastTest, AJobStartsWhenTheOneBeforeItUsuallyEnds) {
  live_through(6, 600);
  must_submit(alice, whole_machine(60));
  const uint32_t waiting = must_submit(alice, whole_machine(60));
  const v1::WhenResponse told = when(waiting);
  EXPECT_TRUE(told.known());
  EXPECT_EQ(told.median(), now + 600);
  EXPECT_EQ(told.planned_start(), now + 3600);  // limits stay what the plan reckons with
  EXPECT_EQ(told.runs(), 6u);
}

TEST_F(ForecastTest, OfAJobThatIsNotSubmitted) {
  live_through(6, 600);
  must_submit(alice, whole_machine(60));
  v1::WhenRequest request;
  *request.mutable_spec() = whole_machine(60).spec();
  EXPECT_EQ(when(request).median(), now + 600);
  EXPECT_EQ(state().pending_count(), 0u);
  *request.mutable_spec() = job().partition("nowhere").spec();
  EXPECT_FALSE(look_ahead(core(), alice, request));
}

TEST_F(ForecastTest, RunsAreRememberedAcrossARestart) {
  live_through(6, 600);
  must_submit(alice, whole_machine(60));
  const uint32_t waiting = must_submit(alice, whole_machine(60));
  restart();
  remember();
  EXPECT_EQ(when(waiting).median(), now + 600);
}

TEST_F(ForecastTest, OfOneThatIsHeldThereIsNone) {
  JobWish held = job();
  held.spec().set_hold(true);
  const v1::WhenResponse told = when(must_submit(alice, held));
  EXPECT_FALSE(told.known());
  EXPECT_EQ(told.reason(), "JobHeldUser");
}

TEST_F(ForecastTest, OneWithABeginTimeStartsThenAtTheEarliest) {
  JobWish later = job();
  later.spec().set_begin_time(now + 5000);
  EXPECT_EQ(when(must_submit(alice, later)).median(), now + 5000);
}

TEST_F(ForecastTest, OneThatDependsOnAnotherStartsAfterItsEnd) {
  live_through(6, 600);
  const uint32_t first = must_submit(alice, job().cpus(8).minutes(60));
  const uint32_t second =
      must_submit(alice, job().minutes(60).dependency("afterok:" + std::to_string(first)));
  const uint32_t third =
      must_submit(alice, job().minutes(60).dependency("afterany:" + std::to_string(second)));
  EXPECT_EQ(when(second).median(), now + 600);
  EXPECT_GE(when(third).median(), now + 1200);  // others come meanwhile
}

TEST_F(ForecastTest, ListsGiveTheMedianWhereNoStartIsPlannedAndItIsAskedFor) {
  live_through(6, 600);
  must_submit(alice, whole_machine(5 * 24 * 60));  // longer than is planned ahead
  const uint32_t waiting = must_submit(alice, whole_machine(60));
  forget_arrivals(core());
  make_forecasts();
  EXPECT_EQ(listed_start(waiting, false), 0);
  const int64_t start = listed_start(waiting, true);
  EXPECT_GT(start, now + 86400 / 4);  // a sixth of its limit, as the others
  EXPECT_LT(start, now + 5 * 86400);
}

TEST_F(ForecastTest, TheFirstForecastIsWrittenAndScoredWhenTheJobStarts) {
  live_through(6, 600);
  const uint32_t before = must_submit(alice, whole_machine(60));
  must_submit(alice, whole_machine(60));
  make_forecasts();
  ASSERT_EQ(score().rows_size(), 1);
  EXPECT_EQ(score().rows(0).open(), 1u);
  EXPECT_EQ(score().rows(0).forecasts(), 0u);
  advance(300);
  make_forecasts();  // a later one changes nothing of what was said
  restart();
  remember();
  finish(before);
  const v1::ScoreRow row = score().rows(0);
  EXPECT_EQ(row.forecasts(), 1u);
  EXPECT_EQ(row.open(), 0u);
  EXPECT_EQ(row.mean_wait(), 300);
  EXPECT_EQ(row.mean_error(), 300);
  EXPECT_EQ(row.covered(), 1);
  EXPECT_EQ(score(v1::ScoreRequest::USER).rows(0).name(), "1001");
  EXPECT_EQ(score(v1::ScoreRequest::PARTITION).rows(0).name(), "batch");
}

TEST_F(ForecastTest, OneThatStartsBeforeThePastIsReadIsScoredToo) {
  const uint32_t before = must_submit(alice, whole_machine(60));
  must_submit(alice, whole_machine(60));
  make_forecasts();
  advance(300);
  restart();
  settle();
  finish(before);
  advance(100);
  EXPECT_EQ(score().rows(0).open(), 1u);
  remember();
  EXPECT_EQ(score().rows(0).open(), 0u);
  EXPECT_EQ(score().rows(0).mean_wait(), 300);
}

TEST_F(ForecastTest, OneThatNeverStartsDoesNotCount) {
  must_submit(alice, whole_machine(60));
  const uint32_t waiting = must_submit(alice, whole_machine(60));
  make_forecasts();
  cancel_job(core(), waiting, alice.uid);
  settle();
  EXPECT_EQ(score().rows(0).open(), 0u);
  EXPECT_EQ(score().rows(0).forecasts(), 0u);
}

TEST_F(ForecastTest, AnArrayHasOneForecastThatOfItsNextTask) {
  must_submit(alice, whole_machine(60));
  must_submit(alice, job().nodes(4).exclusive().minutes(60).array("1-50"));
  make_forecasts();
  EXPECT_EQ(score().rows(0).open(), 1u);
}

TEST_F(ForecastTest, OnlySoManyAreWrittenAtOnce) {
  must_submit(alice, whole_machine(60));
  for (int i = 0; i < 250; ++i) must_submit(alice, job().cpus(8).minutes(10));
  make_forecasts();
  EXPECT_EQ(score().rows(0).open(), 200u);
  EXPECT_EQ(core().forecasts.current->jobs.size(), 250u);
}

}  // namespace
}  // namespace grappe::embedded
