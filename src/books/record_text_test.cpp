#include "books/record_text.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

v1::Association sample() {
  v1::Association of;
  of.set_id(7);
  of.set_account("cs");
  of.set_shares(1);
  of.add_qos("normal");
  of.mutable_limits()->set_max_jobs(4);
  of.mutable_stamp()->set_version(3);
  return of;
}

TEST(RecordText, TellsAllOfANewRecordButItsStamp) {
  EXPECT_EQ(change_text(nullptr, sample()),
            "id=7, account='cs', shares=1, qos='normal', max_jobs=4");
}

TEST(RecordText, TellsOfAChangeWhatIsDifferent) {
  const v1::Association before = sample();
  v1::Association after = before;
  after.set_shares(3);
  after.add_qos("long");
  (*after.mutable_limits()->mutable_grp_tres())["gres/gpu"] = 2;
  (*after.mutable_limits()->mutable_grp_tres())["cpu"] = 8;
  after.mutable_limits()->clear_max_jobs();
  after.mutable_stamp()->set_version(4);
  EXPECT_EQ(change_text(&before, after),
            "shares=3, qos='normal,long', grp_tres='cpu=8,gres/gpu=2', max_jobs=");
  EXPECT_EQ(change_text(&before, before), "");
}

}  // namespace
}  // namespace grappe
