#include "base/short_list.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

using List = ShortList<int, 2>;

std::vector<int> values(const List& list) {
  std::vector<int> out;
  for (size_t i = 0; i < list.size(); ++i) out.push_back(list[i]);
  return out;
}

TEST(ShortList, KeepsValuesInOrderBeyondItsOwnRoom) {
  List list;
  EXPECT_TRUE(list.empty());
  for (int i = 0; i < 5; ++i) list.push_back(i);
  EXPECT_EQ(values(list), (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(ShortList, IsCopiedWhole) {
  List list = {1, 2, 3};
  List copy = list;
  copy.push_back(4);
  EXPECT_EQ(values(list), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(values(copy), (std::vector<int>{1, 2, 3, 4}));
}

TEST(ShortList, ShortensToEitherSideOfItsOwnRoom) {
  List list = {1, 2, 3, 4};
  list.shorten(3);
  EXPECT_EQ(values(list), (std::vector<int>{1, 2, 3}));
  list.shorten(1);
  EXPECT_EQ(values(list), (std::vector<int>{1}));
  list.shorten(5);
  EXPECT_EQ(values(list), (std::vector<int>{1}));
  list.push_back(9);
  list.push_back(8);
  EXPECT_EQ(values(list), (std::vector<int>{1, 9, 8}));
}

}  // namespace
}  // namespace grappe
