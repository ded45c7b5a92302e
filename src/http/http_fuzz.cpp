// Any bytes, cut anywhere, must give the same requests as when they come in one piece, within the
// limits.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "http/request_reader.h"

namespace {

using grappe::http::Request;
using grappe::http::RequestReader;
using Progress = RequestReader::Progress;

constexpr RequestReader::Limits kLimits{.head = 512, .body = 1024};

void require(bool condition) {
  if (!condition) std::abort();
}

std::string describe(const Request& request) {
  std::string text = request.method + " " + request.path + "?" + request.query + "\n";
  for (const auto& [name, value] : request.headers) text += name + ":" + value + "\n";
  return text + request.body + "\n";
}

// The complete requests, as text, when each piece is `piece` bytes long. Where exactly endless
// trailers are refused may depend on the pieces: `limited` says that it came to that.
std::string read_in_pieces(std::string_view data, std::size_t piece, bool& limited) {
  RequestReader reader(kLimits);
  std::string seen;
  for (;;) {
    const Progress progress = reader.parse();
    if (progress == Progress::kFailed) {
      require(reader.error_status() >= 400);
      limited |= reader.error_status() == 431;
      return seen;
    }
    if (progress == Progress::kComplete) {
      const Request request = reader.take();
      require(request.body.size() <= kLimits.body);
      require(request.path.starts_with('/') || request.path == "*");
      seen += describe(request);
      continue;
    }
    reader.must_say_continue();
    if (data.empty()) return seen;
    const std::span<char> space = reader.prepare();
    const std::size_t size = std::min({space.size(), data.size(), piece});
    require(size > 0);
    std::memcpy(space.data(), data.data(), size);
    reader.commit(size);
    data.remove_prefix(size);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view data(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  bool limited = false;
  const std::string whole = read_in_pieces(data, data.size() + 1, limited);
  const std::string pieces = read_in_pieces(data, 1U + bytes[0] % 64U, limited);
  require(limited || whole == pieces);
  return 0;
}
