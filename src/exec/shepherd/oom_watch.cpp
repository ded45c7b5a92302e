#include "exec/shepherd/oom_watch.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "exec/os/files.h"

namespace grappe::exec {
namespace {

constexpr int kAttempts = 10;

}  // namespace

void OomWatch::open(const std::string& file, bool is_v1) {
  is_v1_ = is_v1;
  file_.reset(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file_ || !is_v1) return;
  event_.reset(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  const std::string control = file.substr(0, file.rfind('/')) + "/cgroup.event_control";
  const std::string text = std::to_string(event_.get()) + " " + std::to_string(file_.get());
  if (!write_file(control, text)) event_.reset();
}

void OomWatch::start(EventLoop& loop, std::function<void()> happened) {
  if (!file_) return;
  loop_ = &loop;
  happened_ = std::move(happened);
  if (event_) {
    loop.add(event_.get(), EPOLLIN, [this](uint32_t) { look(kAttempts); });
  } else if (!is_v1_) {
    loop.add(file_.get(), EPOLLPRI, [this](uint32_t) { look(kAttempts); });
  }
}

void OomWatch::look(int attempts_left) {
  uint64_t events = 0;
  if (event_) [[maybe_unused]]
    const ssize_t n = read(event_.get(), &events, sizeof events);
  if (told_) return;
  if (count() > 0) {
    told_ = true;
    happened_();
  } else if (attempts_left > 0) {
    loop_->after(std::chrono::milliseconds(50), [this, attempts_left] { look(attempts_left - 1); });
  }
}

uint64_t OomWatch::count() const {
  if (!file_) return 0;
  char text[512] = {};
  if (pread(file_.get(), text, sizeof text - 1, 0) <= 0) return 0;
  const char* found = std::strstr(text, "oom_kill ");
  return found == nullptr ? 0 : std::strtoull(found + std::strlen("oom_kill "), nullptr, 10);
}

}  // namespace grappe::exec
