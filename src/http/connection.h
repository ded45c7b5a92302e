// One connection: read a request, hand it to the handler, wait for the reply, send it, again.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "http/request_reader.h"
#include "http/worker.h"

namespace grappe::http {

// Everything happens on the worker's thread. The coroutine owns the object; the worker knows it
// while it lives, and a pending reply only weakly.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Worker& worker, UniqueFd fd, Peer peer);
  ~Connection();

  void start();
  void deliver(Response& response);  // takes it, unless the connection is closed
  void check_deadline(Clock::time_point now);
  void stop();

 private:
  struct Letter;
  class Pending;

  Task<void> run();
  Task<bool> read_request();
  void call_handler();
  Task<bool> wait_for_reply();
  Task<bool> send_reply();
  Task<bool> send_stream(Stream& stream, bool chunked);
  Task<bool> write(std::string_view first, std::string_view second);
  Task<void> refuse(int status);
  Task<void> wait_for_event();

  void signal();
  void watch_peer();
  void unwatch_peer();
  void on_readable();
  void hang_up();
  void close();
  void expect_within(std::chrono::milliseconds time);
  void made_progress(std::size_t size);

  Worker& worker_;
  Socket socket_;
  const Peer peer_;
  RequestReader reader_;

  // The coroutine sleeps on event_ (a timer that never fires) until signal() is called.
  Timer event_;
  bool signalled_ = false;

  Hangup hangup_;
  std::optional<Response> reply_;
  bool keep_alive_ = true;  // what the current request allows
  bool http_1_0_ = false;
  bool head_only_ = false;
  bool sending_ = false;
  bool closed_ = false;
  bool half_closed_ = false;  // the peer sends nothing more, but still listens
  unsigned watch_ = 0;        // odd while the socket is watched for a hang-up
  Clock::time_point deadline_ = Clock::time_point::max();
  std::size_t unrewarded_ = 0;  // bytes moved since the deadline was last put off
};

}  // namespace grappe::http
