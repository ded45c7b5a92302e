#include "http/client.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <thread>

#include "http/listen.h"
#include "http/server.h"
#include "http/test_socket.h"

namespace grappe::http {
namespace {

using namespace std::chrono_literals;

// A server of one answer, said byte by byte as given.
class CannedServer {
 public:
  CannedServer(const std::string& path, std::string answer, std::size_t piece = 1 << 20)
      : listener_(*UnixListener::open(path, 0600)), fd_(listener_.take_fd()) {
    thread_ = std::thread([this, answer = std::move(answer), piece] { serve(answer, piece); });
  }
  ~CannedServer() { thread_.join(); }

 private:
  void serve(const std::string& answer, std::size_t piece) {
    int flags = -1;
    while ((flags = ::accept(fd_.get(), nullptr, nullptr)) < 0) std::this_thread::sleep_for(1ms);
    const UniqueFd peer(flags);
    std::string head;
    char byte = 0;
    while (!head.ends_with("\r\n\r\n") && ::recv(peer.get(), &byte, 1, 0) == 1) head += byte;
    for (std::size_t at = 0; at < answer.size(); at += piece) {
      ::send(peer.get(), answer.data() + at, std::min(piece, answer.size() - at), MSG_NOSIGNAL);
    }
  }

  UnixListener listener_;
  UniqueFd fd_;
  std::thread thread_;
};

Result<Response> answer_to(const std::string& canned, std::size_t piece = 1 << 20) {
  const TempDir dir;
  const CannedServer server(dir / "s", canned, piece);
  Result<Client> client = Client::connect_unix(dir / "s");
  if (!client) return tl::unexpected(client.error());
  return client->get("/", 10s);
}

TEST(Client, TellsWhyItCannotConnect) {
  const TempDir dir;
  EXPECT_EQ(Client::connect_unix(dir / "none").error().code, ENOENT);
  { const UnixListener gone = *UnixListener::open(dir / "s", 0600); }
  EXPECT_EQ(Client::connect_unix(dir / "s").error().code, ENOENT);
  EXPECT_EQ(Client::connect_unix("/tmp/" + std::string(200, 'x')).error().code, ENAMETOOLONG);

  UnixListener deaf = *UnixListener::open(dir / "deaf", 0600);
  deaf.take_fd().reset();
  EXPECT_EQ(Client::connect_unix(dir / "deaf").error().code, ECONNREFUSED);
  if (::getuid() != 0) GTEST_SKIP() << "only root can become another user";

  const UnixListener live = *UnixListener::open(dir / "live", 0600);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setuid(1234) != 0) ::_exit(2);
    ::_exit(Client::connect_unix(dir / "live").error().code == EACCES ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(Client, ReadsSizedAndChunkedBodiesInAnyPieces) {
  const std::string sized = "HTTP/1.1 201 Created\r\ncontent-length:  5 \r\nX-A: b\r\n\r\nhello";
  const std::string chunked =
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\nX-A: "
      "b\r\n\r\n"
      "2;x=y\r\nhe\r\n003\r\nllo\r\n0\r\nTrailer: t\r\n\r\n";
  for (const std::string& canned : {sized, chunked}) {
    for (const std::size_t piece : {1, 2, 3, 7, 1000}) {
      const auto response = answer_to(canned, piece);
      ASSERT_TRUE(response) << response.error().message;
      EXPECT_EQ(response->status, 201);
      EXPECT_EQ(response->body, "hello");
      EXPECT_EQ(find_header(response->headers, "x-a"), "b");
    }
  }
  EXPECT_EQ(answer_to("HTTP/1.1 204 No Content\r\n\r\n")->status, 204);
}

TEST(Client, RefusesWhatIsNotHttp) {
  for (const char* bad :
       {"SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\nX\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n"}) {
    const auto response = answer_to(bad);
    ASSERT_FALSE(response) << bad;
    EXPECT_EQ(response.error().code, EPROTO) << bad;
  }
}

TEST(Client, NoticesAnAnswerThatIsCutOff) {
  for (const char* cut : {"", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
                          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"}) {
    const auto response = answer_to(cut);
    ASSERT_FALSE(response) << cut;
    EXPECT_EQ(response.error().code, ECONNRESET) << cut;
  }
}

TEST(Client, WaitsNoLongerThanItIsTold) {
  const TempDir dir;
  Server server;
  ASSERT_TRUE(server.listen_unix(dir / "s", 0600));
  std::vector<Reply> never;  // used by the server's only thread
  server.start([&](const Request&, Reply reply) { never.push_back(std::move(reply)); });
  Result<Client> client = Client::connect_unix(dir / "s");
  ASSERT_TRUE(client);
  const auto begin = std::chrono::steady_clock::now();
  const auto response = client->post("/", "", "", 100ms);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ETIMEDOUT);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 100ms);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
  server.stop();
}

TEST(Client, WhoMeansToAskOnceIsClosedWithTheAnswerAndMayAskAgain) {
  const TempDir dir;
  Server server;
  ASSERT_TRUE(server.listen_unix(dir / "s", 0600));
  server.start([](const Request& request, const Reply& reply) { reply({.body = request.path}); });
  Result<Client> client = Client::connect_unix(dir / "s", Client::Plan::kOneCall);
  ASSERT_TRUE(client);
  for (const char* path : {"/1", "/2"}) {
    const auto response = client->get(path, 10s);
    ASSERT_TRUE(response);
    EXPECT_EQ(response->body, path);
    EXPECT_EQ(find_header(response->headers, "Connection"), "close");
  }
}

TEST(Client, ConnectsAnewWhenTheServerWasRestarted) {
  const TempDir dir;
  const Handler handler = [](const Request& request, const Reply& reply) {
    reply({.body = request.path});
  };
  auto server = std::make_unique<Server>();
  ASSERT_TRUE(server->listen_unix(dir / "s", 0600));
  server->start(handler);
  Result<Client> client = Client::connect_unix(dir / "s");
  ASSERT_TRUE(client);
  EXPECT_EQ(client->get("/1", 10s)->body, "/1");
  server.reset();
  const auto down = client->get("/2", 10s);
  ASSERT_FALSE(down);
  EXPECT_EQ(down.error().code, ENOENT);
  server = std::make_unique<Server>();
  ASSERT_TRUE(server->listen_unix(dir / "s", 0600));
  server->start(handler);
  EXPECT_EQ(client->get("/3", 10s)->body, "/3");
}

}  // namespace
}  // namespace grappe::http
