// How a handler that answers later learns that nobody waits for the answer any more.
//
// A long poll frees its place, a lease ends. It is armed from the moment the handler is called
// until the whole response (a streamed one too) has been sent. It speaks only of the peer: when
// the server itself stops, connections go without a hang-up being told, so that restarting the
// service does not end the leases of people who are still there.
#pragma once

#include <functional>
#include <memory>

namespace grappe::http {

// A handle: copies speak of the same connection. One made by default never hangs up.
class Hangup {
 public:
  Hangup() = default;

  bool gone() const;

  // Calls `callback` once, from a thread of the server, when the peer hangs up; at once if it
  // already has; never if the response is sent first. Any thread may ask. The callback must not
  // block, which would hold up other connections, nor throw.
  void then(std::function<void()> callback) const;

  // The server's side of it.
  static Hangup armed();
  void fire() const;
  void disarm() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace grappe::http
