#include "http/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "http/client.h"
#include "http/test_socket.h"

namespace grappe::http {
namespace {

using namespace std::chrono_literals;

// Keeps the requests that the handler got, for another thread to answer.
class Desk {
 public:
  struct Case {
    Request request;
    Reply reply;
  };
  Handler handler() {
    return [this](Request request, Reply reply) {
      const std::lock_guard lock(mutex_);
      cases_.push_back({std::move(request), std::move(reply)});
      arrived_.notify_all();
    };
  }
  Case take() {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, 10s, [this] { return !cases_.empty(); })) return {};
    Case first = std::move(cases_.front());
    cases_.erase(cases_.begin());
    return first;
  }
  std::size_t size() {
    const std::lock_guard lock(mutex_);
    return cases_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<Case> cases_;
};

void echo(Request request, const Reply& reply) {
  reply({.content_type = "text/plain",
         .body = request.method + " " + request.path + " " + std::to_string(request.body.size())});
}

class ServerTest : public testing::Test {
 protected:
  void serve(Handler handler, Server::Options options = {}) {
    server_ = std::make_unique<Server>(options);
    const Status listening = server_->listen_unix(path_, 0666);
    ASSERT_TRUE(listening) << listening.error().message;
    server_->start(std::move(handler));
  }
  Client client() {
    Result<Client> connected = Client::connect_unix(path_);
    EXPECT_TRUE(connected) << connected.error().message;
    return std::move(*connected);
  }

  const TempDir dir_;
  const std::string path_ = dir_ / "s";
  Desk desk_;
  std::unique_ptr<Server> server_;  // last: its threads use the others
};

TEST_F(ServerTest, TellsThePeerAsTheKernelDoes) {
  serve([](const Request& request, const Reply& reply) {
    reply({.body = std::to_string(request.peer.uid) + " " + std::to_string(request.peer.gid) + " " +
                   std::to_string(request.peer.pid) + (request.peer.local ? " local" : "")});
  });
  const auto expected = [](uid_t uid, gid_t gid, pid_t pid) {
    return std::to_string(uid) + " " + std::to_string(gid) + " " + std::to_string(pid) + " local";
  };
  auto response = client().post("/", "", "", 10s);
  ASSERT_TRUE(response);
  EXPECT_EQ(response->body, expected(::getuid(), ::getgid(), ::getpid()));
  if (::getuid() != 0) GTEST_SKIP() << "only root can become another user";

  const pid_t child = ::fork();
  if (child == 0) {
    if (::setgid(4321) != 0 || ::setuid(1234) != 0) ::_exit(2);
    Result<Client> other = Client::connect_unix(path_);
    if (!other) ::_exit(3);
    // What the message claims must not matter.
    const auto answer = other->post("/?uid=0", "", "uid=0", 10s);
    ::_exit(answer && answer->body == expected(1234, 4321, ::getpid()) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(ServerTest, KeepsTheConnectionAlive) {
  std::atomic<int> accepted = 0;
  serve([&](const Request& request, const Reply& reply) {
    ++accepted;
    echo(request, reply);
  });
  Client one = client();
  for (int i = 0; i < 100; ++i) {
    const auto response =
        one.post("/p", "text/plain", std::string(static_cast<std::size_t>(i), 'x'));
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->body, "POST /p " + std::to_string(i));
    EXPECT_EQ(response->content_type, "text/plain");
  }
  EXPECT_EQ(accepted, 100);
  EXPECT_EQ(one.get("/g")->body, "GET /g 0");
}

TEST_F(ServerTest, AnswersPipelinedRequestsInOrder) {
  serve(desk_.handler());
  RawClient raw(path_);
  raw.send("GET /1 HTTP/1.1\r\n\r\n");
  Desk::Case first = desk_.take();
  // These come while the first one is pending.
  raw.send("GET /2 HTTP/1.1\r\n\r\nGET /3 HTTP/1.1\r\nConnection: close\r\n\r\n");
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(desk_.size(), 0U);
  first.reply({.body = "one;"});
  for (const char* body : {"two;", "three;"}) {
    const Desk::Case next = desk_.take();
    EXPECT_FALSE(next.request.hangup.gone());
    next.reply({.body = body});
  }
  const std::string all = raw.read_all();
  EXPECT_LT(all.find("one;"), all.find("two;"));
  EXPECT_LT(all.find("two;"), all.find("three;"));
  EXPECT_TRUE(all.ends_with("three;"));
}

TEST_F(ServerTest, TakesAReplyFromAnotherThreadOnce) {
  serve(desk_.handler());
  std::thread other([this] {
    const Desk::Case pending = desk_.take();
    std::this_thread::sleep_for(50ms);
    pending.reply({.status = 202, .body = "later"});
    pending.reply({.status = 500, .body = "again"});
  });
  Client one = client();
  const auto response = one.post("/", "", "", 10s);
  other.join();
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 202);
  EXPECT_EQ(response->body, "later");
}

TEST_F(ServerTest, AnswersForAHandlerThatForgetsOrThrows) {
  serve([](const Request& request, const Reply&) {
    if (request.path == "/throw") throw 1;
  });
  Client one = client();
  EXPECT_EQ(one.get("/forget", 10s)->status, 500);
  EXPECT_EQ(one.get("/throw", 10s)->status, 500);
}

TEST_F(ServerTest, TellsTheHandlerThatTheClientVanished) {
  serve(desk_.handler());
  std::atomic<int> told = 0;
  {
    RawClient raw(path_);
    raw.send("GET /wait HTTP/1.1\r\n\r\n");
    const Desk::Case pending = desk_.take();
    pending.request.hangup.then([&] { ++told; });
    EXPECT_FALSE(pending.request.hangup.gone());
    raw.close();
    EXPECT_TRUE(eventually([&] { return told == 1; }));
    EXPECT_TRUE(pending.request.hangup.gone());
    pending.request.hangup.then([&] { ++told; });
    EXPECT_EQ(told, 2);
    pending.reply({.body = "to nobody"});
  }
  EXPECT_EQ(told, 2);
}

TEST_F(ServerTest, NoticesAVanishedClientBehindPipelinedBytes) {
  serve(desk_.handler());
  RawClient raw(path_);
  raw.send("GET /wait HTTP/1.1\r\n\r\n");
  const Desk::Case pending = desk_.take();
  // More than the server reads ahead, so that it has stopped reading when the client goes.
  raw.send("POST /2 HTTP/1.1\r\nContent-Length: 100000\r\n\r\n" + std::string(100'000, 'x'));
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(pending.request.hangup.gone());
  raw.close();
  EXPECT_TRUE(eventually([&] { return pending.request.hangup.gone(); }));
}

TEST_F(ServerTest, AnswersAClientThatHasFinishedSending) {
  serve(desk_.handler());
  RawClient raw(path_);
  raw.send("GET /half HTTP/1.1\r\n\r\n");
  raw.finish_sending();
  const Desk::Case pending = desk_.take();
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(pending.request.hangup.gone());
  pending.reply({.body = "heard"});
  EXPECT_TRUE(raw.read_all().ends_with("heard"));
}

TEST_F(ServerTest, DropsHangupCallbacksOnceTheReplyIsSent) {
  serve(desk_.handler());
  auto token = std::make_shared<int>(0);
  RawClient raw(path_);
  raw.send("GET / HTTP/1.1\r\n\r\n");
  Desk::Case pending = desk_.take();
  pending.request.hangup.then([token] { ++*token; });
  pending.reply({.body = "done"});
  raw.read_until("done");
  EXPECT_TRUE(eventually([&] { return token.use_count() == 1; }));
  raw.close();
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(*token, 0);
}

TEST_F(ServerTest, RefusesWhatIsTooLargeOrMalformed) {
  serve(echo, {.max_head = 1000, .max_body = 1000});
  Client one = client();
  EXPECT_EQ(one.post("/", "", std::string(1000, 'x'), 10s)->status, 200);
  const auto too_large = one.post("/", "", std::string(10 << 20, 'x'), 10s);
  ASSERT_TRUE(too_large) << too_large.error().message;
  EXPECT_EQ(too_large->status, 413);
  EXPECT_EQ(one.get("/" + std::string(2000, 'x'), 10s)->status, 431);
  EXPECT_EQ(one.get("/after", 10s)->body, "GET /after 0");  // on a new connection

  for (const char* bad : {"nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\x16\x03\x01\x02\r\n\r\n",
                          "GET / HTTP/1.1\r\nbroken header\r\n\r\n"}) {
    RawClient raw(path_);
    raw.send(bad);
    raw.finish_sending();
    const std::string answer = raw.read_all();
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 400 Bad Request\r\n")) << bad << answer;
    EXPECT_NE(answer.find("Connection: close"), std::string::npos);
  }
}

TEST_F(ServerTest, SaysContinueToAClientThatAsksFirst) {
  serve(echo);
  RawClient raw(path_);
  raw.send("POST /c HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(raw.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  raw.send("hello");
  EXPECT_TRUE(raw.read_until("POST /c 5").ends_with("POST /c 5"));
}

TEST_F(ServerTest, SendsOnlyTheHeadWhenAskedOrBodiless) {
  serve([](const Request& request, const Reply& reply) {
    reply({.status = request.path == "/204" ? 204 : 200, .body = "body"});
  });
  RawClient raw(path_);
  raw.send("HEAD / HTTP/1.1\r\n\r\n");
  EXPECT_NE(raw.read_until("\r\n\r\n").find("Content-Length: 4\r\n"), std::string::npos);
  raw.send("GET /204 HTTP/1.1\r\n\r\n");
  const std::string none = raw.read_until("\r\n\r\n");
  EXPECT_TRUE(none.starts_with("HTTP/1.1 204 No Content\r\n")) << none;
  EXPECT_EQ(none.find("Content-Length"), std::string::npos);
  raw.send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(raw.read_all().ends_with("\r\n\r\nbody"));  // closed, as HTTP/1.0 wants it
}

TEST_F(ServerTest, MovesFiftyMegabytesBothWays) {
  serve([](Request request, const Reply& reply) { reply({.body = std::move(request.body)}); });
  std::string large(50 << 20, 'x');
  for (std::size_t i = 0; i < large.size(); i += 4096) large[i] = static_cast<char>(i >> 12);
  Client one = client();
  const auto response = one.post("/", "", large, 60s);
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_TRUE(response->body == large);
}

TEST_F(ServerTest, ServesManyConnectionsAtOnceOnSeveralThreads) {
  serve(desk_.handler(), {.threads = 3});
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 200; ++i) {
    clients.push_back(std::make_unique<RawClient>(path_));
    ASSERT_TRUE(clients.back()->send("GET /" + std::to_string(i) + " HTTP/1.1\r\n\r\n"));
  }
  ASSERT_TRUE(eventually([this] { return desk_.size() == 200; }));
  for (int i = 0; i < 200; ++i) {
    const Desk::Case pending = desk_.take();
    pending.reply({.body = "<" + pending.request.path + ">"});
  }
  for (int i = 0; i < 200; ++i) {
    const std::string mark = "</" + std::to_string(i) + ">";
    EXPECT_TRUE(clients[static_cast<std::size_t>(i)]->read_until(">").ends_with(mark)) << mark;
  }
}

TEST_F(ServerTest, LimitsConnections) {
  serve(echo, {.max_connections = 2});
  RawClient first(path_);
  auto second = std::make_unique<RawClient>(path_);
  first.send("GET /a HTTP/1.1\r\n\r\n");
  EXPECT_FALSE(first.read_until("GET /a 0").empty());
  EXPECT_EQ(client().get("/", 10s)->status, 503);
  second.reset();
  EXPECT_TRUE(eventually([this] { return client().get("/", 10s)->status == 200; }));
}

TEST_F(ServerTest, LimitsOneUsersConnectionsButNotRoots) {
  serve(echo, {.max_connections_per_user = 1});
  const RawClient first(path_);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(client().get("/", 10s)->status, ::getuid() == 0 ? 200 : 503);
  if (::getuid() != 0) return;
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setuid(1234) != 0) ::_exit(2);
    Result<Client> one = Client::connect_unix(path_);
    if (!one || one->get("/", 10s)->status != 200) ::_exit(3);
    Result<Client> two = Client::connect_unix(path_);
    ::_exit(two && two->get("/", 10s)->status == 503 ? 0 : 4);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(ServerTest, ClosesConnectionsThatDawdle) {
  serve(echo, {.idle_timeout = 900ms, .io_timeout = 300ms});
  const auto dawdle = [this](std::string_view start, std::string_view drip) {
    RawClient raw(path_);
    raw.send(start);
    const auto begin = std::chrono::steady_clock::now();
    while (raw.send(drip) && std::chrono::steady_clock::now() - begin < 10s) {
      std::this_thread::sleep_for(10ms);
    }
    return std::chrono::steady_clock::now() - begin;
  };
  EXPECT_LT(dawdle("GET / HTTP/1.1\r\nA: ", "x"), 8s);
  EXPECT_LT(dawdle("POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n", "x"), 8s);
  RawClient silent(path_);
  bool timed_out = true;
  EXPECT_EQ(silent.read_all(&timed_out), "");
  EXPECT_FALSE(timed_out);
  const auto begin = std::chrono::steady_clock::now();
  RawClient idle(path_);
  idle.send("GET /i HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(idle.read_all(&timed_out).ends_with("GET /i 0"));
  EXPECT_FALSE(timed_out);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 700ms);
}

TEST_F(ServerTest, ClosesAConnectionThatDoesNotReadItsResponse) {
  serve([](const Request&, const Reply& reply) { reply({.body = std::string(20 << 20, 'x')}); },
        {.io_timeout = 300ms});
  RawClient raw(path_);
  raw.send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(eventually([&] {
    pollfd state{raw.fd(), 0, 0};
    return ::poll(&state, 1, 0) == 1 && (state.revents & POLLHUP) != 0;
  }));
  EXPECT_LT(raw.read_all().size(), std::size_t{20} << 20);
}

TEST_F(ServerTest, DoesNotLimitTheHandlersTime) {
  serve(desk_.handler(), {.idle_timeout = 300ms, .io_timeout = 300ms});
  std::thread other([this] {
    const Desk::Case pending = desk_.take();
    std::this_thread::sleep_for(1s);
    pending.reply({.body = "at last"});
  });
  const auto response = client().get("/", 10s);
  other.join();
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "at last");
}

TEST_F(ServerTest, SurvivesRunningOutOfDescriptors) {
  serve(echo);
  RawClient waiting;
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const int next = ::dup(STDERR_FILENO);
  ::close(next);
  const rlimit none_left{static_cast<rlim_t>(next), before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none_left), 0);
  EXPECT_TRUE(waiting.connect(path_));
  EXPECT_TRUE(waiting.send("GET /w HTTP/1.1\r\n\r\n"));
  std::this_thread::sleep_for(50ms);
  char byte = 0;
  EXPECT_EQ(::recv(waiting.fd(), &byte, 1, MSG_DONTWAIT), -1);
  EXPECT_EQ(errno, EAGAIN);
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_TRUE(waiting.read_until("GET /w 0").ends_with("GET /w 0"));
}

TEST_F(ServerTest, StopsWithRepliesPending) {
  serve(desk_.handler());
  RawClient raw(path_);
  raw.send("GET / HTTP/1.1\r\n\r\n");
  const Desk::Case pending = desk_.take();
  std::atomic<bool> told = false;
  pending.request.hangup.then([&] { told = true; });
  const auto begin = std::chrono::steady_clock::now();
  server_->stop();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
  bool timed_out = true;
  EXPECT_EQ(raw.read_all(&timed_out), "");
  EXPECT_FALSE(timed_out);
  EXPECT_FALSE(told);  // the client had not gone
  EXPECT_FALSE(RawClient(path_).connected());
  EXPECT_FALSE(std::filesystem::exists(path_));
  pending.reply({.body = "late"});
  server_.reset();
  pending.reply({.body = "later still"});
}

TEST_F(ServerTest, FinishesWhatIsBeingSentBeforeItStops) {
  const std::string large(2 << 20, 'x');
  serve(desk_.handler());
  RawClient raw(path_);
  raw.send("GET / HTTP/1.1\r\n\r\n");
  desk_.take().reply({.body = large});
  std::thread stopper([this] { server_->stop(); });
  EXPECT_GT(raw.read_all().size(), large.size());
  stopper.join();
}

TEST_F(ServerTest, StopsTwiceOrWithoutAStart) {
  serve(echo);
  server_->stop();
  server_->stop();
  Server unused;
  ASSERT_TRUE(unused.listen_unix(path_, 0600));
}

TEST_F(ServerTest, ListensOnTcpAndInheritedSockets) {
  Server server;
  const auto port = server.listen_tcp("127.0.0.1", 0);
  ASSERT_TRUE(port) << port.error().message;
  UniqueFd inherited(::socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path_.data(), path_.size());
  ASSERT_EQ(::bind(inherited.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(inherited.get(), 8), 0);
  ASSERT_TRUE(server.listen_fd(std::move(inherited)));
  server.start([](const Request& request, const Reply& reply) {
    reply({.body = request.peer.local ? "unix" : request.peer.address});
  });
  EXPECT_EQ(client().get("/", 10s)->body, "unix");

  const UniqueFd tcp(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(*port);
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::connect(tcp.get(), reinterpret_cast<sockaddr*>(&where), sizeof where), 0);
  const std::string_view request = "GET / HTTP/1.1\r\nConnection: close\r\n\r\n";
  ASSERT_EQ(::send(tcp.get(), request.data(), request.size(), 0), std::ssize(request));
  std::string answer(4096, '\0');
  answer.resize(
      static_cast<std::size_t>(::recv(tcp.get(), answer.data(), answer.size(), MSG_WAITALL)));
  EXPECT_TRUE(answer.ends_with("\r\n\r\n127.0.0.1")) << answer;
  server.stop();
  EXPECT_TRUE(std::filesystem::exists(path_));  // who made the socket removes it
}

TEST_F(ServerTest, StreamsAResponse) {
  serve(desk_.handler());
  std::thread writer([this] {
    const Desk::Case pending = desk_.take();
    auto stream = std::make_shared<Stream>();
    EXPECT_TRUE(stream->push("early "));
    pending.reply({.content_type = "text/plain", .stream = stream});
    for (int i = 0; i < 100; ++i) {
      EXPECT_TRUE(stream->push(std::to_string(i) + " "));
      if (i % 10 == 0) std::this_thread::sleep_for(1ms);
    }
    stream->finish();
    EXPECT_FALSE(stream->push("too late"));
  });
  std::string expected = "early ";
  for (int i = 0; i < 100; ++i) expected += std::to_string(i) + " ";
  Client one = client();
  std::string got;
  const auto response = one.post_streaming("/", "", "", [&](std::string_view data) {
    got += data;
    return true;
  });
  writer.join();
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(got, expected);
  // The connection is good for another one.
  std::thread again([this] { desk_.take().reply({.body = "again"}); });
  EXPECT_EQ(one.get("/", 10s)->body, "again");
  again.join();
}

TEST_F(ServerTest, HoldsBackAStreamThatNobodyReads) {
  serve(desk_.handler());
  auto raw = std::make_unique<RawClient>(path_);
  raw->send("GET / HTTP/1.1\r\n\r\n");
  const Desk::Case pending = desk_.take();
  auto stream = std::make_shared<Stream>(100'000);
  pending.reply({.stream = stream});
  const std::string piece(10'000, 'x');
  std::size_t taken = 0;
  EXPECT_TRUE(eventually([&] {
    while (stream->push(piece)) taken += piece.size();
    std::this_thread::sleep_for(20ms);
    return !stream->push(piece);
  }));
  EXPECT_LT(taken, 4'000'000U);  // socket buffers and what is in flight, no more
  EXPECT_FALSE(stream->closed());
  raw.reset();
  EXPECT_TRUE(eventually([&] { return stream->closed(); }));
  EXPECT_TRUE(eventually([&] { return pending.request.hangup.gone(); }));
}

TEST_F(ServerTest, EndsAStreamThatTheClientLeaves) {
  serve(desk_.handler());
  std::thread leaver([this] {
    Client one = client();
    const auto response =
        one.post_streaming("/", "", "", [](std::string_view data) { return data != "last"; });
    EXPECT_TRUE(response) << response.error().message;
  });
  const Desk::Case pending = desk_.take();
  auto stream = std::make_shared<Stream>();
  std::atomic<bool> told = false;
  pending.request.hangup.then([&] { told = true; });
  pending.reply({.stream = stream});
  EXPECT_TRUE(stream->push("first"));
  std::this_thread::sleep_for(50ms);
  EXPECT_TRUE(stream->push("last"));
  EXPECT_TRUE(eventually([&] { return stream->closed(); }));
  EXPECT_TRUE(eventually([&] { return told.load(); }));
  leaver.join();

  // A stream in a reply to somebody who has already gone closes too.
  RawClient raw(path_);
  raw.send("GET / HTTP/1.1\r\n\r\n");
  const Desk::Case late = desk_.take();
  raw.close();
  EXPECT_TRUE(eventually([&] { return late.request.hangup.gone(); }));
  auto unread = std::make_shared<Stream>();
  late.reply({.stream = unread});
  EXPECT_TRUE(eventually([&] { return unread->closed(); }));
}

TEST_F(ServerTest, StopsWhileStreaming) {
  serve(desk_.handler());
  RawClient raw(path_);
  raw.send("GET / HTTP/1.1\r\n\r\n");
  const Desk::Case pending = desk_.take();
  auto stream = std::make_shared<Stream>();
  pending.reply({.stream = stream});
  stream->push("some");
  raw.read_until("some");
  server_->stop();
  EXPECT_TRUE(stream->closed());
  EXPECT_FALSE(pending.request.hangup.gone());
  EXPECT_FALSE(raw.read_all().ends_with("0\r\n\r\n"));  // cut, and to be seen as cut
}

}  // namespace
}  // namespace grappe::http
