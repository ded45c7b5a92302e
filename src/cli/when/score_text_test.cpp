#include "cli/when/score_text.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

TEST(ScoreText, GivesErrorAndCoverage) {
  v1::ScoreResponse scores;
  v1::ScoreRow& row = *scores.add_rows();
  row.set_forecasts(240);
  row.set_open(12);
  row.set_mean_wait(2110);
  row.set_mean_error(492);
  row.set_covered(0.9125);
  scores.add_rows()->set_name("batch");
  EXPECT_EQ(score_text(scores, false),
            "      Forecasts  Waiting     MeanWait    MeanError Error/Wait  WithinBound\n"
            "all         240       12     00:35:10     00:08:12       0.23       91.2 %\n"
            "batch         0        0            -            -          -            -\n");
  EXPECT_EQ(score_text(scores, true),
            "Name|Forecasts|Waiting|MeanWait|MeanError|ErrorPart|WithinBound\n"
            "|240|12|2110.0|492.0|0.233|0.912\n"
            "batch|0|0|0.0|0.0|0.000|0.000\n");
}

}  // namespace
}  // namespace grappe
