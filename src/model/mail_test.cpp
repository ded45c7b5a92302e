#include "model/mail.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

TEST(MailType, ReadsNamesInAnyCase) {
  EXPECT_EQ(parse_mail_type("BEGIN,end"), kMailBegin | kMailEnd);
  EXPECT_EQ(parse_mail_type("NONE"), 0u);
  EXPECT_EQ(parse_mail_type("TIME_LIMIT_80"), kMailTimeLimit80);
  EXPECT_EQ(parse_mail_type("x"), std::nullopt);
  EXPECT_EQ(parse_mail_type("BEGIN,x"), std::nullopt);
  EXPECT_EQ(parse_mail_type(""), std::nullopt);
}

TEST(MailType, IsShownAsScontrolShowsIt) {
  EXPECT_EQ(mail_type_text(*parse_mail_type("ALL")),
            "INVALID_DEPEND,BEGIN,END,FAIL,REQUEUE,STAGE_OUT");
  EXPECT_EQ(mail_type_text(0), "NONE");
}

}  // namespace
}  // namespace grappe
