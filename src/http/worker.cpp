#include "http/worker.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <vector>

#include "http/connection.h"

namespace grappe::http {

bool Admission::enter(const Peer& peer) {
  const std::lock_guard lock(mutex_);
  if (total_ >= total_limit_) return false;
  if (peer.local && peer.uid != 0) {
    std::size_t& count = by_user_[peer.uid];
    if (count >= user_limit_) return false;
    ++count;
  }
  ++total_;
  return true;
}

void Admission::leave(const Peer& peer) {
  const std::lock_guard lock(mutex_);
  --total_;
  if (!peer.local) return;
  const auto found = by_user_.find(peer.uid);
  if (found != by_user_.end() && --found->second == 0) by_user_.erase(found);
}

Worker::Worker(Shared& shared) : shared_(shared) {}

Worker::~Worker() {
  stop();
}

void Worker::start() {
  // Signals are for the program's own thread.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] {
    pthread_setname_np(pthread_self(), "http");
    mailbox_->open_here();
    context_.run();
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Worker::stop() {
  if (thread_.joinable()) {
    asio::post(context_, [this] {
      stopping_ = true;
      std::vector<std::shared_ptr<Connection>> alive;
      for (Connection* connection : connections_) alive.push_back(connection->shared_from_this());
      for (const auto& connection : alive) connection->stop();
      work_.reset();
      if (connections_.empty()) sweep_timer_.cancel();
    });
    thread_.join();
  }
  mailbox_->close();
}

void Worker::adopt(UniqueFd fd, Peer peer) {
  auto connection = std::make_shared<Connection>(*this, std::move(fd), std::move(peer));
  if (!stopping_) connection->start();
}

void Worker::add(Connection& connection) {
  connections_.insert(&connection);
  arm_sweep();
}

void Worker::remove(Connection& connection) {
  connections_.erase(&connection);
  if (stopping_ && connections_.empty()) sweep_timer_.cancel();
}

// One slow timer for all connections instead of one each: a deadline is only a number to them.
void Worker::arm_sweep() {
  if (sweeping_ || connections_.empty()) return;
  sweeping_ = true;
  const auto& options = shared_.options;
  const auto finest = std::min(options.idle_timeout, options.io_timeout) / 4;
  sweep_timer_.expires_after(std::clamp<std::chrono::milliseconds>(
      finest, std::chrono::milliseconds(10), std::chrono::milliseconds(1000)));
  sweep_timer_.async_wait([this](const boost::system::error_code& ec) {
    sweeping_ = false;
    if (!ec) sweep();
  });
}

void Worker::sweep() {
  const Clock::time_point now = Clock::now();
  for (Connection* connection : connections_) connection->check_deadline(now);
  arm_sweep();
}

}  // namespace grappe::http
