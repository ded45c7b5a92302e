#include "http/listen.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace grappe::http {
namespace {

constexpr int kBacklog = 4096;  // the kernel lowers it to net.core.somaxconn

tl::unexpected<Error> fail_call(const std::string& what, int error_number) {
  return fail(error_number, what + ": " + std::strerror(error_number));
}

UniqueFd stream_socket(int family) {
  return UniqueFd(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

const sockaddr* generic(const auto& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}
sockaddr* generic(auto& address) {
  return reinterpret_cast<sockaddr*>(&address);
}

}  // namespace

Result<TcpListener> open_tcp(const std::string& address, std::uint16_t port) {
  sockaddr_in v4{};
  sockaddr_in6 v6{};
  v4.sin_family = AF_INET;
  v6.sin6_family = AF_INET6;
  v4.sin_port = v6.sin6_port = htons(port);
  const bool is_v4 = ::inet_pton(AF_INET, address.c_str(), &v4.sin_addr) == 1;
  if (!is_v4 && ::inet_pton(AF_INET6, address.c_str(), &v6.sin6_addr) != 1) {
    return fail(EINVAL, "'" + address + "' is not an IP address");
  }
  UniqueFd fd = stream_socket(is_v4 ? AF_INET : AF_INET6);
  if (!fd) return fail_call("socket", errno);
  const int on = 1;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (!is_v4) ::setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  const int bound =
      is_v4 ? ::bind(fd.get(), generic(v4), sizeof v4) : ::bind(fd.get(), generic(v6), sizeof v6);
  if (bound != 0 || ::listen(fd.get(), kBacklog) != 0) {
    return fail_call("listen on " + address + " port " + std::to_string(port), errno);
  }
  socklen_t size = sizeof v6;
  if (::getsockname(fd.get(), generic(v6), &size) != 0) return fail_call("getsockname", errno);
  // The port is at the same place in both address families.
  return TcpListener{std::move(fd), ntohs(v6.sin6_port)};
}

Status adopt_listener(int fd) {
  int type = 0;
  int listening = 0;
  socklen_t size = sizeof type;
  if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0 ||
      ::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) != 0) {
    return fail_call("inherited descriptor " + std::to_string(fd), errno);
  }
  if (type != SOCK_STREAM || listening == 0) {
    return fail(EINVAL,
                "inherited descriptor " + std::to_string(fd) + " is not a listening stream socket");
  }
  if (::fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 ||
      ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK) != 0) {
    return fail_call("fcntl", errno);
  }
  return {};
}

Result<Peer> peer_of(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getpeername(fd, generic(address), &size) != 0) return fail_call("getpeername", errno);
  Peer peer;
  if (address.ss_family == AF_UNIX) {
    ucred credentials{};
    socklen_t length = sizeof credentials;
    if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) {
      return fail_call("SO_PEERCRED", errno);
    }
    peer = {credentials.uid, credentials.gid, credentials.pid, true, {}};
    return peer;
  }
  char text[INET6_ADDRSTRLEN] = "";
  const void* ip = address.ss_family == AF_INET
                       ? static_cast<const void*>(&reinterpret_cast<sockaddr_in&>(address).sin_addr)
                       : &reinterpret_cast<sockaddr_in6&>(address).sin6_addr;
  if (::inet_ntop(address.ss_family, ip, text, sizeof text) == nullptr) {
    return fail_call("inet_ntop", errno);
  }
  peer.address = text;
  return peer;
}

}  // namespace grappe::http
