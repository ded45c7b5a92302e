#include "base/unix_listener.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace grappe {
namespace {

class TempDir {
 public:
  TempDir() { path_ = ::mkdtemp(name_); }
  ~TempDir() { std::filesystem::remove_all(path_); }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  char name_[32] = "/tmp/grappe-listener-XXXXXX";
  std::string path_;
};

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

bool connects(const std::string& path) {
  const UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM, 0));
  const sockaddr_un address = address_of(path);
  return ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

// Leaves a socket file that nobody listens on, as a killed server does.
void leave_stale_socket(const std::string& path) {
  const UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM, 0));
  const sockaddr_un address = address_of(path);
  ASSERT_EQ(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
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
    EXPECT_TRUE(connects(dir / "s"));
  }
  EXPECT_FALSE(std::filesystem::exists(dir / "s"));
}

TEST(UnixListener, ReplacesAStaleSocket) {
  const TempDir dir;
  leave_stale_socket(dir / "s");
  EXPECT_FALSE(connects(dir / "s"));
  const auto listener = UnixListener::open(dir / "s", 0600);
  ASSERT_TRUE(listener) << listener.error().message;
  EXPECT_TRUE(connects(dir / "s"));
}

TEST(UnixListener, StealsNeitherALiveSocketNorAFile) {
  const TempDir dir;
  const auto first = UnixListener::open(dir / "s", 0600);
  ASSERT_TRUE(first);
  const auto second = UnixListener::open(dir / "s", 0600);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, EADDRINUSE);
  EXPECT_TRUE(connects(dir / "s"));

  // One that does not know of our lock is left alone too.
  std::filesystem::remove(dir / "s.lock");
  const auto third = UnixListener::open(dir / "s", 0600);
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, EADDRINUSE);
  EXPECT_TRUE(connects(dir / "s"));

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

}  // namespace
}  // namespace grappe
