// The HTTP/1.1 server: connections, limits, timeouts and the identity of the peer, so that what
// lies above sees requests and gives responses.
//
//   http::Server server;
//   if (Status ok = server.listen_unix("/run/grappe/grappe.sock", 0666); !ok) ...
//   server.start([](http::Request request, http::Reply reply) { reply({.body = "hello"}); });
//
// The handler runs on a thread of the server and must not block it: it answers at once, or keeps
// `reply` and lets another thread call it. Requests of one connection come one after the other,
// also when the client pipelines them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "http/message.h"

namespace grappe::http {

// May be called from any thread, at any time (a late answer to a closed connection or a stopped
// server is dropped), once: a second call does nothing. When the last copy goes without having
// been called, the client gets a 500.
using Reply = std::function<void(Response)>;
using Handler = std::function<void(Request, Reply)>;

class Server {
 public:
  struct Options {
    int threads = 1;
    std::size_t max_head = 16 << 10;  // more: 431
    std::size_t max_body = 64 << 20;  // more: 413
    // Beyond these a connection gets a 503; `per_user` counts Unix peers other than root.
    std::size_t max_connections = 4096;
    std::size_t max_connections_per_user = 1024;
    // A connection that says nothing between two requests is closed after this time.
    std::chrono::milliseconds idle_timeout{120'000};
    // The time for a request's head, then for each 64 KiB of its body and of the response. How
    // long the handler takes is not limited.
    std::chrono::milliseconds io_timeout{30'000};
  };

  Server();
  explicit Server(Options options);
  ~Server();  // stops
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // All listen_* are called before start(); clients that connect meanwhile wait.
  //
  // The socket appears at `path` with `mode` from its first moment. What a dead server left there
  // is replaced; a socket on which somebody listens, or a file of another kind, is not (code
  // EADDRINUSE). `path`.lock decides between two servers that start at the same time.
  Status listen_unix(const std::string& path, mode_t mode);
  // A numeric address ("127.0.0.1", "::1"); port 0 lets the kernel choose. Gives the port.
  Result<std::uint16_t> listen_tcp(const std::string& address, std::uint16_t port);
  // Takes over a listening stream socket, Unix or TCP, that was inherited.
  Status listen_fd(UniqueFd fd);

  void start(Handler handler);

  // Refuses new connections, drops what waits for its reply, lets responses that are being sent
  // end (2 s at most), removes the Unix sockets made here and joins the threads. Not to be called
  // from a handler.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grappe::http
