#include "http/client.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

namespace grappe::http {
namespace {

constexpr std::size_t kMaxHead = 64 << 10;
constexpr std::size_t kFirstRead = 4 << 10;
constexpr std::size_t kLargestRead = 256 << 10;
constexpr timeval kConnectTimeout{10, 0};

tl::unexpected<Error> fail_call(const std::string& what, int error_number) {
  return fail(error_number, what + ": " + std::strerror(error_number));
}

tl::unexpected<Error> malformed() {
  return fail(EPROTO, "the service's answer is not HTTP");
}

// Stops an exchange whose receiver has had enough; never leaves this file.
constexpr int kStopped = -1;

template <class Number>
bool parse_number(std::string_view text, Number& number, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size();
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// "HTTP/1.1 200 OK", then "Name: value" lines; all without their line ends.
bool parse_head(std::string_view head, Response& response) {
  const std::size_t first_end = std::min(head.find("\r\n"), head.size());
  const std::string_view first = head.substr(0, first_end);
  if (first.size() < 12 || !first.starts_with("HTTP/1.") || first[8] != ' ') return false;
  if (!parse_number(first.substr(9, 3), response.status)) return false;
  head.remove_prefix(first_end);
  while (head.starts_with("\r\n")) {
    head.remove_prefix(2);
    const std::size_t end = std::min(head.find("\r\n"), head.size());
    const std::string_view line = head.substr(0, end);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return false;
    response.headers.emplace_back(line.substr(0, colon), trim(line.substr(colon + 1)));
    head.remove_prefix(end);
  }
  response.content_type = find_header(response.headers, "Content-Type");
  return true;
}

}  // namespace

Result<Client> Client::connect_unix(const std::string& path, Plan plan) {
  Client client(path, plan);
  if (Status connected = client.connect(); !connected) return tl::unexpected(connected.error());
  return client;
}

Status Client::connect() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path_.empty() || path_.size() >= sizeof address.sun_path) {
    return fail(ENAMETOOLONG, "socket path '" + path_ + "' is empty or too long");
  }
  std::memcpy(address.sun_path, path_.data(), path_.size());
  input_.clear();
  fd_.reset(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd_) return fail_call("socket", errno);
  // Blocking, with a limit: a server with a full queue is busy, not absent.
  ::setsockopt(fd_.get(), SOL_SOCKET, SO_SNDTIMEO, &kConnectTimeout, sizeof kConnectTimeout);
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  while (::connect(fd_.get(), generic, sizeof address) != 0) {
    if (errno == EINTR) continue;
    const int error_number = errno == EAGAIN ? ETIMEDOUT : errno;
    fd_.reset();
    return fail_call("connect to " + path_, error_number);
  }
  return {};
}

Result<Response> Client::post(std::string_view path, std::string_view content_type,
                              std::string_view body, Timeout timeout, std::string_view token) {
  return exchange("POST", path, content_type, body, timeout, nullptr, token);
}

Result<Response> Client::get(std::string_view path, Timeout timeout) {
  return exchange("GET", path, {}, {}, timeout, nullptr);
}

Result<Response> Client::post_streaming(std::string_view path, std::string_view content_type,
                                        std::string_view body, const OnData& on_data,
                                        Timeout silence) {
  return exchange("POST", path, content_type, body, silence, &on_data);
}

Result<Response> Client::exchange(std::string_view method, std::string_view path,
                                  std::string_view content_type, std::string_view body,
                                  Timeout timeout, const OnData* on_data, std::string_view token) {
  char byte = 0;
  // An idle connection that can be read has been closed by the server.
  if (!fd_ || ::recv(fd_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0) {
    if (Status connected = connect(); !connected) return tl::unexpected(connected.error());
  }
  timeout_ = timeout;
  per_piece_ = on_data != nullptr;
  deadline_ = Clock::now() + timeout;
  read_size_ = kFirstRead;

  std::string head;
  head.reserve(256);
  head.append(method).append(" ").append(path).append(" HTTP/1.1\r\nHost: localhost\r\n");
  if (!content_type.empty()) head.append("Content-Type: ").append(content_type).append("\r\n");
  if (!token.empty()) head.append("Idempotency-Key: ").append(token).append("\r\n");
  if (method != "GET") {
    head.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
  }
  if (plan_ == Plan::kOneCall) head.append("Connection: close\r\n");
  head += "\r\n";

  const Status sent = send(head, body);
  // A server that refuses a request answers before it has read all of it.
  Result<Response> response = sent || sent.error().code != ETIMEDOUT
                                  ? read_response(on_data)
                                  : Result<Response>(tl::unexpected(sent.error()));
  if (!sent || !response) fd_.reset();
  return response;
}

Status Client::wait(short events) {
  for (;;) {
    int left = -1;
    if (timeout_ != kForever) {
      const auto remaining = std::chrono::ceil<Timeout>(deadline_ - Clock::now());
      left = static_cast<int>(std::clamp<Timeout::rep>(remaining.count(), 0, 1 << 30));
    }
    pollfd state{fd_.get(), events, 0};
    const int ready = ::poll(&state, 1, left);
    if (ready > 0) return {};
    if (ready == 0) return fail(ETIMEDOUT, "no answer from the service in time");
    if (errno != EINTR) return fail_call("poll", errno);
  }
}

Status Client::send(std::string_view head, std::string_view body) {
  while (!head.empty() || !body.empty()) {
    std::array<iovec, 2> pieces{iovec{const_cast<char*>(head.data()), head.size()},
                                iovec{const_cast<char*>(body.data()), body.size()}};
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = pieces.size();
    const ssize_t size = ::sendmsg(fd_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size < 0) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN) return fail_call("send to the service", errno);
      if (Status ready = wait(POLLOUT); !ready) return ready;
      continue;
    }
    const std::size_t of_head = std::min(static_cast<std::size_t>(size), head.size());
    head.remove_prefix(of_head);
    body.remove_prefix(static_cast<std::size_t>(size) - of_head);
  }
  return {};
}

// Appends to input_ what has come, after waiting for it.
Status Client::fill() {
  if (per_piece_) deadline_ = Clock::now() + timeout_;
  const std::size_t before = input_.size();
  input_.resize(before + read_size_);
  for (;;) {
    const Status ready = wait(POLLIN);
    const ssize_t size =
        ready ? ::recv(fd_.get(), input_.data() + before, read_size_, MSG_DONTWAIT) : -1;
    if (ready && size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    input_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    if (!ready) return ready;
    if (size == static_cast<ssize_t>(read_size_)) {
      read_size_ = std::min(2 * read_size_, kLargestRead);
    }
    if (size > 0) return {};
    return fail(ECONNRESET, "the service closed the connection before it had answered");
  }
}

Result<Response> Client::read_head() {
  std::size_t end = 0;
  while ((end = input_.find("\r\n\r\n")) == std::string::npos) {
    if (input_.size() > kMaxHead) return malformed();
    if (Status filled = fill(); !filled) return tl::unexpected(filled.error());
  }
  Response response;
  if (!parse_head(std::string_view(input_).substr(0, end), response)) return malformed();
  input_.erase(0, end + 4);
  return response;
}

Result<Response> Client::read_response(const OnData* on_data) {
  Result<Response> head = read_head();
  while (head && head->status < 200) head = read_head();  // "100 Continue" and the like
  if (!head) return head;
  Response& response = *head;
  const OnData append = [&response](std::string_view data) {
    response.body += data;
    return true;
  };
  const OnData& sink = on_data != nullptr ? *on_data : append;
  Status read;
  std::size_t length = 0;
  const std::string_view length_text = find_header(response.headers, "Content-Length");
  if (find_header(response.headers, "Transfer-Encoding") == "chunked") {
    read = read_chunked(sink);
  } else if (!length_text.empty()) {
    if (!parse_number(length_text, length)) return malformed();
    if (on_data == nullptr) response.body.reserve(length);
    read = read_sized(length, sink);
  } else if (response.status != 204 && response.status != 304) {
    return malformed();  // our server always says where an answer ends
  }
  if (!read && read.error().code != kStopped) return tl::unexpected(read.error());
  if (!read || find_header(response.headers, "Connection") == "close") fd_.reset();
  return head;
}

Status Client::read_sized(std::size_t size, const OnData& sink) {
  while (size > 0) {
    if (input_.empty()) {
      if (Status filled = fill(); !filled) return filled;
    }
    const std::size_t part = std::min(size, input_.size());
    if (!sink(std::string_view(input_).substr(0, part))) return fail(kStopped, "stopped");
    input_.erase(0, part);
    size -= part;
  }
  return {};
}

Result<std::string> Client::read_line() {
  std::size_t end = 0;
  while ((end = input_.find("\r\n")) == std::string::npos) {
    if (input_.size() > kMaxHead) return malformed();
    if (Status filled = fill(); !filled) return tl::unexpected(filled.error());
  }
  std::string line = input_.substr(0, end);
  input_.erase(0, end + 2);
  return line;
}

Status Client::read_chunked(const OnData& sink) {
  for (;;) {
    const Result<std::string> line = read_line();
    if (!line) return tl::unexpected(line.error());
    std::size_t size = 0;
    const std::string_view digits = std::string_view(*line).substr(0, line->find(';'));
    if (!parse_number(trim(digits), size, 16)) return malformed();
    if (Status read = read_sized(size, sink); !read) return read;
    // After a chunk an empty line; after the last one trailers, which we don't use, and the same.
    for (bool ended = false; !ended;) {
      const Result<std::string> rest = read_line();
      if (!rest) return tl::unexpected(rest.error());
      ended = rest->empty();
      if (!ended && size > 0) return malformed();
    }
    if (size == 0) return {};
  }
}

}  // namespace grappe::http
