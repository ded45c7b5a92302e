#include "model/reservation_flags.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace grappe {
namespace {

TEST(ReservationFlags, MayBeShortened) {
  EXPECT_EQ(parse_reservation_flags("MAINT", 0)->add, kResvMaint);
  EXPECT_EQ(parse_reservation_flags("maintenance,fle", 0)->add, kResvMaint | kResvFlex);
  EXPECT_EQ(parse_reservation_flags("replace", 0)->add, kResvReplace);
  EXPECT_EQ(parse_reservation_flags("replace_down", 0)->add, kResvReplaceDown);
  EXPECT_EQ(parse_reservation_flags("weekend", 0)->add, kResvWeekend);
  EXPECT_EQ(parse_reservation_flags("license_only", 0)->add, kResvAnyNodes);
  EXPECT_EQ(parse_reservation_flags("no_hold_jobs_after", 0)->add, kResvNoHoldAfter);
}

TEST(ReservationFlags, AreTakenAwayWithASign) {
  EXPECT_EQ(parse_reservation_flags("magnetic,flex", '-')->remove, kResvMagnetic | kResvFlex);
  auto mixed = parse_reservation_flags("-daily,weekly", 0);
  EXPECT_EQ(mixed->remove, kResvDaily);
  EXPECT_EQ(mixed->add, kResvWeekly);
  EXPECT_FALSE(parse_reservation_flags("overlap", '-'));
}

TEST(ReservationFlags, OfNoMeaningAreRefused) {
  for (const char* text : {"foo", "spec_nodes", "we", "daily=3", "purge_comp=x", "+", "week"}) {
    EXPECT_FALSE(parse_reservation_flags(text, 0)) << text;
  }
}

TEST(ReservationFlags, ArePrintedInSlurmsOrder) {
  auto flags = parse_reservation_flags("magnetic,flex,purge_comp,no_hold_jobs_after,weekday", 0);
  EXPECT_EQ(join(reservation_flag_names(flags->add | kResvSpecNodes, flags->purge_s), ","),
            "FLEX,WEEKDAY,SPEC_NODES,PURGE_COMP=00:05:00,NO_HOLD_JOBS_AFTER_END,MAGNETIC");
}

}  // namespace
}  // namespace grappe
