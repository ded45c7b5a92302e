#include "http/request_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace grappe::http {
namespace {

using Progress = RequestReader::Progress;

Progress feed(RequestReader& reader, std::string_view data, std::size_t piece = 1 << 20) {
  Progress progress = reader.parse();
  while (!data.empty() && progress != Progress::kComplete && progress != Progress::kFailed) {
    const std::span<char> space = reader.prepare();
    const std::size_t size = std::min({space.size(), data.size(), piece});
    std::memcpy(space.data(), data.data(), size);
    reader.commit(size);
    data.remove_prefix(size);
    progress = reader.parse();
  }
  return progress;
}

int status_for(std::string_view data, RequestReader::Limits limits = {}) {
  RequestReader reader(limits);
  return feed(reader, data) == Progress::kFailed ? reader.error_status() : 0;
}

TEST(RequestReader, SplitsTargetAndKeepsHeaders) {
  RequestReader reader({});
  ASSERT_EQ(feed(reader,
                 "POST /a/b%20c?x=1&y=? HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\n"
                 "Accept:  */* \r\nX-Twice: 1\r\nx-twice: 2\r\nContent-Length: 3\r\n\r\nabc"),
            Progress::kComplete);
  EXPECT_TRUE(reader.keep_alive());
  const Request request = reader.take();
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.path, "/a/b%20c");
  EXPECT_EQ(request.query, "x=1&y=?");
  EXPECT_EQ(request.content_type, "text/plain");
  EXPECT_EQ(request.accept, "*/*");
  EXPECT_EQ(request.header("X-TWICE"), "1");
  EXPECT_EQ(request.header("Cookie"), "");
  EXPECT_EQ(request.body, "abc");
}

TEST(RequestReader, TakesBytesInAnyPieces) {
  const std::string text =
      "POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;ext=1\r\n "
      "world\r\n0\r\n"
      "Trailer: ignored\r\n\r\n";
  for (std::size_t piece = 1; piece < text.size(); ++piece) {
    RequestReader reader({});
    ASSERT_EQ(feed(reader, text, piece), Progress::kComplete) << piece;
    const Request request = reader.take();
    EXPECT_EQ(request.body, "hello world");
    EXPECT_EQ(request.header("Trailer"), "");
    EXPECT_EQ(reader.buffered(), 0U);
  }
}

TEST(RequestReader, LeavesThePipelinedRestForLater) {
  RequestReader reader({});
  ASSERT_EQ(feed(reader,
                 "GET /1 HTTP/1.1\r\n\r\nPOST /2 HTTP/1.1\r\nContent-Length: 2\r\n\r\nab\r\n"
                 "GET /3 HTTP/1.0\r\n\r\n"),
            Progress::kComplete);
  EXPECT_EQ(reader.take().path, "/1");
  ASSERT_EQ(reader.parse(), Progress::kComplete);
  EXPECT_EQ(reader.take().body, "ab");
  ASSERT_EQ(reader.parse(), Progress::kComplete);
  EXPECT_TRUE(reader.is_http_1_0());
  EXPECT_FALSE(reader.keep_alive());
  EXPECT_EQ(reader.take().path, "/3");
  EXPECT_EQ(reader.parse(), Progress::kIdle);
}

TEST(RequestReader, TellsHeadFromBody) {
  RequestReader reader({});
  EXPECT_EQ(reader.parse(), Progress::kIdle);
  EXPECT_EQ(feed(reader, "POST / HTTP/1.1\r\n"), Progress::kHead);
  EXPECT_EQ(feed(reader, "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n"), Progress::kBody);
  EXPECT_TRUE(reader.must_say_continue());
  EXPECT_FALSE(reader.must_say_continue());
  EXPECT_EQ(feed(reader, "ab"), Progress::kComplete);
}

TEST(RequestReader, AcceptsAWholeUrlAsAProxySendsIt) {
  RequestReader reader({});
  ASSERT_EQ(feed(reader, "GET http://host:80/p?q HTTP/1.1\r\n\r\n"), Progress::kComplete);
  EXPECT_EQ(reader.take().path, "/p");
  ASSERT_EQ(feed(reader, "GET http://host HTTP/1.1\r\n\r\n"), Progress::kComplete);
  EXPECT_EQ(reader.take().path, "/");
}

TEST(RequestReader, RefusesMalformedRequests) {
  for (const char* bad : {
           "\x16\x03\x01",  // TLS, refused at once
           "nonsense\r\n\r\n",
           "GET\r\n\r\n",
           "GET / HTTP/1.1 extra\r\n\r\n",
           "GET / HTTP/2.0\r\n\r\n",
           "GET /a b HTTP/1.1\r\n\r\n",
           "GET path HTTP/1.1\r\n\r\n",
           "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
           "GET / HTTP/1.1\r\nNo colon\r\n\r\n",
           "GET / HTTP/1.1\r\nName : space\r\n\r\n",
           "GET / HTTP/1.1\r\nA: \x01\r\n\r\n",
           "GET /\x01 HTTP/1.1\r\n\r\n",
           "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
           "POST / HTTP/1.1\r\nContent-Length: 1x\r\n\r\n",
           "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n",
           // The classic ways to smuggle a second request.
           "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
           "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
           "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
           "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
           "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcX\r\n0\r\n\r\n",
       }) {
    EXPECT_EQ(status_for(bad), 400) << bad;
  }
  EXPECT_EQ(status_for("POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n"), 501);
  EXPECT_EQ(status_for("POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"), 501);
}

TEST(RequestReader, LimitsHeadAndBody) {
  const RequestReader::Limits limits{.head = 1000, .body = 100};
  EXPECT_EQ(status_for("GET /" + std::string(2000, 'x') + " HTTP/1.1\r\n\r\n", limits), 431);
  EXPECT_EQ(status_for("GET / HTTP/1.1\r\nA: " + std::string(2000, 'x') + "\r\n\r\n", limits), 431);
  EXPECT_EQ(status_for("GET " + std::string(20000, 'x'), limits), 431);
  EXPECT_EQ(status_for("POST / HTTP/1.1\r\nContent-Length: 101\r\n\r\n", limits), 413);
  const std::string chunk = "40\r\n" + std::string(64, 'x') + "\r\n";
  const std::string chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(status_for(chunked + chunk, limits), 0);
  EXPECT_EQ(status_for(chunked + chunk + chunk, limits), 413);
  EXPECT_EQ(status_for(chunked + "ffffffffffffffff\r\n", limits), 413);
  // A chunk's size line or trailers that never end.
  EXPECT_NE(status_for(chunked + "1;" + std::string(20000, 'x'), limits), 0);
  EXPECT_NE(status_for(chunked + "0\r\nA: " + std::string(20000, 'x'), limits), 0);
  EXPECT_EQ(
      status_for("POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\n" + std::string(100, 'x'), limits),
      0);
}

}  // namespace
}  // namespace grappe::http
