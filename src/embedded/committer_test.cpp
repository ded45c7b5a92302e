#include "embedded/committer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "store/memory/memory_store.h"

namespace grappe::embedded {
namespace {

// What reaches the disk.
class CountedStore : public MemoryStore {
 public:
  std::map<std::string, std::string> written() { return load(0)->meta; }
  Status commit(const Changes& changes) override {
    std::this_thread::sleep_for(pause);
    return MemoryStore::commit(changes);
  }
  std::chrono::milliseconds pause{0};
};

Batch change(const std::string& key, std::function<void()> effect = {}) {
  Batch batch;
  batch.changes.meta[key] = "written";
  if (effect) batch.effects.push_back({std::move(effect)});
  return batch;
}

TEST(Committer, WritesWhatNobodyWaitsForTogetherWithWhatSomebodyDoes) {
  CountedStore store;
  std::promise<void> done;
  {
    Committer committer(store, [](const std::vector<uint32_t>&, const Error&) {});
    for (int i = 0; i < 5; ++i) committer.push(change(std::to_string(i)));
    committer.push(change("last", [&] { done.set_value(); }));
    done.get_future().wait();
  }
  EXPECT_EQ(store.written().size(), 6u);
  EXPECT_LT(store.commits, 6u);
}

TEST(Committer, WritesWhatNobodyWaitsForSoon) {
  CountedStore store;
  Committer committer(store, [](const std::vector<uint32_t>&, const Error&) {});
  committer.push(change("a"));
  const auto begin = std::chrono::steady_clock::now();
  while (committer.stats().commits == 0) std::this_thread::yield();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(Committer, LosesNothingOfBatchesThatGoTogether) {
  Changes both, later;
  both.meta["a"] = "written";
  later.transactions.emplace_back();
  later.events.emplace_back();
  later.windows.emplace_back();
  later.first_shares.emplace_back();
  later.shares.emplace_back();
  later.forecasts.emplace_back();
  later.contents.emplace_back();
  later.settings.emplace_back();
  later.jobs.push_back(std::make_shared<Job>());
  later.steps.push_back(std::make_shared<Step>());
  later.reroll_from = 17;
  merge(both, std::move(later));
  EXPECT_EQ(both.meta.size() + both.transactions.size() + both.events.size() + both.windows.size() +
                both.first_shares.size() + both.shares.size() + both.forecasts.size() +
                both.contents.size() + both.settings.size() + both.jobs.size() + both.steps.size(),
            11u);
  EXPECT_EQ(both.reroll_from, 17);
}

TEST(Committer, WritesEverythingBeforeItEnds) {
  CountedStore store;
  {
    Committer committer(store, [](const std::vector<uint32_t>&, const Error&) {});
    committer.push(change("a"));
    committer.push(change("b"));
  }
  EXPECT_EQ(store.written().size(), 2u);
}

std::thread::id thread_of_effect(Committer& committer) {
  std::promise<std::thread::id> where;
  committer.push(change("a", [&] { where.set_value(std::this_thread::get_id()); }));
  return where.get_future().get();
}

TEST(Committer, WritesOnTheThreadThatAsksWhereTheDiskIsQuick) {
  CountedStore store;
  Committer committer(store, [](const std::vector<uint32_t>&, const Error&) {});
  EXPECT_EQ(thread_of_effect(committer), std::this_thread::get_id());
}

TEST(Committer, LetsNobodyWaitForASlowDisk) {
  CountedStore store;
  store.pause = std::chrono::milliseconds(20);
  Committer committer(store, [](const std::vector<uint32_t>&, const Error&) {});
  thread_of_effect(committer);
  EXPECT_NE(thread_of_effect(committer), std::this_thread::get_id());
}

TEST(Committer, OneSlowCommitDoesNotMakeTheDiskSlow) {
  CountedStore store;
  Committer committer(store, [](const std::vector<uint32_t>&, const Error&) {});
  thread_of_effect(committer);
  store.pause = std::chrono::milliseconds(20);
  thread_of_effect(committer);
  store.pause = {};
  EXPECT_EQ(thread_of_effect(committer), std::this_thread::get_id());
}

TEST(Committer, TakesAFailedSubmissionBackOnItsOwnThread) {
  CountedStore store;
  store.trouble = "no space left";
  std::promise<std::thread::id> where;
  std::atomic<bool> answered = false;
  Committer committer(store, [&](const std::vector<uint32_t>& created, const Error&) {
    if (created.empty()) return;
    store.trouble = "";
    where.set_value(std::this_thread::get_id());
  });
  Batch batch = change("a");
  batch.effects.push_back({[&] { answered = true; }, 7});
  batch.created = {7};
  committer.push(std::move(batch));
  EXPECT_NE(where.get_future().get(), std::this_thread::get_id());
  committer.stop();
  EXPECT_FALSE(answered);
}

}  // namespace
}  // namespace grappe::embedded
