#include "model/use_series.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

UsePoint point(int64_t i) {
  UsePoint made;
  made.time = 1'800'000'000 + 30 * i;
  made.cpu_ms = static_cast<uint64_t>(30'000 * i);
  made.rss_kb = i % 7 == 0 ? 900'000 : 500'000;
  made.read_kb = static_cast<uint64_t>(17 * i);
  made.processes = 3;
  made.gpu_percent = static_cast<uint64_t>(i % 100);
  return made;
}

UseSeries series_of(int64_t count) {
  UseSeries series;
  for (int64_t i = 0; i < count; ++i) series.add(point(i));
  return series;
}

TEST(UseSeries, KeepsEverySampleOfAShortStep) {
  const UseSeries series = series_of(10);
  ASSERT_EQ(series.points().size(), 10u);
  EXPECT_EQ(series.points()[3], point(3));
}

TEST(UseSeries, HalvesItsResolutionWhenItIsFull) {
  const UseSeries series = series_of(241);
  ASSERT_EQ(series.points().size(), 121u);
  EXPECT_EQ(series.points()[0].time, point(1).time);  // of two points the later
  EXPECT_EQ(series.points()[0].cpu_ms, point(1).cpu_ms);
  EXPECT_EQ(series.points()[0].rss_kb, 900'000u);  // and the greater peak
  EXPECT_EQ(series.points().back().time, point(240).time);
}

TEST(UseSeries, IsBoundedHoweverLongAStepRuns) {
  const UseSeries series = series_of(100'000);  // five weeks
  EXPECT_LE(series.points().size(), UseSeries::kMostPoints);
  EXPECT_GE(series.points().size(), UseSeries::kMostPoints / 2);
  EXPECT_EQ(series.points().back().cpu_ms, point(99'999).cpu_ms);
  EXPECT_LT(series.encode().size(), 4000u);
}

TEST(UseSeries, ComesBackFromItsBytesAndGoesOn) {
  for (int64_t count : {0, 1, 5, 240, 241, 500, 1000}) {
    UseSeries before = series_of(count);
    UseSeries after = UseSeries::decode(before.encode());
    EXPECT_EQ(after.points(), before.points());
    for (int64_t i = count; i < count + 300; ++i) {
      before.add(point(i));
      after.add(point(i));
    }
    EXPECT_EQ(after.points(), before.points());
  }
}

TEST(UseSeries, TakesValuesThatFallAndGreatOnes) {
  UseSeries series;
  UsePoint first = point(1), second = point(2);
  first.rss_kb = UINT64_MAX;
  second.time = first.time - 5;  // a clock that was set
  series.add(first);
  series.add(second);
  EXPECT_EQ(UseSeries::decode(series.encode()).points(), series.points());
}

TEST(UseSeries, MakesNothingOfForeignBytes) {
  const std::string whole = series_of(50).encode();
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_TRUE(UseSeries::decode(std::string_view(whole).substr(0, size)).points().empty());
  }
  EXPECT_TRUE(UseSeries::decode(whole + "x").points().empty());
  EXPECT_TRUE(UseSeries::decode("\x02\x01\x01").points().empty());
  EXPECT_TRUE(UseSeries::decode(std::string(20, '\xff')).points().empty());
}

}  // namespace
}  // namespace grappe
