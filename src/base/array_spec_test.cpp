#include "base/array_spec.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace grappe {
namespace {

constexpr uint32_t kMaxSize = 4000001;

std::string shown(std::string_view text) {
  auto spec = parse_array_spec(text, kMaxSize);
  return spec ? format_tasks(spec->tasks, spec->max_running) : spec.error().message;
}

TEST(ArraySpec, ShowsTheTasksAsSqueueDoes) {
  EXPECT_EQ(shown("0-15:4,20%4"), "0,4,8,12,20%4");
  EXPECT_EQ(shown("1-5,3-8"), "1-8");
  EXPECT_EQ(shown("5,3,1"), "1,3,5");
  EXPECT_EQ(shown("1,1"), "1");
  EXPECT_EQ(shown("0,2,4,6,7"), "0,2,4,6-7");
  EXPECT_EQ(shown("1,3,4,5,7,9,11"), "1,3-5,7,9,11");
  EXPECT_EQ(shown("0-9:20"), "0");
  EXPECT_EQ(shown("1-3%5"), "1-3%5");
  EXPECT_EQ(shown("01-03"), "1-3");
}

TEST(ArraySpec, AStepIsShownWhenItSaysItShorter) {
  EXPECT_EQ(shown("0-10:2"), "0,2,4,6,8,10");
  EXPECT_EQ(shown("0-12:2"), "0-12:2");
  EXPECT_EQ(shown("0-12:3"), "0,3,6,9,12");
  EXPECT_EQ(shown("0-15:3%4"), "0-15:3%4");
  EXPECT_EQ(shown("0-27:3,40"), "0,3,6,9,12,15,18,21,24,27,40");
}

TEST(ArraySpec, CutsALongList) {
  EXPECT_EQ(shown("0-198:2,301%4"),
            "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,40,42...%4");
  auto tasks = parse_array_spec("1,3,5,8", kMaxSize)->tasks;
  EXPECT_EQ(format_tasks(tasks, 0, 10), "1,3,5,8");
  EXPECT_EQ(format_tasks(tasks, 0, 9), "1,3,5...");
  EXPECT_EQ(format_tasks(tasks, 0, 5), "1...");
  EXPECT_EQ(format_tasks(tasks, 0, 3), "..");
  EXPECT_EQ(format_tasks(tasks, 0, 1), "");
  EXPECT_EQ(format_tasks(tasks, 0, 0), "1,3,5,8");
}

TEST(ArraySpec, LengthOfTheListFromTheEnvironment) {
  EXPECT_EQ(array_text_length("20"), 20u);
  EXPECT_EQ(array_text_length("0"), 0u);
  EXPECT_EQ(array_text_length("abc"), 0u);
  EXPECT_EQ(array_text_length("-1"), 64u);
  EXPECT_EQ(array_text_length("99999"), 4096u);
  EXPECT_EQ(array_text_length(""), 64u);
}

TEST(ArraySpec, AcceptsBracketsAndEmptyItems) {
  EXPECT_EQ(shown("[1-3]%2"), "1-3%2");
  EXPECT_EQ(shown("1,,2"), "1-2");
  EXPECT_EQ(shown("1, 2,"), "1-2");
  EXPECT_EQ(shown("1%0"), "1");
}

TEST(ArraySpec, ALimitThatIsNoNumberIsNone) {
  EXPECT_EQ(shown("1-3%x"), "1-3");
  EXPECT_EQ(shown("1-3%"), "1-3");
  EXPECT_EQ(shown("1-3%-1"), "1-3");
  EXPECT_EQ(shown("1-3%%2"), "1-3");
  EXPECT_EQ(shown("1-3%2,5"), "1-3,5%2");
  EXPECT_EQ(shown("%2"), "0%2");
}

TEST(ArraySpec, RefusesWhatIsNoArray) {
  for (auto bad : {"", "a", "5-1", "0-9:0", "-1", "1-", "1-3:a", "1--3", "1-3:", "1:2", "4000001",
                   "0-4000001", "99999999999"}) {
    EXPECT_EQ(shown(bad), "Invalid job array specification") << bad;
  }
}

TEST(ArraySpec, KeepsTheStepAsWritten) {
  EXPECT_EQ(parse_array_spec("0-9:3,20", kMaxSize)->step, 3u);
  EXPECT_EQ(parse_array_spec("1,4,7", kMaxSize)->step, 1u);
}

TEST(ArraySpec, ManyOverlapsDoNotTakeForEver) {
  std::string text = "0-4000000:2";
  for (int i = 0; i < 10000; ++i) text += ",1-4000000:3";
  EXPECT_FALSE(parse_array_spec(text, kMaxSize));
}

TEST(TaskSet, FourMillionTasksStartOneByOne) {
  TaskSet tasks = parse_array_spec("0-4000000", kMaxSize)->tasks;
  EXPECT_EQ(tasks.count(), 4000001u);
  EXPECT_EQ(tasks.last(), 4000000u);
  uint32_t expected = 0;
  while (auto id = tasks.first()) {
    ASSERT_EQ(*id, expected++);
    ASSERT_TRUE(tasks.remove(*id));
  }
  EXPECT_EQ(expected, 4000001u);
  EXPECT_TRUE(tasks.empty());
}

TEST(TaskSet, RemovingFromTheMiddleSplits) {
  TaskSet tasks = parse_array_spec("0-9", kMaxSize)->tasks;
  EXPECT_TRUE(tasks.remove(4));
  EXPECT_FALSE(tasks.remove(4));
  EXPECT_FALSE(tasks.contains(4));
  EXPECT_EQ(format_tasks(tasks, 0), "0-3,5-9");
  EXPECT_EQ(tasks.next_after(3), 5u);
  EXPECT_EQ(tasks.next_after(9), std::nullopt);
}

TEST(TaskSet, AgreesWithASetOfNumbers) {
  std::mt19937 generator(7);
  auto random = [&generator](uint32_t bound) { return static_cast<uint32_t>(generator() % bound); };
  for (int round = 0; round < 200; ++round) {
    std::vector<TaskSet::Range> ranges;
    std::set<uint32_t> expected;
    for (uint32_t i = 0; i <= random(5); ++i) {
      uint32_t first = random(50), step = 1 + random(4);
      TaskSet::Range range{first, first + step * random(12), step};
      for (uint32_t id = range.first; id <= range.last; id += step) expected.insert(id);
      ranges.push_back(range);
    }
    TaskSet tasks = TaskSet::of(ranges);
    while (!expected.empty()) {
      std::set<uint32_t> seen;
      tasks.for_each([&](uint32_t id) { seen.insert(id); });
      ASSERT_EQ(seen, expected);
      ASSERT_EQ(tasks.count(), expected.size());
      ASSERT_EQ(tasks.first(), *expected.begin());
      ASSERT_EQ(tasks.last(), *expected.rbegin());
      uint32_t id = random(100);
      auto after = expected.upper_bound(id);
      auto next = tasks.next_after(id);
      ASSERT_EQ(next.has_value(), after != expected.end());
      if (next) {
        ASSERT_EQ(*next, *after);
      }
      ASSERT_EQ(tasks.contains(id), expected.count(id) == 1);
      ASSERT_EQ(tasks.remove(id), expected.erase(id) == 1);
    }
    ASSERT_TRUE(tasks.empty());
    ASSERT_EQ(tasks.first(), std::nullopt);
  }
}

}  // namespace
}  // namespace grappe
