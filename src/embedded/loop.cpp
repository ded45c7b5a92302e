#include "embedded/loop.h"

#include <utility>

namespace grappe::embedded {

void Loop::start(AfterBatch after_batch) {
  after_batch_ = std::move(after_batch);
  thread_ = std::thread([this] { run(); });
}

void Loop::stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Loop::post(Task task) {
  bool idle;
  {
    std::lock_guard lock(mutex_);
    queue_.push_back(std::move(task));
    idle = !busy_;
  }
  if (idle) wake_.notify_one();  // who is busy looks for more before he ends
}

void Loop::run_or_post(Task task, On thread) {
  std::unique_lock lock(mutex_);
  if (busy_ || stopping_ || !queue_.empty()) {
    lock.unlock();
    return post(std::move(task));
  }
  const Time before = deadline_;
  std::vector<Task> batch;
  batch.push_back(std::move(task));
  run_batch(lock, std::move(batch), thread);
  const bool for_the_thread = turn_wanted_ || !queue_.empty() || deadline_ < before;
  lock.unlock();
  if (for_the_thread) wake_.notify_one();
}

void Loop::run_batch(std::unique_lock<std::mutex>& lock, std::vector<Task> batch, On thread) {
  busy_ = true;
  lock.unlock();
  for (Task& task : batch) task();
  const Time deadline = after_batch_(thread);
  batch.clear();
  lock.lock();
  deadline_ = deadline;
  busy_ = false;
}

// Drain, plan, start what fits, wait.
void Loop::run() {
  std::unique_lock lock(mutex_);
  run_batch(lock, {}, On::kOwnThread);
  for (;;) {
    wait_for_work(lock);
    const bool last = stopping_ && queue_.empty();
    run_batch(lock, std::exchange(queue_, {}), On::kOwnThread);
    if (last && queue_.empty()) return;
  }
}

// Whoever runs a batch may bring the deadline nearer.
void Loop::wait_for_work(std::unique_lock<std::mutex>& lock) {
  for (;;) {
    if (busy_) {
      turn_wanted_ = true;
      wake_.wait(lock);
      turn_wanted_ = false;
    } else if (stopping_ || !queue_.empty() || std::chrono::steady_clock::now() >= deadline_) {
      return;
    } else {
      wake_.wait_until(lock, deadline_);
    }
  }
}

}  // namespace grappe::embedded
