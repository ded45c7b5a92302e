#include "sched/usage.h"

#include <gtest/gtest.h>

#include <cmath>

namespace grappe::sched {
namespace {

constexpr int64_t kWeek = 7 * 24 * 3600;

TEST(Usage, HalvesInAHalfLifeAsSlurmCounts) {
  EXPECT_NEAR(decay_factor(kWeek, kWeek), 0.50007, 1e-5);
  EXPECT_EQ(decay_factor(0, kWeek), 1);
  EXPECT_EQ(decay_factor(kWeek, 0), 1);
}

TEST(Usage, NeverDecaysToNothing) {
  EXPECT_GT(decay_factor(60, int64_t{1} << 40), 0);
}

TEST(Usage, DecaysTheSameInOneStepAsInMany) {
  double in_steps = 1;
  for (int i = 0; i < 2016; ++i) in_steps *= decay_factor(kWeek, 300);
  EXPECT_NEAR(in_steps, decay_factor(kWeek, kWeek), 1e-9);
}

TEST(Usage, ChargesWhatAJobHasForTheTimeItRan) {
  const Use use = use_of({100, {{"cpu", 4}, {"mem", 2000}}, 6.5, 1, 0});
  EXPECT_DOUBLE_EQ(use.billed, 650);
  EXPECT_DOUBLE_EQ(use.wall, 100);
  EXPECT_DOUBLE_EQ(use.tres.at("cpu"), 400);
  EXPECT_DOUBLE_EQ(use.tres.at("mem"), 200000);
  EXPECT_DOUBLE_EQ(use.tres.at("billing"), 650);
}

TEST(Usage, AQosMayMakeItCheaper) {
  EXPECT_DOUBLE_EQ(use_of({100, {{"cpu", 4}}, 4, 0.5, 0}).billed, 200);
  EXPECT_DOUBLE_EQ(use_of({100, {{"cpu", 4}}, 4, 0, 0}).billed, 0);
}

TEST(Usage, OfAChargedStretchHasDecayedSinceItBegan) {
  EXPECT_DOUBLE_EQ(use_of({300, {{"cpu", 1}}, 1, 1, kWeek}).billed, 300 * decay_factor(kWeek, 300));
}

TEST(Usage, IsTakenAwayAsFarAsThereIsAny) {
  Use use = use_of({10, {{"cpu", 2}}, 2, 1, 0});
  use -= use_of({20, {{"cpu", 2}}, 2, 1, 0});
  EXPECT_EQ(use.billed, 0);
  EXPECT_EQ(use.tres.at("cpu"), 0);
}

TEST(Usage, IsReadBackToTheLastBit) {
  Use use = use_of({12345, {{"cpu", 3}, {"gres/gpu:a100", 2}}, 1.0 / 3, 0.7, kWeek});
  EXPECT_EQ(parse_use(format_use(use)), use);
  EXPECT_EQ(parse_use(format_use({})), Use{});
  EXPECT_EQ(parse_use("what is this"), Use{});
}

// Written down and read by another.
UsageBook read_back(UsageBook& book, std::map<std::string, UsageBook::Row>& kept) {
  for (const UsageBook::Row& row : book.take_changes()) kept[row.kind + row.name] = row;
  UsageBook out;
  for (const auto& [key, row] : kept) {
    if (row.data.empty()) continue;
    EXPECT_TRUE(out.restore(row.kind, row.name, row.data));
  }
  out.restored();
  return out;
}

Use cpu_seconds(double amount) {
  Use use;
  use.billed = use.tres["cpu"] = amount;
  return use;
}

// What a real Slurm showed of a job of 100 seconds that was billed 64020 each second, with periods
// of a minute: after the first of them, and after the one that followed its end.
TEST(UsageBook, ChargesAndDecaysToTheUnitAsSlurmDoes) {
  auto seconds = [](int64_t count) { return use_of({count, {}, 64020, 1, kWeek}); };
  UsageBook book;
  book.advance(1000, kWeek, {});
  book.advance(1060, kWeek, {});
  book.charge_association(1, seconds(9));
  EXPECT_EQ(static_cast<uint64_t>(book.of_association(1).billed), 576174u);
  book.advance(1120, kWeek, {});
  book.charge_association(1, seconds(60));
  book.charge_association(1, seconds(31));
  book.advance(1180, kWeek, {});
  EXPECT_EQ(static_cast<uint64_t>(book.of_association(1).billed), 6401179u);
}

TEST(UsageBook, HasNothingOfWhomItDoesNotKnow) {
  UsageBook book;
  book.charge_association(3, cpu_seconds(5));
  EXPECT_EQ(book.of_association(3).billed, 5);
  EXPECT_EQ(book.of_association(4), Use{});
  EXPECT_EQ(book.of_qos(3), Use{});
}

TEST(UsageBook, AQosMayKeepWhatOthersForget) {
  UsageBook book;
  book.advance(1000, kWeek, {});
  book.charge_qos(1, cpu_seconds(100));
  book.charge_qos(2, cpu_seconds(100));
  book.advance(1000 + kWeek, kWeek, {2});
  EXPECT_NEAR(book.of_qos(1).billed, 50, 0.01);
  EXPECT_EQ(book.of_qos(2).billed, 100);
}

TEST(UsageBook, WritesOnlyWhatWasCharged) {
  UsageBook book;
  book.advance(1000, kWeek, {});
  book.charge_association(1, cpu_seconds(100));
  book.take_changes();
  book.advance(1300, kWeek, {});
  EXPECT_TRUE(book.take_changes().empty());
  book.charge_association(1, cpu_seconds(100));
  EXPECT_EQ(book.take_changes().size(), 2u);  // with the clock
}

TEST(UsageBook, ARowDecaysOnTheWayBack) {
  std::map<std::string, UsageBook::Row> kept;
  UsageBook book;
  book.advance(1000, kWeek, {});
  book.charge_association(1, cpu_seconds(100));
  read_back(book, kept);
  for (int i = 1; i <= 50; ++i) book.advance(1000 + i * 300, kWeek, {});
  const UsageBook again = read_back(book, kept);
  UsageBook ahead = again;  // it may have been read from before the last periods
  ahead.advance(book.last_run(), kWeek, {});
  EXPECT_NEAR(ahead.of_association(1).billed, book.of_association(1).billed, 1e-9);
}

TEST(UsageBook, AQosThatKeepsWhatItHasDoesSoOnDisk) {
  std::map<std::string, UsageBook::Row> kept;
  UsageBook book;
  book.advance(1000, kWeek, {2});
  book.charge_qos(1, cpu_seconds(100));
  book.charge_qos(2, cpu_seconds(100));
  read_back(book, kept);
  book.advance(1000 + kWeek, kWeek, {2});
  book.charge_association(1, cpu_seconds(1));
  const UsageBook again = read_back(book, kept);
  EXPECT_NEAR(again.of_qos(1).billed, 50, 0.01);
  EXPECT_EQ(again.of_qos(2).billed, 100);
  book.advance(1000 + 2 * kWeek, kWeek, {});
  EXPECT_NEAR(read_back(book, kept).of_qos(2).billed, 50, 0.01);
}

TEST(UsageBook, ANewHalfLifeDoesNotChangeThePast) {
  std::map<std::string, UsageBook::Row> kept;
  UsageBook book;
  book.advance(1000, kWeek, {});
  book.charge_association(1, cpu_seconds(100));
  read_back(book, kept);
  book.advance(2000, kWeek, {});
  read_back(book, kept);
  book.advance(3000, 60, {});
  const UsageBook again = read_back(book, kept);
  EXPECT_NEAR(again.of_association(1).billed, book.of_association(1).billed, 1e-9);
}

TEST(UsageBook, RemembersWhoWasChargedFurther) {
  std::map<std::string, UsageBook::Row> kept;
  UsageBook book;
  book.advance(1000, kWeek, {});
  book.note_charged(7, 1100);
  const UsageBook again = read_back(book, kept);
  EXPECT_EQ(again.charged_until(7, 900), 1100);
  EXPECT_EQ(again.charged_until(8, 900), 1000);
  EXPECT_EQ(again.charged_until(8, 1050), 1050);
  book.advance(1300, kWeek, {});
  EXPECT_EQ(book.charged_until(7, 900), 1300);
}

TEST(UsageBook, IsEmptyAfterAReset) {
  std::map<std::string, UsageBook::Row> kept;
  UsageBook book;
  book.advance(1000, 0, {});
  book.charge_association(1, cpu_seconds(100));
  book.charge_qos(1, cpu_seconds(100));
  book.charge_qos(2, cpu_seconds(100));
  read_back(book, kept);
  book.clear(2000, {2});
  const UsageBook again = read_back(book, kept);
  EXPECT_EQ(again.of_association(1), Use{});
  EXPECT_EQ(again.of_qos(1), Use{});
  EXPECT_EQ(again.of_qos(2).billed, 100);
  EXPECT_EQ(again.last_reset(), 2000);
}

TEST(UsageBook, AClockSetBackChargesNothingTwice) {
  UsageBook book;
  book.advance(2000, kWeek, {});
  book.advance(1000, kWeek, {});
  EXPECT_EQ(book.last_run(), 2000);
}

}  // namespace
}  // namespace grappe::sched
