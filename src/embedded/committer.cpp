#include "embedded/committer.h"

#include <algorithm>
#include <map>

#include "base/log.h"

namespace grappe::embedded {
namespace {

// How long a batch that nobody waits for may wait for others to share a flush of the disk with.
constexpr auto kCompany = std::chrono::milliseconds(20);

// The engine does not stand still for a disk that takes longer.
constexpr uint64_t kQuickUs = 1'000;

}  // namespace

Committer::Committer(Store& store, TakeBack take_back)
    : store_(store), take_back_(std::move(take_back)), thread_([this] { run(); }) {}

Committer::~Committer() {
  stop();
}

void Committer::push(Batch batch) {
  Lock lock(mutex_);
  const bool waited_for = !batch.effects.empty();
  const bool wake = waited_for ? !hurry_ : queue_.empty() && !watching_;
  hurry_ |= waited_for;
  queue_.push_back(std::move(batch));
  if (waited_for && !busy_ && !stopping_ && disk_is_quick()) return write_here(lock);
  lock.unlock();
  if (wake) wake_.notify_one();
}

std::string Committer::trouble() const {
  std::lock_guard lock(mutex_);
  return trouble_;
}

void Committer::stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

Committer::Stats Committer::stats() const {
  std::lock_guard lock(mutex_);
  return stats_;
}

Status Committer::commit(const Changes& changes) {
  if (changes.empty()) return {};
  auto begin = std::chrono::steady_clock::now();
  Status done = store_.commit(changes);
  auto micros = static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(
                                          std::chrono::steady_clock::now() - begin)
                                          .count());
  std::lock_guard lock(mutex_);
  if (stats_.commits == 0) recent_us_.fill(micros);
  recent_us_[stats_.commits % recent_us_.size()] = micros;
  ++stats_.commits;
  stats_.micros += micros;
  if (done && !trouble_.empty()) log_info("the state can be written again");
  if (!done && trouble_.empty()) {
    log_error("{}: new requests are refused until it can be written", done.error().message);
  }
  trouble_ = done ? "" : done.error().message;
  return done;
}

// The quickest of late tells what the disk takes: the others had to wait for a processor too.
bool Committer::disk_is_quick() const {
  return *std::min_element(recent_us_.begin(), recent_us_.end()) <= kQuickUs;
}

Batch Committer::take_queued() {
  Batch merged;
  hurry_ = false;
  stats_.batches += queue_.size();
  for (Batch& batch : queue_) {
    merge(merged.changes, std::move(batch.changes));
    std::move(batch.effects.begin(), batch.effects.end(), std::back_inserter(merged.effects));
    merged.created.insert(merged.created.end(), batch.created.begin(), batch.created.end());
  }
  queue_.clear();
  return merged;
}

// On the engine's thread, which is why a failure is the other one's: to recover takes the engine.
void Committer::write_here(Lock& lock) {
  busy_ = true;
  Batch merged = take_queued();
  lock.unlock();
  const bool done = commit(merged.changes).has_value();
  if (done) {
    for (Effect& effect : merged.effects) effect.run();
  }
  lock.lock();
  busy_ = false;
  if (!done) {
    queue_.push_front(std::move(merged));
    hurry_ = true;
  }
  const bool wake = !queue_.empty() || stopping_;
  lock.unlock();
  if (wake) wake_.notify_one();
}

// Submissions of the batch are taken back, what is left is tried again until it succeeds.
void Committer::recover_from_failure(Batch& merged, const Error& error) {
  take_back_(merged.created, error);
  std::set<uint32_t> gone(merged.created.begin(), merged.created.end());
  std::erase_if(merged.changes.jobs, [&](const JobPtr& job) { return gone.contains(job->id); });
  std::erase_if(merged.changes.steps,
                [&](const StepPtr& step) { return gone.contains(step->job_id); });
  std::erase_if(merged.effects, [&](const Effect& e) { return gone.contains(e.job_id); });
  merged.created.clear();
}

// Whether it could be written before the end of all.
bool Committer::write_until_done(Lock& lock, Batch& merged) {
  for (;;) {
    lock.unlock();
    Status done = commit(merged.changes);
    if (!done) recover_from_failure(merged, done.error());
    lock.lock();
    if (done) return true;
    if (wake_.wait_for(lock, std::chrono::seconds(1), [this] { return stopping_; })) return false;
  }
}

void Committer::run() {
  Lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return !busy_ && (stopping_ || !queue_.empty()); });
    if (queue_.empty()) return;
    watching_ = true;
    wake_.wait_for(lock, kCompany, [this] { return stopping_ || hurry_; });
    watching_ = false;
    if (busy_ || queue_.empty()) continue;  // the engine was quicker
    busy_ = true;
    Batch merged = take_queued();
    if (!write_until_done(lock, merged)) {
      log_error("stopping with changes that could not be written");
      return;
    }
    lock.unlock();
    for (Effect& effect : merged.effects) effect.run();
    merged = {};
    lock.lock();
    busy_ = false;
  }
}

void merge(Changes& into, Changes&& from) {
  if (into.empty()) {
    into = std::move(from);
    return;
  }
  auto replace = [](auto& list, auto&& added, auto key) {
    std::map<decltype(key(list.front())), size_t> at;
    for (size_t i = 0; i < list.size(); ++i) at[key(list[i])] = i;
    for (auto& item : added) {
      auto [found, is_new] = at.emplace(key(item), list.size());
      if (is_new) {
        list.push_back(std::move(item));
      } else {
        list[found->second] = std::move(item);
      }
    }
  };
  replace(into.jobs, from.jobs, [](const JobPtr& j) { return std::pair(j->id, j->restarts); });
  replace(into.steps, from.steps,
          [](const StepPtr& s) { return std::tuple(s->job_id, s->restart, s->step_id); });
  replace(into.settings, from.settings,
          [](const SavedSetting& s) { return std::pair(s.kind, s.name); });
  auto append = [](auto& list, auto& added) {
    std::move(added.begin(), added.end(), std::back_inserter(list));
  };
  append(into.contents, from.contents);
  append(into.transactions, from.transactions);
  append(into.events, from.events);
  append(into.windows, from.windows);
  append(into.first_shares, from.first_shares);
  append(into.shares, from.shares);
  append(into.forecasts, from.forecasts);
  into.reroll_from = std::min(into.reroll_from, from.reroll_from);
  for (auto& [key, value] : from.meta) into.meta[key] = value;
}

}  // namespace grappe::embedded
