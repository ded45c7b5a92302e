#include "http/response_head.h"

#include <fmt/core.h>

#include <boost/beast/http/status.hpp>
#include <ctime>
#include <iterator>
#include <string_view>

namespace grappe::http {
namespace {

std::string_view reason(int status) {
  const auto text =
      boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(status));
  return {text.data(), text.size()};
}

void append_clean(std::string& out, std::string_view value) {
  for (const char c : value) {
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) out += c;
  }
}

void append_header(std::string& out, std::string_view name, std::string_view value) {
  append_clean(out, name);
  out += ": ";
  append_clean(out, value);
  out += "\r\n";
}

// Not strftime: its names follow the locale.
void append_date(std::string& out) {
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  fmt::format_to(std::back_inserter(out), "Date: {}, {:02} {} {} {:02}:{:02}:{:02} GMT\r\n",
                 kDays[utc.tm_wday], utc.tm_mday, kMonths[utc.tm_mon], utc.tm_year + 1900,
                 utc.tm_hour, utc.tm_min, utc.tm_sec);
}

}  // namespace

std::string response_head(const Response& response, const Framing& framing) {
  std::string out;
  out.reserve(256);
  fmt::format_to(std::back_inserter(out), "HTTP/1.1 {} {}\r\n", response.status,
                 reason(response.status));
  append_date(out);
  if (!response.content_type.empty()) append_header(out, "Content-Type", response.content_type);
  if (framing.length) {
    fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n", *framing.length);
  } else if (framing.chunked) {
    out += "Transfer-Encoding: chunked\r\n";
  }
  if (!framing.keep_alive) out += "Connection: close\r\n";
  for (const auto& [name, value] : response.headers) append_header(out, name, value);
  out += "\r\n";
  return out;
}

Response plain_error(int status) {
  return {.status = status,
          .content_type = "text/plain; charset=utf-8",
          .body = fmt::format("{} {}\n", status, reason(status))};
}

}  // namespace grappe::http
