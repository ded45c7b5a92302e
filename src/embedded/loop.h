// One thing at a time: drains what was posted, then lets the engine plan and commit.
//
// There is a thread for it; but a request or an event that finds the loop idle is carried out by
// the thread that brought it, as waking another one would take longer than most of them do.
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
  using Time = std::chrono::steady_clock::time_point;
  // After each batch of tasks (also an empty one, when the time came): returns when it wants to
  // be called again at the latest.
  enum class On { kOwnThread, kThreadOfRequest, kThreadOfEvent };
  using AfterBatch = std::function<Time(On)>;

  void start(AfterBatch after_batch);
  void start() {  // only tasks
    start([](On) { return Time::max(); });
  }
  // Runs what is queued, then ends the thread.
  void stop();
  void post(Task task);
  // On this thread, with what comes after a batch, if the loop is idle; else as post(). Not to be
  // called with a lock held that a task may want.
  void run_or_post(Task task, On thread = On::kThreadOfRequest);
  ~Loop() { stop(); }

 private:
  void run();
  void wait_for_work(std::unique_lock<std::mutex>& lock);
  void run_batch(std::unique_lock<std::mutex>& lock, std::vector<Task> batch, On thread);

  AfterBatch after_batch_;  // only whoever is busy
  std::mutex mutex_;        // guards the members up to thread_
  std::condition_variable wake_;
  std::vector<Task> queue_;
  bool busy_ = true;          // some thread runs tasks: until start() none may
  bool turn_wanted_ = false;  // the thread waits for that one to end
  Time deadline_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace grappe::embedded
