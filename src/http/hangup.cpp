#include "http/hangup.h"

#include <mutex>
#include <utility>
#include <vector>

namespace grappe::http {

struct Hangup::State {
  std::mutex mutex;  // guards all below
  bool gone = false;
  bool armed = true;
  std::vector<std::function<void()>> callbacks;
};

Hangup Hangup::armed() {
  Hangup hangup;
  hangup.state_ = std::make_shared<State>();
  return hangup;
}

bool Hangup::gone() const {
  if (!state_) return false;
  const std::lock_guard lock(state_->mutex);
  return state_->gone;
}

void Hangup::then(std::function<void()> callback) const {
  if (!state_) return;
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->gone) {
      if (state_->armed) state_->callbacks.push_back(std::move(callback));
      return;
    }
  }
  callback();
}

void Hangup::fire() const {
  if (!state_) return;
  std::vector<std::function<void()>> callbacks;
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->armed) return;
    state_->armed = false;
    state_->gone = true;
    callbacks.swap(state_->callbacks);
  }
  for (const auto& callback : callbacks) callback();
}

void Hangup::disarm() const {
  if (!state_) return;
  // Destroyed outside the lock: a callback may own the last copy of something with a life.
  std::vector<std::function<void()>> callbacks;
  const std::lock_guard lock(state_->mutex);
  state_->armed = false;
  callbacks.swap(state_->callbacks);
}

}  // namespace grappe::http
