// What travels over HTTP, as plain values: no socket, no Boost, cheap to include.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/hangup.h"
#include "http/stream.h"

namespace grappe::http {

using Headers = std::vector<std::pair<std::string, std::string>>;

// The value of the first header of that name, in any case; empty when there is none.
std::string_view find_header(const Headers& headers, std::string_view name);

// Who is at the other end. On a Unix socket the kernel says so (SO_PEERCRED, taken when the peer
// connected); over TCP nobody does, `local` is false and the ids stay at "nobody known", which is
// never root's.
struct Peer {
  uid_t uid = static_cast<uid_t>(-1);
  gid_t gid = static_cast<gid_t>(-1);
  pid_t pid = 0;
  bool local = false;
  std::string address;  // the IP address of a TCP peer, empty on a Unix socket
};

struct Request {
  std::string method;        // "POST"
  std::string path;          // as sent (not percent-decoded), without the query
  std::string query;         // what followed the '?', without it
  std::string content_type;  // empty when not given, like `accept`
  std::string accept;
  Headers headers;
  std::string body;
  Peer peer;
  Hangup hangup;  // tells a handler that takes its time that the peer has gone

  std::string_view header(std::string_view name) const { return find_header(headers, name); }
};

// A response has a `body`, or a `stream` that goes on for as long as the handler likes (then
// `body` is not used). Content-Length, Connection and Date are added on the way out.
struct Response {
  int status = 200;
  std::string content_type;
  std::string body;
  Headers headers;
  std::shared_ptr<Stream> stream;
};

}  // namespace grappe::http
