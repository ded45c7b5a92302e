// One thread of the server with its connections. A connection lives and dies on its thread, so
// nothing in it needs a lock; other threads reach it only through the Mailbox.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "http/server.h"

namespace grappe::http {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

// One concrete executor and one socket type for Unix and TCP: each further one would compile
// all of the templates again.
using Executor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<asio::generic::stream_protocol, Executor>;
using Timer = asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, Executor>;
template <class T>
using Task = asio::awaitable<T, Executor>;

// Counts connections, in all and by user, across the threads.
class Admission {
 public:
  Admission(std::size_t total, std::size_t per_user) : total_limit_(total), user_limit_(per_user) {}
  bool enter(const Peer& peer);
  void leave(const Peer& peer);

 private:
  const std::size_t total_limit_;
  const std::size_t user_limit_;
  std::mutex mutex_;  // guards all below
  std::size_t total_ = 0;
  std::unordered_map<uid_t, std::size_t> by_user_;
};

// What the threads share. Outlives them.
struct Shared {
  explicit Shared(const Server::Options& given)
      : options(given), admission(given.max_connections, given.max_connections_per_user) {}

  const Server::Options options;
  Handler handler;
  Admission admission;
};

// Runs a function on the worker's thread while there is one, and drops it afterwards: replies may
// come long after the server has gone.
class Mailbox {
 public:
  explicit Mailbox(asio::io_context& context) : context_(&context) {}

  template <class Function>
  void run(Function function) {
    if (thread_.load() == std::this_thread::get_id()) return function();
    const std::lock_guard lock(mutex_);
    if (context_ != nullptr) asio::post(*context_, std::move(function));
  }
  void open_here() { thread_.store(std::this_thread::get_id()); }
  void close() {
    const std::lock_guard lock(mutex_);
    context_ = nullptr;
  }

 private:
  std::mutex mutex_;  // guards context_
  asio::io_context* context_;
  std::atomic<std::thread::id> thread_{};
};

class Connection;

class Worker {
 public:
  explicit Worker(Shared& shared);
  ~Worker();

  void start();
  void stop();  // from outside: asks, waits for the connections to end, joins

  asio::io_context& context() { return context_; }
  const std::shared_ptr<Mailbox>& mailbox() const { return mailbox_; }
  Shared& shared() { return shared_; }
  bool stopping() const { return stopping_; }

  // Called on this worker's thread.
  void adopt(UniqueFd fd, Peer peer);
  void add(Connection& connection);
  void remove(Connection& connection);

 private:
  void arm_sweep();
  void sweep();

  Shared& shared_;
  std::unordered_set<Connection*> connections_;
  asio::io_context context_{1};
  asio::executor_work_guard<Executor> work_{context_.get_executor()};
  std::shared_ptr<Mailbox> mailbox_ = std::make_shared<Mailbox>(context_);
  Timer sweep_timer_{context_};
  bool sweeping_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace grappe::http
