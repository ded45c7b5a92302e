#include "cli/when/when_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace grappe {
namespace {

v1::WhenResponse forecast_of_a_job() {
  setenv("TZ", "UTC", 1);
  tzset();
  v1::WhenResponse when;
  when.set_now(1'000'000);
  when.mutable_job()->set_job_id(42);
  when.mutable_job()->set_name("train");
  when.set_known(true);
  when.set_median(1'000'000 + 2100);
  when.set_bound(1'000'000 + 7200);
  when.set_planned_start(1'000'000 + 36000);
  when.set_futures(50);
  when.set_runs(23);
  return when;
}

TEST(WhenText, TellsMedianAndBound) {
  EXPECT_EQ(when_text(forecast_of_a_job(), Language::kEnglish),
            "Job 42 (train) will probably start at 1970-01-12T14:21:40 (in about 35 min).\n"
            "  Nine of ten such jobs start until 1970-01-12T15:46:40 (in about 2.0 h).\n"
            "  If every job ran until its limit and nobody came, it would start at "
            "1970-01-12T23:46:40 (in about 10.0 h).\n"
            "  The queue was run 50 times into the future; 23 earlier runs say how long this "
            "user's jobs take.\n");
}

TEST(WhenText, SaysHowFarToTrustItOnceThatIsKnown) {
  v1::WhenResponse when = forecast_of_a_job();
  when.set_scored(240);
  when.set_covered(0.912);
  EXPECT_NE(when_text(when, Language::kEnglish)
                .find("Of the 240 forecasts that have come due here, 91 % kept their bound.\n"),
            std::string::npos);
}

TEST(WhenText, OfAScriptThatStartsNowInFrench) {
  v1::WhenResponse when;
  when.set_now(1'000'000);
  when.set_known(true);
  when.set_median(1'000'000);
  when.set_bound(1'000'000);
  when.set_futures(50);
  EXPECT_EQ(when_text(when, Language::kFrench),
            "Ce job commencera probablement tout de suite.\n"
            "  La file a été déroulée 50 fois dans le futur ; rien n'est encore connu de la durée "
            "des jobs de cette personne.\n");
}

TEST(WhenText, SaysWhyThereIsNoForecast) {
  v1::WhenResponse when = forecast_of_a_job();
  when.set_known(false);
  when.set_futures(0);
  when.set_reason("JobHeldUser");
  EXPECT_EQ(when_text(when, Language::kEnglish),
            "Job 42 (train) waits: JobHeldUser\n"
            "  You hold it: `scontrol release` lets it go.\n"
            "There is no forecast: it does not wait for the machine alone.\n");
  when.mutable_job()->set_state(1);
  EXPECT_EQ(when_text(when, Language::kEnglish), "Job 42 (train) is running.\n");
}

}  // namespace
}  // namespace grappe
