#include "http/response_head.h"

#include <gtest/gtest.h>

namespace grappe::http {
namespace {

std::string without_date(std::string head) {
  const std::size_t begin = head.find("Date: ");
  return head.erase(begin, head.find("\r\n", begin) + 2 - begin);
}

TEST(ResponseHead, SaysHowTheBodyIsFramed) {
  const Response response{.status = 404, .content_type = "text/plain", .headers = {{"X-A", "b"}}};
  EXPECT_EQ(
      without_date(response_head(response, {.length = 7})),
      "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 7\r\nX-A: b\r\n\r\n");
  EXPECT_EQ(without_date(response_head({}, {.chunked = true})),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
  EXPECT_EQ(without_date(response_head({.status = 204}, {.keep_alive = false})),
            "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
}

TEST(ResponseHead, DatesTheResponse) {
  const std::string head = response_head({}, {});
  const std::size_t begin = head.find("\r\nDate: ");
  ASSERT_NE(begin, std::string::npos);
  EXPECT_EQ(head.find(" GMT\r\n"), begin + 8 + 25);  // "Sun, 06 Nov 1994 08:49:37"
}

TEST(ResponseHead, LetsNoValueAddAHeader) {
  const Response response{.content_type = "a\r\nEvil: 1", .headers = {{"X\n", "b\r\nEvil: 2\x7f"}}};
  EXPECT_EQ(without_date(response_head(response, {})),
            "HTTP/1.1 200 OK\r\nContent-Type: aEvil: 1\r\nX: bEvil: 2\r\n\r\n");
}

}  // namespace
}  // namespace grappe::http
