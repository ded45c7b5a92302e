// The client of our own commands: one blocking connection to the service's Unix socket.
//
// Written on the bare socket because a command lives for a millisecond: nothing is allocated or
// started that one request does not need. Not for use by two threads at once.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"
#include "http/message.h"

namespace grappe::http {

// Every Error carries an errno as its code:
//   ENOENT, ECONNREFUSED  nobody serves there: the service is down
//   EACCES                the socket is not for this user
//   ETIMEDOUT             no answer in time
//   ECONNRESET            the connection broke before the whole answer had come; the request may
//                         or may not have been carried out
//   EPROTO                the answer is not HTTP
// An answer of any status, 500 too, is a success here.
class Client {
 public:
  using Timeout = std::chrono::milliseconds;
  static constexpr Timeout kForever{0};

  // Who means to ask once says so: the server then closes the connection with its answer and need
  // not wait for what becomes of it. A second question finds its way all the same.
  enum class Plan { kOneCall, kManyCalls };
  static Result<Client> connect_unix(const std::string& path, Plan plan = Plan::kManyCalls);

  // The connection is kept between calls, and made anew when the server has closed it meanwhile.
  // A `token` travels as the header Idempotency-Key.
  Result<Response> post(std::string_view path, std::string_view content_type, std::string_view body,
                        Timeout timeout = kForever, std::string_view token = {});
  Result<Response> get(std::string_view path, Timeout timeout = kForever);

  // Hands the body over piece by piece as it comes, for as long as `on_data` says true; the
  // response's own body stays empty. `silence` limits the time between two pieces. Stopped early,
  // it leaves a closed connection, which is how the server learns of it.
  using OnData = std::function<bool(std::string_view)>;
  Result<Response> post_streaming(std::string_view path, std::string_view content_type,
                                  std::string_view body, const OnData& on_data,
                                  Timeout silence = kForever);

 private:
  using Clock = std::chrono::steady_clock;

  Client(std::string path, Plan plan) : path_(std::move(path)), plan_(plan) {}
  Status connect();
  Result<Response> exchange(std::string_view method, std::string_view path,
                            std::string_view content_type, std::string_view body, Timeout timeout,
                            const OnData* on_data, std::string_view token = {});
  Status send(std::string_view head, std::string_view body);
  Status wait(short events);
  Status fill();
  Result<Response> read_response(const OnData* on_data);
  Result<Response> read_head();
  Status read_sized(std::size_t size, const OnData& sink);
  Status read_chunked(const OnData& sink);
  Result<std::string> read_line();

  std::string path_;
  Plan plan_;
  UniqueFd fd_;
  std::string input_;  // received and not yet used
  std::size_t read_size_ = 0;
  Timeout timeout_{0};
  Clock::time_point deadline_;
  bool per_piece_ = false;  // the deadline starts again with each piece
};

}  // namespace grappe::http
