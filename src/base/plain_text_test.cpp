#include "base/plain_text.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

std::string plain(std::string text) {
  hide_control_characters(text);
  return text;
}

TEST(PlainText, HasNoControlCharacters) {
  EXPECT_EQ(plain("a\nb\x1b[31mred\x7f\t"), "a?b?[31mred??");
  EXPECT_EQ(plain(std::string("a\0b", 3)), "a?b");
  EXPECT_EQ(plain("csi \xc2\x9b"), "csi ??");
}

TEST(PlainText, KeepsLettersOfEveryLanguage) {
  EXPECT_EQ(plain("grappe \xc3\xa9t\xc3\xa9 \xe6\x97\xa5\xc2\xa0"),
            "grappe \xc3\xa9t\xc3\xa9 \xe6\x97\xa5\xc2\xa0");
  EXPECT_EQ(plain("\xc2"), "\xc2");
}

TEST(PlainText, LeavesWhatComesBeforeTheStart) {
  std::string line = "one\ntwo\n";
  hide_control_characters(line, 4);
  EXPECT_EQ(line, "one\ntwo?");
}

}  // namespace
}  // namespace grappe
