#include "http/request_reader.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace grappe::http {
namespace {

namespace beast = boost::beast;
using beast::error_code;
using beast::string_view;

constexpr std::size_t kHeadRead = 4 << 10;
constexpr std::size_t kBodyRead = 64 << 10;
constexpr std::size_t kIdleBuffer = 16 << 10;  // what an idle connection may keep

// Beast checks the grammar; this collects the parts, straight into our Request.
class Parser final : public beast::http::basic_parser<true> {
 public:
  explicit Parser(const RequestReader::Limits& limits) : trailer_room_(limits.head) {
    eager(true);
    header_limit(static_cast<std::uint32_t>(limits.head));
    body_limit(limits.body);
  }

  Request request;
  int status = 400;  // of the failure, if there is one
  bool expects_continue = false;
  bool http_1_0 = false;

 private:
  void on_request_impl(beast::http::verb, string_view method, string_view target, int version,
                       error_code& ec) override {
    http_1_0 = version == 10;
    request.method = method;
    // A proxy may send the whole URL: only the part after the host is ours.
    if (target.starts_with("http://") || target.starts_with("https://")) {
      const auto slash = target.find('/', target.find("//") + 2);
      target = slash == string_view::npos ? string_view("/") : target.substr(slash);
    }
    if (!target.starts_with('/') && target != "*") {
      ec = beast::http::error::bad_target;
      return;
    }
    const auto mark = target.find('?');
    request.path = target.substr(0, mark);
    if (mark != string_view::npos) request.query = target.substr(mark + 1);
  }
  void on_field_impl(beast::http::field name, string_view key, string_view value,
                     error_code& ec) override {
    // A trailer must not pass for a header.
    if (is_header_done()) return use_trailer_room(key.size() + value.size(), ec);
    using beast::http::field;
    if (name == field::content_type) request.content_type = value;
    if (name == field::accept) request.accept = value;
    if (name == field::expect) expects_continue = beast::iequals(value, "100-continue");
    if (name == field::transfer_encoding && !beast::iequals(value, "chunked")) {
      status = 501;
      ec = beast::http::error::bad_transfer_encoding;
      return;
    }
    request.headers.emplace_back(key, value);
  }
  void on_header_impl(error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(string_view body, error_code&) override {
    request.body.append(body.data(), body.size());
    return body.size();
  }
  void on_chunk_header_impl(std::uint64_t, string_view extensions, error_code& ec) override {
    use_trailer_room(extensions.size(), ec);
  }
  std::size_t on_chunk_body_impl(std::uint64_t, string_view body, error_code&) override {
    request.body.append(body.data(), body.size());
    return body.size();
  }
  void on_finish_impl(error_code&) override {}
  void on_response_impl(int, string_view, int, error_code&) override {}

  void use_trailer_room(std::size_t size, error_code& ec) {
    if (size > trailer_room_) {
      ec = beast::http::error::header_limit;
      return;
    }
    trailer_room_ -= size;
  }

  std::size_t trailer_room_;  // for what a chunked body carries besides itself
};

int status_of(const error_code& ec, int otherwise) {
  if (ec == beast::http::error::header_limit) return 431;
  if (ec == beast::http::error::body_limit) return 413;
  return otherwise;
}

}  // namespace

struct RequestReader::Impl {
  Limits limits;
  std::string buffer;  // [begin, end) is filled
  std::size_t begin = 0;
  std::size_t end = 0;
  std::optional<Parser> parser;  // none between two requests
  int error_status = 0;

  Progress fail(int status) {
    error_status = status;
    return Progress::kFailed;
  }

  // Waits for the whole head before Beast sees any of it: what a request means, and whether it is
  // too long, then cannot depend on how the network cut it.
  Progress find_head() {
    // Old clients end a body with a line break that nobody counts.
    while (begin < end && (buffer[begin] == '\r' || buffer[begin] == '\n')) ++begin;
    if (begin == end) return Progress::kIdle;
    const std::string_view input(buffer.data() + begin, end - begin);
    // No method begins like this, TLS on the wrong port does.
    if (!std::isupper(static_cast<unsigned char>(input.front()))) return fail(400);
    const std::size_t length = input.find("\r\n\r\n");
    if (std::min(length, input.size()) + 4 > limits.head) return fail(431);
    if (length == std::string_view::npos) return Progress::kHead;
    parser.emplace(limits);
    return Progress::kBody;
  }
};

RequestReader::RequestReader(Limits limits) : impl_(std::make_unique<Impl>()) {
  impl_->limits = limits;
}
RequestReader::~RequestReader() = default;

std::span<char> RequestReader::prepare() {
  Impl& in = *impl_;
  const std::size_t wanted = in.parser && in.parser->is_header_done() ? kBodyRead : kHeadRead;
  if (in.begin > 0) {
    std::memmove(in.buffer.data(), in.buffer.data() + in.begin, in.end - in.begin);
    in.end -= std::exchange(in.begin, 0);
  }
  if (in.buffer.size() < in.end + wanted) in.buffer.resize(in.end + wanted);
  return {in.buffer.data() + in.end, in.buffer.size() - in.end};
}

void RequestReader::commit(std::size_t size) {
  impl_->end += size;
}

std::size_t RequestReader::buffered() const {
  return impl_->end - impl_->begin;
}

RequestReader::Progress RequestReader::parse() {
  Impl& in = *impl_;
  if (in.error_status != 0) return Progress::kFailed;
  if (!in.parser) {
    if (const Progress progress = in.find_head(); progress != Progress::kBody) return progress;
  }
  while (in.begin < in.end && !in.parser->is_done()) {
    error_code ec;
    const boost::asio::const_buffer input(in.buffer.data() + in.begin, in.end - in.begin);
    const std::size_t eaten = in.parser->put(input, ec);
    in.begin += eaten;
    if (ec && ec != beast::http::error::need_more) {
      return in.fail(status_of(ec, in.parser->status));
    }
    if (eaten == 0) break;
  }
  if (in.parser->is_done()) return Progress::kComplete;
  // Body bytes are eaten at once: what is left is a chunk's size line, or trailers, without end.
  return buffered() > in.limits.head ? in.fail(431) : Progress::kBody;
}

int RequestReader::error_status() const {
  return impl_->error_status;
}

bool RequestReader::must_say_continue() {
  Impl& in = *impl_;
  if (!in.parser || !in.parser->is_header_done() || in.parser->is_done()) return false;
  return std::exchange(in.parser->expects_continue, false) && !in.parser->http_1_0;
}

bool RequestReader::keep_alive() const {
  return impl_->parser && impl_->parser->keep_alive();
}

bool RequestReader::is_http_1_0() const {
  return impl_->parser && impl_->parser->http_1_0;
}

Request RequestReader::take() {
  Impl& in = *impl_;
  Request request = std::move(in.parser->request);
  in.parser.reset();
  if (in.begin == in.end) {
    in.begin = in.end = 0;
    if (in.buffer.size() > kIdleBuffer) in.buffer = {};
  }
  return request;
}

}  // namespace grappe::http
