#include "embedded/loop.h"

namespace grappe::embedded {

void Loop::start(AfterBatch after_batch) {
  thread_ = std::thread([this, after_batch = std::move(after_batch)] { run(after_batch); });
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
  {
    std::lock_guard lock(mutex_);
    queue_.push_back(std::move(task));
  }
  wake_.notify_one();
}

// Drain, plan, start what fits, wait.
void Loop::run(AfterBatch after_batch) {
  auto deadline = after_batch();
  for (;;) {
    std::vector<Task> batch;
    bool stopping;
    {
      std::unique_lock lock(mutex_);
      wake_.wait_until(lock, deadline, [this] { return stopping_ || !queue_.empty(); });
      batch.swap(queue_);
      stopping = stopping_;
    }
    for (Task& task : batch) task();
    deadline = after_batch();
    if (stopping && batch.empty()) return;
  }
}

}  // namespace grappe::embedded
