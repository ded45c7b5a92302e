#include "embedded/committer.h"

#include <gtest/gtest.h>

#include <future>

#include "store/memory/memory_store.h"

namespace grappe::embedded {
namespace {

// What reaches the disk.
class CountedStore : public MemoryStore {
 public:
  std::map<std::string, std::string> written() { return load(0)->meta; }
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

TEST(Committer, WritesEverythingBeforeItEnds) {
  CountedStore store;
  {
    Committer committer(store, [](const std::vector<uint32_t>&, const Error&) {});
    committer.push(change("a"));
    committer.push(change("b"));
  }
  EXPECT_EQ(store.written().size(), 2u);
}

}  // namespace
}  // namespace grappe::embedded
