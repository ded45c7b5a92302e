#include "exec/os/event_loop.h"

#include <sys/epoll.h>

#include <algorithm>

namespace grappe::exec {
namespace {

epoll_event event_for(int fd, uint32_t generation, uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = (static_cast<uint64_t>(generation) << 32) | static_cast<uint32_t>(fd);
  return event;
}

}  // namespace

EventLoop::EventLoop() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {}

void EventLoop::add(int fd, uint32_t events, Handler handler) {
  remove(fd);
  const uint32_t generation = next_generation_++;
  watches_[fd] = {generation, events, std::make_shared<Handler>(std::move(handler))};
  epoll_event event = event_for(fd, generation, events);
  epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event);
}

void EventLoop::modify(int fd, uint32_t events) {
  const auto found = watches_.find(fd);
  if (found == watches_.end() || found->second.events == events) return;
  found->second.events = events;
  epoll_event event = event_for(fd, found->second.generation, events);
  epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event);
}

void EventLoop::remove(int fd) {
  if (watches_.erase(fd) > 0) epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
}

EventLoop::TimerId EventLoop::after(std::chrono::milliseconds delay, std::function<void()> action) {
  const TimerId id = next_timer_++;
  const auto time = Clock::now() + delay;
  timers_.emplace(std::pair(time, id), std::move(action));
  timer_times_[id] = time;
  return id;
}

void EventLoop::cancel(TimerId timer) {
  const auto found = timer_times_.find(timer);
  if (found == timer_times_.end()) return;
  timers_.erase({found->second, timer});
  timer_times_.erase(found);
}

int EventLoop::next_timeout_ms() const {
  if (timers_.empty()) return -1;
  const auto left = timers_.begin()->first.first - Clock::now();
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return static_cast<int>(std::clamp<int64_t>(ms, 0, 3'600'000));
}

void EventLoop::run_due_timers() {
  const auto now = Clock::now();
  while (!timers_.empty() && timers_.begin()->first.first <= now && !stopped_) {
    auto node = timers_.extract(timers_.begin());
    timer_times_.erase(node.key().second);
    node.mapped()();
  }
}

void EventLoop::run() {
  while (!stopped_) {
    epoll_event events[64];
    const int count = epoll_wait(epoll_.get(), events, 64, next_timeout_ms());
    for (int i = 0; i < count && !stopped_; ++i) {
      const auto fd = static_cast<int>(events[i].data.u64 & 0xffffffff);
      const auto found = watches_.find(fd);
      if (found == watches_.end()) continue;
      if (found->second.generation != events[i].data.u64 >> 32) continue;
      const auto handler = found->second.handler;  // it may remove itself
      (*handler)(events[i].events);
    }
    run_due_timers();
  }
}

}  // namespace grappe::exec
