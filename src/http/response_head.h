// The lines before a response's body.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "http/message.h"

namespace grappe::http {

struct Framing {
  std::optional<std::size_t> length;  // Content-Length; without it, chunked or until the end
  bool chunked = false;
  bool keep_alive = true;
};

// Line breaks and other control characters in a handler's values are left out: a value that came
// from a user must not add a header.
std::string response_head(const Response& response, const Framing& framing);

// A short plain-text answer that carries the status in words, for what never reached a handler.
Response plain_error(int status);

}  // namespace grappe::http
