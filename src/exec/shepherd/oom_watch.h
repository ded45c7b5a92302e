// Tells when the kernel has killed a process of the step for want of memory.
#pragma once

#include <functional>
#include <string>

#include "base/unique_fd.h"
#include "exec/os/event_loop.h"

namespace grappe::exec {

class OomWatch {
 public:
  // As root. `file` holds a line "oom_kill N"; a cgroup v1 one is watched through an eventfd,
  // a v2 one by itself.
  void open(const std::string& file, bool is_v1);
  // `happened` is called once, when the count has risen. (The kernel's notice may come before
  // the kill: then the count is looked at again a little later.)
  void start(EventLoop& loop, std::function<void()> happened);
  // How many processes were killed.
  uint64_t count() const;

 private:
  void look(int attempts_left);

  UniqueFd file_, event_;
  bool is_v1_ = false;
  bool told_ = false;
  EventLoop* loop_ = nullptr;
  std::function<void()> happened_;
};

}  // namespace grappe::exec
