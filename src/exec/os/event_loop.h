// One thread, one epoll: the heart of the launcher and of the shepherd.
//
// Handlers may add and remove descriptors (their own included) and timers while they run; an
// event that was already fetched for a removed descriptor is dropped.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>

#include "base/unique_fd.h"

namespace grappe::exec {

class EventLoop {
 public:
  using Clock = std::chrono::steady_clock;
  using Handler = std::function<void(uint32_t events)>;  // EPOLLIN, EPOLLOUT, ...
  using TimerId = uint64_t;                              // never 0

  EventLoop();

  void add(int fd, uint32_t events, Handler handler);
  void modify(int fd, uint32_t events);
  void remove(int fd);  // before closing it; unknown ones are ignored

  TimerId after(std::chrono::milliseconds delay, std::function<void()> action);
  void cancel(TimerId timer);  // 0 and past ones are ignored

  // Serves events until stop() was called.
  void run();
  void stop() { stopped_ = true; }

 private:
  struct Watch {
    uint32_t generation, events;
    std::shared_ptr<Handler> handler;
  };
  int next_timeout_ms() const;
  void run_due_timers();

  UniqueFd epoll_;
  std::unordered_map<int, Watch> watches_;
  uint32_t next_generation_ = 1;
  std::map<std::pair<Clock::time_point, TimerId>, std::function<void()>> timers_;
  std::unordered_map<TimerId, Clock::time_point> timer_times_;
  TimerId next_timer_ = 1;
  bool stopped_ = false;
};

}  // namespace grappe::exec
