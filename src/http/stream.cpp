#include "http/stream.h"

#include <utility>

namespace grappe::http {

bool Stream::push(std::string data) {
  std::function<void()> wake;
  {
    const std::lock_guard lock(mutex_);
    if (closed_ || finished_) return false;
    if (data.empty()) return true;
    if (waiting_.empty()) {
      waiting_ = std::move(data);
      wake = wake_;
    } else if (waiting_.size() + data.size() <= limit_) {
      waiting_ += data;
    } else {
      return false;
    }
  }
  if (wake) wake();
  return true;
}

void Stream::finish() {
  std::function<void()> wake;
  {
    const std::lock_guard lock(mutex_);
    if (finished_) return;
    finished_ = true;
    wake = wake_;
  }
  if (wake) wake();
}

bool Stream::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

void Stream::attach(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  wake_ = std::move(wake);
}

Stream::Piece Stream::take() {
  const std::lock_guard lock(mutex_);
  return {std::exchange(waiting_, {}), finished_};
}

void Stream::close() {
  std::function<void()> wake;  // destroyed outside the lock
  const std::lock_guard lock(mutex_);
  closed_ = true;
  waiting_ = {};
  wake.swap(wake_);
}

}  // namespace grappe::http
