#include "store/usage.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "base/local_time.h"
#include "model/job_state.h"
#include "store/memory/memory_store.h"

namespace grappe {
namespace {

constexpr int64_t kNewYear = 1767225600;  // 2026-01-01T00:00 UTC

// The clocks of Berlin, as long as it lives.
struct BerlinTime {
  BerlinTime() {
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    tzset();
  }
  ~BerlinTime() {
    unsetenv("TZ");
    tzset();
  }
};

struct Folder {
  Folder() {
    // In memory, where there is such a place: the tests commit often.
    char in_memory[] = "/dev/shm/grappe-usage-XXXXXX", on_disk[] = "/tmp/grappe-usage-XXXXXX";
    const char* made = mkdtemp(in_memory);
    path = made ? made : mkdtemp(on_disk);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::unique_ptr<Store> open() const { return std::move(*open_sql_store(path + "/test.db")); }
  std::string path;
};

JobPtr run_of(uint32_t id, int64_t submit, int64_t start, int64_t end, size_t cpus) {
  auto spec = std::make_shared<v1::JobSpec>();
  if (id % 4 == 0) spec->set_reservation("class");
  auto job = std::make_shared<Job>();
  job->id = id;
  job->user = id % 2 ? "alice" : "bob";
  job->spec = spec;
  job->assoc_id = id % 4;
  if (id % 3 == 0) job->wckey = "paper";
  job->submit_time = job->eligible_time = submit;
  job->start_time = start;
  job->end_time = end;
  job->settled.cpus = static_cast<uint32_t>(cpus);
  const JobState state = end     ? JobState::kCompleted
                         : start ? JobState::kRunning
                                 : JobState::kPending;
  job->state = static_cast<uint32_t>(state);
  if (start) {
    NodeAllocation& share = job->allocation.emplace_back();
    share.cpus.resize(cpus);
    share.memory_mb = 100 * cpus;
  }
  return job;
}

NodeEvent cluster_of(uint64_t cpus, int64_t start) {
  NodeEvent event;
  event.start = start;
  event.tres = {{"cpu", cpus}, {"mem", cpus * 1000}};
  return event;
}

// Until there is nothing left to do.
int64_t roll_up(Store& store, int64_t until) {
  int64_t before = -1, mark = *store.roll_up(until);
  while (mark > before) {
    before = mark;
    mark = *store.roll_up(until);
  }
  return mark;
}

int64_t some(int64_t from, int64_t to) {
  return *rc::gen::inRange<int64_t>(from, to);
}

// A history of a few days around `start`, committed in pieces.
Changes some_history(int64_t start, int64_t length) {
  Changes changes;
  changes.events.push_back(cluster_of(8, start));
  NodeEvent down = cluster_of(4, start + some(0, length));
  down.node = "n1";
  down.end = down.start + some(0, length);
  changes.events.push_back(down);
  const int64_t from = start + some(0, length);
  changes.windows.push_back(
      {1, "class", from, from + some(0, 20000), 0, "n1", {{"cpu", 4}}, {0, 7}});
  for (uint32_t id = 1, count = static_cast<uint32_t>(some(0, 12)); id <= count; ++id) {
    const int64_t submit = start + some(0, length), began = submit + some(0, 9000);
    const int64_t end = began + some(-100, 30000);
    const int64_t kind = some(0, 4);  // pending, running, or over
    changes.jobs.push_back(
        run_of(id, submit, kind ? began : 0, kind > 1 ? end : 0, static_cast<size_t>(some(1, 9))));
    if (kind < 3) continue;
    changes.first_shares.push_back({id, 0, began, {{"cpu", 2}}});
    changes.shares.push_back({id, 0, began + some(1, 4000), {}});
    changes.shares.push_back({id, 0, began + some(4000, 8000), {{"cpu", 1}}});
  }
  return changes;
}

RC_GTEST_PROP(UsageOfTheBooks, IsTheSameRolledUpHourByHourAndMadeAnewAndFromTheJobs, ()) {
  BerlinTime zone;
  Folder folder;
  // Around a change of the clocks, which is also the end of a month in this calendar.
  const int64_t start = *rc::gen::element<int64_t>(1774728000, 1792962000, kNewYear - 50000);
  const int64_t length = 4 * 86400;
  const Changes history = some_history(start, length);
  MemoryStore plain;
  auto store = folder.open();
  RC_ASSERT(store->commit(history).has_value());
  RC_ASSERT(plain.commit(history).has_value());

  auto check = [&] {
    for (int i = 0; i < 4; ++i) {
      const int64_t from = hour_start(start) + some(-5, 90) * 3600;
      const int64_t to = from + some(1, 90) * 3600;
      RC_ASSERT(*store->usage(from, to) == *plain.usage(from, to));
    }
    const int64_t all = start + 6 * 86400;
    RC_ASSERT(*store->usage(month_start(start), all) == *plain.usage(month_start(start), all));
  };
  for (int64_t until = start; until < start + length; until += 20000 + some(0, 60000)) {
    RC_ASSERT(roll_up(*store, until) <= std::max(until, hour_start(start)));
  }
  check();
  Changes anew;
  anew.reroll_from = start + some(0, length);
  RC_ASSERT(store->commit(anew).has_value());
  check();
  RC_ASSERT(roll_up(*store, hour_start(start) + 5 * 86400) == hour_start(start) + 5 * 86400);
  check();
}

TEST(UsageOfTheBooks, PartsOfATimeAreMonthsDaysHoursAndWhatIsNotKept) {
  BerlinTime zone;
  const int64_t january = kNewYear - 3600, february = next_month(january);
  const int64_t start = january - 2 * 3600;
  const auto parts = parts_of(start, february + 86400 + 7200 + 60, february + 86400 + 3600);
  const std::vector<UsagePart> expected{
      {UsagePart::kHours, start, january},
      {UsagePart::kMonths, january, february},
      {UsagePart::kDays, february, february + 86400},
      {UsagePart::kHours, february + 86400, february + 86400 + 3600},
      {UsagePart::kNotKept, february + 86400 + 3600, february + 86400 + 7200 + 60}};
  EXPECT_EQ(parts, expected);
}

TEST(UsageOfTheBooks, IsExactWhenAJobEndsInAnHourThatWasRolledUp) {
  Folder folder;
  auto store = folder.open();
  Changes changes;
  changes.events = {cluster_of(8, kNewYear)};
  changes.jobs = {run_of(1, kNewYear, kNewYear, 0, 2)};
  ASSERT_TRUE(store->commit(changes));
  ASSERT_EQ(roll_up(*store, kNewYear + 7200), kNewYear + 7200);
  EXPECT_EQ((*store->usage(kNewYear, kNewYear + 7200)).by_association[1]["cpu"], 14400u);
  Changes late;
  late.jobs = {run_of(1, kNewYear, kNewYear, kNewYear + 100, 2)};
  late.reroll_from = kNewYear + 100;
  ASSERT_TRUE(store->commit(late));
  EXPECT_EQ((*store->usage(kNewYear, kNewYear + 7200)).by_association[1]["cpu"], 200u);
  ASSERT_EQ(roll_up(*store, kNewYear + 7200), kNewYear + 7200);
  EXPECT_EQ((*store->usage(kNewYear, kNewYear + 7200)).by_association[1]["cpu"], 200u);
}

TEST(UsageOfTheBooks, TwoWritersRollUpEachHourOnce) {
  Folder folder;
  auto one = folder.open(), two = folder.open();
  Changes changes;
  changes.events = {cluster_of(8, kNewYear)};
  changes.jobs = {run_of(1, kNewYear, kNewYear, 0, 2)};
  ASSERT_TRUE(one->commit(changes));
  const int64_t until = kNewYear + 20 * 86400;
  std::thread other([&] { roll_up(*two, until); });
  roll_up(*one, until);
  other.join();
  EXPECT_EQ(roll_up(*one, until), until);
  EXPECT_EQ((*one->usage(kNewYear, until)).by_association[1]["cpu"], 2u * 20 * 86400);
  EXPECT_EQ((*one->usage(kNewYear, until)).cluster["cpu"].reported(), 8u * 20 * 86400);
}

TEST(UsageOfTheBooks, SurvivesAKillInARollUp) {
  Folder folder;
  Changes changes;
  changes.events = {cluster_of(8, kNewYear)};
  for (uint32_t id = 1; id < 40; ++id) {
    changes.jobs.push_back(run_of(id, kNewYear + id * 1000, kNewYear + id * 1777, 0, 1));
  }
  MemoryStore plain;
  ASSERT_TRUE(plain.commit(changes));
  ASSERT_TRUE(folder.open()->commit(changes));
  const int64_t until = kNewYear + 70 * 86400;
  for (int i = 1; i <= 8; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      roll_up(*folder.open(), until);
      _exit(0);
    }
    usleep(static_cast<useconds_t>(i * 4000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_EQ(*folder.open()->usage(kNewYear, until), *plain.usage(kNewYear, until));
  }
  EXPECT_EQ(roll_up(*folder.open(), until), until);
  EXPECT_EQ(*folder.open()->usage(kNewYear, until), *plain.usage(kNewYear, until));
}

TEST(UsageOfTheBooks, GivesBackEventsAndWindows) {
  Folder folder;
  Changes changes;
  NodeEvent event = cluster_of(4, 1000);
  event.node = "n1";
  event.state = 1;
  event.reason = "disk";
  event.uid = 1001;
  event.user = "alice";
  changes.events = {event};
  changes.windows = {{3, "class", 500, 2000, 1, "n[1-2]", {{"cpu", 4}}, {7, 9}}};
  auto store = folder.open();
  ASSERT_TRUE(store->commit(changes));
  EXPECT_EQ(store->load(0)->events, changes.events);
  EXPECT_EQ(store->load(0)->windows, changes.windows);
  EXPECT_EQ(*store->windows(1999, 3000), changes.windows);
  EXPECT_TRUE(store->windows(2000, 3000)->empty());
  event.end = 1500;
  Changes over;
  over.events = {event};
  ASSERT_TRUE(store->commit(over));
  EXPECT_TRUE(store->load(0)->events.empty());
  EXPECT_EQ(*store->events(1499, 2000), over.events);
  EXPECT_TRUE(store->events(1500, 2000)->empty());
}

}  // namespace
}  // namespace grappe
