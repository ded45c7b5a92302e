#include "http/connection.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "http/response_head.h"

namespace grappe::http {
namespace {

using boost::system::error_code;
using Progress = RequestReader::Progress;

constexpr asio::use_awaitable_t<Executor> kAwait;
constexpr std::size_t kReward = 64 << 10;         // so many bytes put a deadline off
constexpr std::size_t kPipelineLimit = 64 << 10;  // how much is read ahead of a pending reply
constexpr std::size_t kDrainLimit = 256 << 20;
constexpr std::chrono::milliseconds kFarewell{2000};

int family_of(const Peer& peer) {
  if (peer.local) return AF_UNIX;
  return peer.address.find(':') == std::string::npos ? AF_INET : AF_INET6;
}

}  // namespace

// A response on its way. When it does not arrive, who writes its stream must learn of it.
struct Connection::Letter {
  explicit Letter(Response given) : response(std::move(given)) {}
  Letter(Letter&&) = default;
  ~Letter() {
    if (response.stream) response.stream->close();
  }
  Response response;
};

// The one answer that is owed to a request. Handlers hold it, on any thread, for any time.
class Connection::Pending {
 public:
  Pending(std::shared_ptr<Mailbox> mailbox, std::weak_ptr<Connection> connection)
      : mailbox_(std::move(mailbox)), connection_(std::move(connection)) {}
  ~Pending() { answer(plain_error(500)); }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;

  void answer(Response response) {
    if (answered_.exchange(true)) return;
    mailbox_->run([connection = connection_, letter = Letter(std::move(response))]() mutable {
      if (const auto self = connection.lock()) self->deliver(letter.response);
    });
  }

 private:
  std::shared_ptr<Mailbox> mailbox_;
  std::weak_ptr<Connection> connection_;
  std::atomic<bool> answered_{false};
};

Connection::Connection(Worker& worker, UniqueFd fd, Peer peer)
    : worker_(worker),
      socket_(worker.context()),
      peer_(std::move(peer)),
      reader_({worker.shared().options.max_head, worker.shared().options.max_body}),
      event_(worker.context(), Clock::time_point::max()) {
  worker_.add(*this);
  error_code ec;
  socket_.assign(asio::generic::stream_protocol(family_of(peer_), 0), fd.get(), ec);
  closed_ = static_cast<bool>(ec);
  if (!closed_) fd.release();
}

Connection::~Connection() {
  worker_.remove(*this);
  worker_.shared().admission.leave(peer_);
}

void Connection::start() {
  if (closed_) return;
  asio::co_spawn(
      worker_.context(), [self = shared_from_this()] { return self->run(); }, asio::detached);
}

// In these coroutines co_await stands alone or on the right of a plain assignment: inside a
// condition GCC 12 compiles it wrongly.
Task<void> Connection::run() {
  expect_within(worker_.shared().options.io_timeout);
  for (;;) {
    const bool received = co_await read_request();
    if (!received) break;
    call_handler();
    const bool answered = co_await wait_for_reply();
    if (!answered) break;
    const bool sent = co_await send_reply();
    if (!sent) break;
    hangup_.disarm();
    if (!keep_alive_ || worker_.stopping()) break;
    expect_within(worker_.shared().options.idle_timeout);
  }
  if (reply_ && reply_->stream) reply_->stream->close();
  hangup_.fire();
  close();
}

Task<bool> Connection::read_request() {
  Progress before = Progress::kIdle;
  for (;;) {
    const Progress progress = reader_.parse();
    if (progress == Progress::kComplete) co_return true;
    if (progress == Progress::kFailed) {
      co_await refuse(reader_.error_status());
      co_return false;
    }
    if (half_closed_) co_return false;
    if (progress != before) expect_within(worker_.shared().options.io_timeout);
    before = progress;
    if (reader_.must_say_continue()) {
      const bool said = co_await write("HTTP/1.1 100 Continue\r\n\r\n", {});
      if (!said) co_return false;
    }
    const std::span<char> space = reader_.prepare();
    error_code ec;
    const std::size_t size = co_await socket_.async_read_some(
        asio::buffer(space.data(), space.size()), asio::redirect_error(kAwait, ec));
    if (ec) co_return false;
    reader_.commit(size);
    if (progress == Progress::kBody) made_progress(size);
  }
}

void Connection::call_handler() {
  http_1_0_ = reader_.is_http_1_0();
  keep_alive_ = reader_.keep_alive() && !http_1_0_;
  Request request = reader_.take();
  head_only_ = request.method == "HEAD";
  request.peer = peer_;
  request.hangup = hangup_ = Hangup::armed();
  deadline_ = Clock::time_point::max();
  const auto pending = std::make_shared<Pending>(worker_.mailbox(), weak_from_this());
  try {
    worker_.shared().handler(
        std::move(request), [pending](Response response) { pending->answer(std::move(response)); });
  } catch (...) {
    pending->answer(plain_error(500));
  }
}

void Connection::deliver(Response& response) {
  if (closed_) return;
  reply_ = std::move(response);  // leaves no stream behind
  signal();
}

Task<bool> Connection::wait_for_reply() {
  watch_peer();
  while (!reply_ && !closed_) co_await wait_for_event();
  unwatch_peer();
  co_return reply_ && !closed_;
}

Task<bool> Connection::send_reply() {
  Response& response = *reply_;
  Framing framing;
  framing.keep_alive = keep_alive_ = keep_alive_ && !worker_.stopping();
  const bool bodiless = response.status == 204 || response.status == 304;
  if (response.stream) {
    framing.chunked = !http_1_0_;
  } else if (!bodiless) {
    framing.length = response.body.size();
  }
  sending_ = true;
  expect_within(worker_.shared().options.io_timeout);
  const std::string head = response_head(response, framing);
  const bool with_body = !response.stream && !bodiless && !head_only_;
  bool sent = co_await write(head, with_body ? response.body : std::string_view());
  if (sent && response.stream && !head_only_) {
    sent = co_await send_stream(*response.stream, framing.chunked);
  }
  sending_ = false;
  if (response.stream) response.stream->close();
  if (sent) reply_.reset();
  co_return sent;
}

Task<bool> Connection::send_stream(Stream& stream, bool chunked) {
  stream.attach([mailbox = worker_.mailbox(), connection = weak_from_this()] {
    mailbox->run([connection] {
      if (const auto self = connection.lock()) self->signal();
    });
  });
  for (;;) {
    const Stream::Piece piece = stream.take();
    expect_within(worker_.shared().options.io_timeout);
    if (!piece.data.empty()) {
      const std::string size = chunked ? fmt::format("{:x}\r\n", piece.data.size()) : "";
      bool sent = co_await write(size, piece.data);
      if (sent && chunked) sent = co_await write("\r\n", {});
      if (!sent) co_return false;
    } else if (piece.last) {
      const bool sent = co_await write(chunked ? "0\r\n\r\n" : "", {});
      co_return sent;
    } else {
      deadline_ = Clock::time_point::max();
      watch_peer();
      co_await wait_for_event();
      unwatch_peer();
    }
    if (closed_) co_return false;
  }
}

Task<bool> Connection::write(std::string_view first, std::string_view second) {
  while (!first.empty() || !second.empty()) {
    const std::array<asio::const_buffer, 2> pieces{asio::buffer(first), asio::buffer(second)};
    error_code ec;
    const std::size_t size =
        co_await socket_.async_write_some(pieces, asio::redirect_error(kAwait, ec));
    if (ec) co_return false;
    const std::size_t of_first = std::min(size, first.size());
    first.remove_prefix(of_first);
    second.remove_prefix(size - of_first);
    made_progress(size);
  }
  co_return true;
}

// After the answer the rest of what the peer sends is read and thrown away for a moment: closing
// at once would make the kernel discard the answer before the peer has read it.
Task<void> Connection::refuse(int status) {
  const Response response = plain_error(status);
  expect_within(kFarewell);
  const std::string head =
      response_head(response, {.length = response.body.size(), .keep_alive = false});
  const bool sent = co_await write(head, response.body);
  if (!sent) co_return;
  error_code ec;
  socket_.shutdown(Socket::shutdown_send, ec);
  std::array<char, 16 << 10> rubbish;
  for (std::size_t drained = 0; !ec && drained < kDrainLimit;) {
    const std::size_t size =
        co_await socket_.async_read_some(asio::buffer(rubbish), asio::redirect_error(kAwait, ec));
    drained += size;
  }
}

Task<void> Connection::wait_for_event() {
  if (!signalled_) {
    error_code ec;
    co_await event_.async_wait(asio::redirect_error(kAwait, ec));
  }
  signalled_ = false;
}

void Connection::signal() {
  signalled_ = true;
  event_.cancel();
}

// While a reply is awaited nobody reads the socket, and so nobody would notice its end: what
// comes is put aside for the next request, and an end is a hang-up.
void Connection::watch_peer() {
  if (reply_ && !reply_->stream) return;
  const bool enough = half_closed_ || reader_.buffered() >= kPipelineLimit;
  ++watch_;
  socket_.async_wait(enough ? Socket::wait_error : Socket::wait_read,
                     [self = shared_from_this(), watch = watch_](const error_code& ec) {
                       if (!ec && self->watch_ == watch) self->on_readable();
                     });
}

void Connection::unwatch_peer() {
  if (watch_ % 2 == 0) return;
  ++watch_;
  error_code ec;
  socket_.cancel(ec);
}

void Connection::on_readable() {
  ++watch_;
  pollfd state{socket_.native_handle(), 0, 0};
  ::poll(&state, 1, 0);
  if ((state.revents & (POLLHUP | POLLERR)) != 0) return hang_up();
  if (!half_closed_ && reader_.buffered() < kPipelineLimit) {
    const std::span<char> space = reader_.prepare();
    const ssize_t size = ::recv(socket_.native_handle(), space.data(), space.size(), MSG_DONTWAIT);
    if (size > 0) reader_.commit(static_cast<std::size_t>(size));
    if (size < 0 && errno != EAGAIN && errno != EINTR) return hang_up();
    if (size == 0) {
      // A Unix peer that closed would have shown POLLHUP; over TCP there is no telling.
      if (!peer_.local) return hang_up();
      half_closed_ = true;
    }
  }
  watch_peer();
}

void Connection::hang_up() {
  hangup_.fire();
  close();
}

void Connection::stop() {
  hangup_.disarm();
  if (closed_) return;
  if ((sending_ || reply_) && !reply_->stream) {
    deadline_ = std::min(deadline_, Clock::now() + kFarewell);
  } else {
    close();
  }
}

void Connection::close() {
  if (closed_) return;
  closed_ = true;
  error_code ec;
  socket_.close(ec);
  signal();
}

void Connection::check_deadline(Clock::time_point now) {
  if (now >= deadline_) close();
}

void Connection::expect_within(std::chrono::milliseconds time) {
  deadline_ = Clock::now() + time;
  unrewarded_ = 0;
}

void Connection::made_progress(std::size_t size) {
  unrewarded_ += size;
  if (unrewarded_ >= kReward) expect_within(worker_.shared().options.io_timeout);
}

}  // namespace grappe::http
