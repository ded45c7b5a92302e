#include "base/unix_listener.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace grappe {
namespace {

constexpr int kBacklog = 4096;  // the kernel lowers it to net.core.somaxconn

tl::unexpected<Error> fail_call(const std::string& what, int error_number) {
  return fail(error_number, what + ": " + std::strerror(error_number));
}

Result<sockaddr_un> unix_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    return fail(ENAMETOOLONG, "socket path '" + path + "' is empty or longer than " +
                                  std::to_string(sizeof address.sun_path - 1) + " bytes");
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

UniqueFd stream_socket() {
  return UniqueFd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

const sockaddr* generic(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

// Whether `path` is free, or holds a socket on which nobody listens any more.
Status check_replaceable(const std::string& path, const sockaddr_un& address) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return {};
    return fail_call("lstat " + path, errno);
  }
  if (!S_ISSOCK(info.st_mode)) return fail(EADDRINUSE, path + " exists and is not a socket; remove it or choose another path");
  const UniqueFd probe = stream_socket();
  if (!probe) return fail_call("socket", errno);
  if (::connect(probe.get(), generic(address), sizeof address) != 0 &&
      (errno == ECONNREFUSED || errno == ENOENT)) {
    return {};
  }
  return fail(EADDRINUSE, "another server listens on " + path);
}

Result<UniqueFd> lock_beside(const std::string& path) {
  const std::string name = path + ".lock";
  UniqueFd lock(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock) return fail_call("open " + name, errno);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno != EWOULDBLOCK) return fail_call("flock " + name, errno);
  return fail(EADDRINUSE, "another server holds " + name);
}

}  // namespace

UnixListener::UnixListener(UniqueFd fd, UniqueFd lock, std::string path, dev_t device, ino_t inode)
    : fd_(std::move(fd)),
      lock_(std::move(lock)),
      path_(std::move(path)),
      device_(device),
      inode_(inode) {}

UnixListener::~UnixListener() {
  if (!lock_) return;  // moved from
  struct stat info {};
  if (::lstat(path_.c_str(), &info) == 0 && info.st_dev == device_ && info.st_ino == inode_) {
    ::unlink(path_.c_str());
  }
}

Result<UnixListener> UnixListener::open(const std::string& path, mode_t mode) {
  const auto address = unix_address(path);
  if (!address) return tl::unexpected(address.error());
  auto lock = lock_beside(path);
  if (!lock) return tl::unexpected(lock.error());
  if (Status free = check_replaceable(path, *address); !free) return tl::unexpected(free.error());

  // Made under another name and renamed: nobody ever sees it with a mode other than its own, or
  // finds the name missing.
  const std::string fresh = path + ".new";
  const auto fresh_address = unix_address(fresh);
  if (!fresh_address) return tl::unexpected(fresh_address.error());
  UniqueFd fd = stream_socket();
  if (!fd) return fail_call("socket", errno);
  ::unlink(fresh.c_str());
  if (::bind(fd.get(), generic(*fresh_address), sizeof *fresh_address) != 0) {
    return fail_call("bind " + fresh, errno);
  }
  struct stat info {};
  if (::chmod(fresh.c_str(), mode) != 0 || ::lstat(fresh.c_str(), &info) != 0 ||
      ::listen(fd.get(), kBacklog) != 0 || ::rename(fresh.c_str(), path.c_str()) != 0) {
    const int error_number = errno;
    ::unlink(fresh.c_str());
    return fail_call("listen on " + path, error_number);
  }
  return UnixListener(std::move(fd), std::move(*lock), path, info.st_dev, info.st_ino);
}

}  // namespace grappe
