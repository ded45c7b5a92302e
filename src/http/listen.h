// Listening sockets, made with plain system calls: close-on-exec and non-blocking.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "base/unix_listener.h"
#include "http/message.h"

namespace grappe::http {

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
