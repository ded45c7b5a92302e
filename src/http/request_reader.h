// From bytes to requests, without a socket: what the connection feeds, and what the fuzzer feeds.
//
// Bytes are put where prepare() says and announced with commit(); parse() eats what makes up the
// next request and leaves the rest for the one after it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "http/message.h"

namespace grappe::http {

class RequestReader {
 public:
  struct Limits {
    std::size_t head = 16 << 10;
    std::size_t body = 64 << 20;
  };
  enum class Progress {
    kIdle,  // not a byte of the next request yet
    kHead,
    kBody,
    kComplete,  // take() it
    kFailed     // error_status() says how; what follows on the connection has no meaning
  };

  explicit RequestReader(Limits limits);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  std::span<char> prepare();
  void commit(std::size_t size);
  std::size_t buffered() const;

  Progress parse();
  int error_status() const;

  // True, once, when the client waits for a "100 Continue" before it sends the body.
  bool must_say_continue();

  // Of the complete request.
  bool keep_alive() const;
  bool is_http_1_0() const;
  Request take();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grappe::http
