#include "http/server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <cassert>
#include <cerrno>
#include <string_view>
#include <utility>
#include <vector>

#include "http/connection.h"
#include "http/listen.h"
#include "http/worker.h"

namespace grappe::http {
namespace {

constexpr int kAcceptBatch = 64;
constexpr std::chrono::milliseconds kOutOfDescriptors{100};

constexpr std::string_view kTooMany =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: 21\r\n"
    "Connection: close\r\n\r\ntoo many connections\n";

// Accepts on the first worker's thread and deals the connections out to all of them.
class Acceptor {
 public:
  Acceptor(UniqueFd fd, Shared& shared, std::vector<std::unique_ptr<Worker>>& workers)
      : shared_(shared),
        workers_(workers),
        descriptor_(workers.front()->context(), fd.release()),
        pause_(workers.front()->context()) {}

  void wait() {
    descriptor_.async_wait(Descriptor::wait_read, [this](const boost::system::error_code& ec) {
      if (!ec) accept_some();
    });
  }
  void close() {
    boost::system::error_code ec;
    descriptor_.close(ec);
    pause_.cancel();
  }

 private:
  using Descriptor = asio::posix::basic_stream_descriptor<Executor>;

  void accept_some() {
    for (int i = 0; i < kAcceptBatch; ++i) {
      UniqueFd fd(
          ::accept4(descriptor_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (fd) {
        admit(std::move(fd));
      } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
        return wait_for_descriptors();
      } else if (errno == EAGAIN) {
        break;
      }
    }
    wait();
  }

  // The one in the queue stays readable: without a pause this would spin.
  void wait_for_descriptors() {
    pause_.expires_after(kOutOfDescriptors);
    pause_.async_wait([this](const boost::system::error_code& ec) {
      if (!ec) wait();
    });
  }

  void admit(UniqueFd fd) {
    Result<Peer> peer = peer_of(fd.get());
    if (!peer) return;
    if (!peer->local) {
      const int on = 1;
      ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    if (!shared_.admission.enter(*peer)) {
      ::send(fd.get(), kTooMany.data(), kTooMany.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      return;
    }
    Worker& worker = *workers_[next_++ % workers_.size()];
    worker.mailbox()->run([&worker, fd = std::move(fd), peer = std::move(*peer)]() mutable {
      worker.adopt(std::move(fd), std::move(peer));
    });
  }

  Shared& shared_;
  std::vector<std::unique_ptr<Worker>>& workers_;
  Descriptor descriptor_;
  Timer pause_;
  std::size_t next_ = 0;
};

}  // namespace

struct Server::Impl {
  explicit Impl(const Options& options) : shared(options) {}

  Shared shared;
  std::vector<UnixListener> files;
  std::vector<UniqueFd> listening;
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<std::unique_ptr<Acceptor>> acceptors;
};

Server::Server() : Server(Options()) {}
Server::Server(Options options) : impl_(std::make_unique<Impl>(options)) {}
Server::~Server() {
  stop();
}

Status Server::listen_unix(const std::string& path, mode_t mode) {
  Result<UnixListener> listener = UnixListener::open(path, mode);
  if (!listener) return tl::unexpected(listener.error());
  impl_->listening.push_back(listener->take_fd());
  impl_->files.push_back(std::move(*listener));
  return {};
}

Result<std::uint16_t> Server::listen_tcp(const std::string& address, std::uint16_t port) {
  Result<TcpListener> listener = open_tcp(address, port);
  if (!listener) return tl::unexpected(listener.error());
  impl_->listening.push_back(std::move(listener->fd));
  return listener->port;
}

Status Server::listen_fd(UniqueFd fd) {
  if (Status usable = adopt_listener(fd.get()); !usable) return usable;
  impl_->listening.push_back(std::move(fd));
  return {};
}

void Server::start(Handler handler) {
  Impl& in = *impl_;
  assert(in.workers.empty());
  in.shared.handler = std::move(handler);
  const int threads = std::max(1, in.shared.options.threads);
  for (int i = 0; i < threads; ++i) in.workers.push_back(std::make_unique<Worker>(in.shared));
  for (UniqueFd& fd : in.listening) {
    in.acceptors.push_back(std::make_unique<Acceptor>(std::move(fd), in.shared, in.workers));
    in.acceptors.back()->wait();
  }
  in.listening.clear();
  for (const auto& worker : in.workers) worker->start();
}

void Server::stop() {
  Impl& in = *impl_;
  if (!in.workers.empty()) {
    asio::post(in.workers.front()->context(), [&in] {
      for (const auto& acceptor : in.acceptors) acceptor->close();
    });
    // The first worker deals connections out, so it ends first.
    for (const auto& worker : in.workers) worker->stop();
  }
  in.acceptors.clear();
  in.workers.clear();
  in.listening.clear();
  in.files.clear();
}

}  // namespace grappe::http
