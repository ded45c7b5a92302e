#include "http/listen.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "http/test_socket.h"

namespace grappe::http {
namespace {

TEST(OpenTcp, TellsThePortAndThePeersAddress) {
  const auto listener = open_tcp("127.0.0.1", 0);
  ASSERT_TRUE(listener) << listener.error().message;
  EXPECT_GT(listener->port, 0);
  const UniqueFd client(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(listener->port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::connect(client.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  const UniqueFd accepted(::accept(listener->fd.get(), nullptr, nullptr));
  const auto peer = peer_of(accepted.get());
  ASSERT_TRUE(peer);
  EXPECT_EQ(peer->address, "127.0.0.1");
  EXPECT_FALSE(peer->local);
  EXPECT_EQ(peer->uid, static_cast<uid_t>(-1));
  EXPECT_EQ(open_tcp("127.0.0.1", listener->port).error().code, EADDRINUSE);
  EXPECT_EQ(open_tcp("localhost", 0).error().code, EINVAL);
}

TEST(AdoptListener, TakesOnlyListeningSockets) {
  const UniqueFd plain(::socket(AF_UNIX, SOCK_STREAM, 0));
  EXPECT_EQ(adopt_listener(plain.get()).error().code, EINVAL);
  EXPECT_EQ(adopt_listener(STDERR_FILENO).error().code, ENOTSOCK);
  EXPECT_EQ(adopt_listener(-1).error().code, EBADF);
  const auto listener = open_tcp("127.0.0.1", 0);
  ASSERT_TRUE(listener);
  EXPECT_TRUE(adopt_listener(listener->fd.get()));
}

}  // namespace
}  // namespace grappe::http
