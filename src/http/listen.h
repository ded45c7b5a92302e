// Listening sockets, made with plain system calls: close-on-exec and non-blocking.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "http/message.h"

namespace grappe::http {

// A Unix socket that is listened on, with the file that stands for it. When it goes, so does the
// file, if it is still ours.
class UnixListener {
 public:
  // See Server::listen_unix.
  static Result<UnixListener> open(const std::string& path, mode_t mode);
  UnixListener(UnixListener&&) = default;
  UnixListener& operator=(UnixListener&&) = delete;
  ~UnixListener();

  UniqueFd take_fd() { return std::move(fd_); }

 private:
  UnixListener(UniqueFd fd, UniqueFd lock, std::string path, dev_t device, ino_t inode);

  UniqueFd fd_;
  UniqueFd lock_;
  std::string path_;
  dev_t device_;
  ino_t inode_;
};

struct TcpListener {
  UniqueFd fd;
  std::uint16_t port = 0;
};
Result<TcpListener> open_tcp(const std::string& address, std::uint16_t port);

// Refuses what is not a listening stream socket; makes it close-on-exec and non-blocking.
Status adopt_listener(int fd);

// Who connected, as the kernel tells it. Fails when it cannot tell: such a peer is to be refused.
Result<Peer> peer_of(int fd);

}  // namespace grappe::http
