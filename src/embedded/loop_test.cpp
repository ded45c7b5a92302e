#include "embedded/loop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace grappe::embedded {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr auto kNever = steady_clock::time_point::max();

// Returns when the thread of the loop has made its first round.
void start_and_settle(Loop& loop, Loop::AfterBatch after_batch) {
  loop.start(std::move(after_batch));
  std::promise<void> settled;
  loop.post([&] { settled.set_value(); });
  settled.get_future().wait();
}

// Repeats it, as the loop may still be busy with what came before.
std::thread::id thread_of_request(Loop& loop, Loop::On thread = Loop::On::kThreadOfRequest) {
  std::promise<std::thread::id> where;
  loop.run_or_post([&] { where.set_value(std::this_thread::get_id()); }, thread);
  return where.get_future().get();
}

TEST(Loop, CarriesARequestOutOnTheThreadThatBroughtItWhenIdle) {
  Loop loop;
  start_and_settle(loop, [](Loop::On) { return kNever; });
  const auto until = steady_clock::now() + seconds(10);
  while (thread_of_request(loop) != std::this_thread::get_id()) {
    ASSERT_LT(steady_clock::now(), until);
  }
}

void says_whose_thread_it_is_on(Loop::On thread) {
  Loop loop;
  std::atomic<bool> wrong = false;
  std::atomic<int> on_mine = 0;
  const auto mine = std::this_thread::get_id();
  start_and_settle(loop, [&](Loop::On on) {
    const bool here = std::this_thread::get_id() == mine;
    if (here) ++on_mine;
    if (on != (here ? thread : Loop::On::kOwnThread)) wrong = true;
    return kNever;
  });
  const auto until = steady_clock::now() + seconds(10);
  while (!on_mine) {
    thread_of_request(loop, thread);
    ASSERT_LT(steady_clock::now(), until);
  }
  loop.stop();
  EXPECT_FALSE(wrong);
}

TEST(Loop, SaysWhoseThreadItIsOn) {
  says_whose_thread_it_is_on(Loop::On::kThreadOfRequest);
  says_whose_thread_it_is_on(Loop::On::kThreadOfEvent);
}

TEST(Loop, KeepsWhatComesMeanwhileForItsThread) {
  Loop loop;
  start_and_settle(loop, [](Loop::On) { return kNever; });
  std::promise<void> entered, leave, second;
  std::thread other([&] {
    loop.post([&] {
      entered.set_value();
      leave.get_future().wait();
    });
  });
  entered.get_future().wait();
  loop.run_or_post([&] { second.set_value(); });
  auto done = second.get_future();
  EXPECT_EQ(done.wait_for(milliseconds(20)), std::future_status::timeout);
  leave.set_value();
  done.wait();
  other.join();
}

TEST(Loop, ComesBackAtTheTimeThatARequestHasBroughtNearer) {
  Loop loop;
  std::atomic<bool> near = false;
  std::promise<void> came_back;
  std::atomic<int> rounds = 0;
  start_and_settle(loop, [&](Loop::On) {
    if (near && ++rounds == 2) came_back.set_value();
    return near ? steady_clock::now() + milliseconds(10) : kNever;
  });
  loop.run_or_post([&] { near = true; });
  EXPECT_EQ(came_back.get_future().wait_for(seconds(10)), std::future_status::ready);
}

TEST(Loop, ComesBackAtATimeThatPassedDuringARequestOfAnotherThread) {
  Loop loop;
  std::atomic<bool> slow = false;
  std::promise<void> came_back;
  std::atomic<int> rounds = 0;
  start_and_settle(loop, [&](Loop::On) {
    if (slow && ++rounds == 2) came_back.set_value();
    return steady_clock::now() + milliseconds(20);
  });
  loop.run_or_post([&] {
    slow = true;
    std::this_thread::sleep_for(milliseconds(60));
  });
  EXPECT_EQ(came_back.get_future().wait_for(seconds(10)), std::future_status::ready);
}

TEST(Loop, RunsOneThingAtATimeAndAllOfIt) {
  Loop loop;
  start_and_settle(loop, [](Loop::On) { return kNever; });
  constexpr int kThreads = 4, kRequests = 2'000;
  int inside = 0, count = 0;  // without a lock: that is the loop's promise
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < kRequests; ++j) {
        loop.run_or_post([&] {
          EXPECT_EQ(++inside, 1);
          ++count;
          --inside;
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  loop.stop();
  EXPECT_EQ(count, kThreads * kRequests);
}

}  // namespace
}  // namespace grappe::embedded
