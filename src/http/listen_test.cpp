#include "http/listen.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <fstream>

#include "http/test_socket.h"

namespace grappe::http {
namespace {

// Leaves a socket file that nobody listens on, as a killed server does.
void leave_stale_socket(const std::string& path) {
  const UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  ASSERT_EQ(::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(fd.get(), 1), 0);
}

TEST(UnixListener, AppearsWithItsModeAndDisappears) {
  const TempDir dir;
  {
    const auto listener = UnixListener::open(dir / "s", 0640);
    ASSERT_TRUE(listener) << listener.error().message;
    struct stat info {};
    ASSERT_EQ(::lstat((dir / "s").c_str(), &info), 0);
    EXPECT_TRUE(S_ISSOCK(info.st_mode));
    EXPECT_EQ(info.st_mode & 07777, 0640U);
    EXPECT_FALSE(std::filesystem::exists(dir / "s.new"));
    EXPECT_TRUE(RawClient(dir / "s").connected());
  }
  EXPECT_FALSE(std::filesystem::exists(dir / "s"));
}

TEST(UnixListener, ReplacesAStaleSocket) {
  const TempDir dir;
  leave_stale_socket(dir / "s");
  EXPECT_FALSE(RawClient(dir / "s").connected());
  const auto listener = UnixListener::open(dir / "s", 0600);
  ASSERT_TRUE(listener) << listener.error().message;
  EXPECT_TRUE(RawClient(dir / "s").connected());
}

TEST(UnixListener, StealsNeitherALiveSocketNorAFile) {
  const TempDir dir;
  const auto first = UnixListener::open(dir / "s", 0600);
  ASSERT_TRUE(first);
  const auto second = UnixListener::open(dir / "s", 0600);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, EADDRINUSE);
  EXPECT_TRUE(RawClient(dir / "s").connected());

  // One that does not know of our lock is left alone too.
  std::filesystem::remove(dir / "s.lock");
  const auto third = UnixListener::open(dir / "s", 0600);
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, EADDRINUSE);
  EXPECT_TRUE(RawClient(dir / "s").connected());

  std::ofstream(dir / "file") << "precious";
  const auto fourth = UnixListener::open(dir / "file", 0600);
  ASSERT_FALSE(fourth);
  EXPECT_EQ(fourth.error().code, EADDRINUSE);
  EXPECT_TRUE(std::filesystem::is_regular_file(dir / "file"));
}

TEST(UnixListener, LeavesAloneWhatCameInItsPlace) {
  const TempDir dir;
  {
    const auto listener = UnixListener::open(dir / "s", 0600);
    ASSERT_TRUE(listener);
    std::filesystem::remove(dir / "s");
    std::ofstream(dir / "s") << "another's";
  }
  EXPECT_TRUE(std::filesystem::exists(dir / "s"));
}

TEST(UnixListener, FailsWithTheReason) {
  EXPECT_EQ(UnixListener::open("/nonexistent/dir/s", 0600).error().code, ENOENT);
  EXPECT_EQ(UnixListener::open("/tmp/" + std::string(200, 'x'), 0600).error().code, ENAMETOOLONG);
  EXPECT_EQ(UnixListener::open("", 0600).error().code, ENAMETOOLONG);
}

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
