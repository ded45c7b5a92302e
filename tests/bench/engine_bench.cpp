// How long the engine's pass over a long queue takes, and what it does every few minutes:
// priorities of all jobs, fair share of many users, forecasts: engine_bench [JOBS]
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "books/change.h"
#include "embedded/forecasts.h"
#include "embedded/priority.h"
#include "embedded/shares.h"
#include "embedded/testing/engine_fixture.h"
#include "embedded/when.h"

namespace grappe::embedded {
namespace {

size_t jobs = 100'000;

class LongQueue : public EngineTest {
 protected:
  void fill() {
    cluster().config.limits.max_job_count = UINT32_MAX;
    for (int i = 0; i < 4; ++i) submit_only(job().cpus(8).minutes(6000));
    settle();
    for (size_t i = 0; i < jobs; ++i) submit_only(job().minutes(10 + i % 50));
  }
  // Without the pass that each submission would wait for here.
  void submit_only(const JobWish& wish) {
    v1::SubmitRequest request;
    *request.mutable_spec() = wish.spec();
    request.set_script("#!/bin/sh\n");
    on_submit(core(), alice, std::move(request), Reply<v1::SubmitResponse>([](auto) {}));
  }
};

TEST_F(LongQueue, Pass) {
  fill();
  for (int i = 0; i < 5; ++i) {
    now += 1;
    core().now = now;
    core().plan_wanted = true;
    settle();
    std::printf("pass over %zu jobs: %.1f ms\n", state().pending().size(),
                static_cast<double>(core().counters.main.last_us()) / 1000);
  }
}

double milliseconds(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) * 1000 / CLOCKS_PER_SEC;
}

TEST_F(LongQueue, Priorities) {
  PriorityConfig& priority = cluster().config.priority;
  priority.type = "priority/multifactor";
  priority.weight_age = 1000;
  priority.weight_fair_share = 10000;
  priority.weight_job_size = 100;
  priority.weight_qos = 5000;
  fill();
  settle();
  for (int i = 0; i < 3; ++i) {
    now += 300;
    core().now = now;
    const std::clock_t begin = std::clock();
    recalculate_priorities(core());
    std::printf("priorities of %zu jobs: %.1f ms\n", state().pending().size(), milliseconds(begin));
  }
}

TEST_F(LongQueue, Forecasts) {
  fill();
  settle();
  v1::WhenRequest request;
  request.set_job_id(state().pending().back());
  std::clock_t begin = std::clock();
  auto ask_it = look_ahead(core(), alice, request);
  const double looking = milliseconds(begin);
  begin = std::clock();
  const v1::WhenResponse told = (*ask_it)();
  std::printf(
      "forecast for the last of %zu jobs (in %.1f h): %.2f s beside the engine, %.1f ms of it\n",
      state().pending().size(), static_cast<double>(told.median() - now) / 3600,
      milliseconds(begin) / 1000, looking);
  begin = std::clock();
  const auto view = view_queue(core());
  const double viewing = milliseconds(begin);
  begin = std::clock();
  const sched::Forecasts made = foresee(*view, false);
  const double foreseeing = milliseconds(begin);
  begin = std::clock();
  take_forecasts(core(), *view, made);
  std::printf("forecasts for all of them (%u futures): %.2f s beside the engine, %.1f ms of it\n",
              made.futures, foreseeing / 1000, viewing + milliseconds(begin));
}

// An account for ten users each.
Books books_of(uint32_t users) {
  Books books;
  add_first_records(books, "test", "", {}, 1);
  for (uint32_t i = 0; i < users; ++i) {
    const std::string account = "a" + std::to_string(i / 10);
    v1::Association place;
    place.set_cluster("test");
    place.set_account(account);
    if (i % 10 == 0) {
      place.set_id(books.next_association_id());
      place.set_parent(kRootAccount);
      place.set_shares(1 + i % 7);
      books.put(place);
    }
    place.set_id(books.next_association_id());
    place.set_parent(account);
    place.set_user("u" + std::to_string(i));
    books.put(place);
  }
  return books;
}

TEST(Shares, OfManyUsers) {
  const Books books = books_of(20'000);
  sched::UsageBook usage;
  for (const auto& [id, association] : books.associations()) {
    sched::Use use;
    use.billed = id * 7919 % 10007;
    use.tres["cpu"] = use.billed;
    usage.charge_association(id, use);
  }
  ShareTable shares;
  PriorityConfig config;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t begin = std::clock();
    shares.update(books, "test", usage, config);
    std::printf("fair share of 20000 users, %s: %.1f ms\n", i ? "again" : "a new tree",
                milliseconds(begin));
  }
  const std::clock_t begin = std::clock();
  usage.advance(1'000'000, 7 * 24 * 3600, {});
  std::printf("their usage decays: %.1f ms\n", milliseconds(begin));
}

}  // namespace
}  // namespace grappe::embedded

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1) grappe::embedded::jobs = std::strtoul(argv[1], nullptr, 10);
  return RUN_ALL_TESTS();
}
