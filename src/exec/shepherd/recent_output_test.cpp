#include "exec/shepherd/recent_output.h"

#include <gtest/gtest.h>

namespace grappe::exec {
namespace {

TEST(RecentOutput, KeepsTheLastMessagesOfEachNode) {
  RecentOutput recent;
  for (int i = 0; i < 1000; ++i) recent.add(0, std::to_string(i) + " ");
  recent.add(1, "of another node");
  const std::string kept = recent.frames();
  EXPECT_TRUE(kept.starts_with("872 873 ")) << kept;
  EXPECT_TRUE(kept.ends_with("999 of another node")) << kept;
}

TEST(RecentOutput, IsBoundedInBytesAndKeepsTheNewestWhateverItsSize) {
  RecentOutput recent;
  for (int i = 0; i < 10; ++i) recent.add(0, std::string(60'000, static_cast<char>('0' + i)));
  EXPECT_EQ(recent.frames(), std::string(60'000, '8') + std::string(60'000, '9'));
  recent.add(0, std::string(2 * RecentOutput::kMostBytes, 'x'));
  EXPECT_EQ(recent.frames().size(), 2 * RecentOutput::kMostBytes);
}

}  // namespace
}  // namespace grappe::exec
