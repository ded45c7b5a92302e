#include "client/client.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string_view>
#include <thread>

#include "base/unix_listener.h"
#include "grappe/v1/cluster.pb.h"
#include "model/slurm_error.h"

namespace grappe {
namespace {

using std::chrono::milliseconds;

class ClientTest : public ::testing::Test {
 protected:
  ClientTest() { dir_ = ::mkdtemp(name_); }
  ~ClientTest() override { std::filesystem::remove_all(dir_); }
  std::string path() const { return dir_ + "/s"; }

  // A service that takes one connection and one request, and then dies without a word or answers.
  struct Life {
    bool answers = false;
    std::string token;  // that came with the request
  };
  void live(Life& life) const {
    auto listener = UnixListener::open(path(), 0600);
    ASSERT_TRUE(listener);
    life = take_request(listener->fd(), life.answers);
  }

  static Life take_request(int listener, bool answers) {
    UniqueFd fd;
    while (!fd) {
      fd.reset(::accept(listener, nullptr, nullptr));
      if (!fd) std::this_thread::sleep_for(milliseconds(1));
    }
    std::string text;
    char buffer[4096];
    while (text.find("\r\n\r\n") == std::string::npos) {
      const ssize_t size = ::recv(fd.get(), buffer, sizeof buffer, 0);
      if (size <= 0) break;
      text.append(buffer, static_cast<size_t>(size));
    }
    constexpr std::string_view kHeader = "Idempotency-Key: ";
    const size_t at = text.find(kHeader);
    Life life{answers, at == std::string::npos ? "" : text.substr(at + kHeader.size(), 32)};
    if (answers) {
      constexpr std::string_view kOk =
          "HTTP/1.1 200 OK\r\nContent-Type: application/proto\r\nContent-Length: 0\r\n\r\n";
      ::send(fd.get(), kOk.data(), kOk.size(), MSG_NOSIGNAL);
    }
    return life;
  }

 private:
  char name_[32] = "/tmp/grappe-client-XXXXXX";
  std::string dir_;
};

TEST_F(ClientTest, RepeatsARequestThatDiedWithTheService) {
  Life first, second{true, ""};
  std::thread service([&] {
    live(first);  // and its socket is gone with it
    std::this_thread::sleep_for(milliseconds(300));
    live(second);
  });
  Result<Client> client = fail("");
  while (!client) client = Client::connect(path());
  auto answer = client->call<v1::Empty>("Cluster/Ping", v1::Empty());
  service.join();
  EXPECT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(first.token.size(), 32u);
  EXPECT_EQ(first.token, second.token);
}

TEST_F(ClientTest, GivesEachRequestATokenOfItsOwn) {
  auto listener = UnixListener::open(path(), 0600);
  Life lives[2];
  std::thread service([&] {
    for (Life& life : lives) life = take_request(listener->fd(), true);
  });
  auto client = Client::connect(path());
  ASSERT_TRUE(client);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(client->call<v1::Empty>("Cluster/Ping", v1::Empty()));
  service.join();
  EXPECT_NE(lives[0].token, lives[1].token);
}

TEST_F(ClientTest, SaysAtOnceHowToStartAServiceThatIsNotThere) {
  const auto begin = std::chrono::steady_clock::now();
  auto absent = Client::connect(path());
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, kErrContactConnect);
  EXPECT_NE(absent.error().message.find("./run"), std::string::npos) << absent.error().message;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

}  // namespace
}  // namespace grappe
