// The engine's one thread: drains what was posted, then lets the engine plan and commit.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace grappe::embedded {

class Loop {
 public:
  using Task = std::function<void()>;
  // After each batch of tasks (also an empty one, when the time came): returns when it wants to
  // be called again at the latest.
  using AfterBatch = std::function<std::chrono::steady_clock::time_point()>;

  void start(AfterBatch after_batch);
  // Runs what is queued, then ends the thread.
  void stop();
  void post(Task task);
  ~Loop() { stop(); }

 private:
  void run(AfterBatch after_batch);

  std::mutex mutex_;  // guards the members up to thread_
  std::condition_variable wake_;
  std::vector<Task> queue_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace grappe::embedded
