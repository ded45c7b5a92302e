// A response whose body is written little by little: an event watch, a log that is followed.
//
//   auto stream = std::make_shared<Stream>();
//   reply({.content_type = "application/x-ndjson", .stream = stream});
//   stream->push(event);  // now or later, from any thread
//   stream->finish();
//
// A peer that reads too slowly never makes the server's memory grow: push refuses what does not
// fit, and the writer decides whether to skip, to say "you missed some", or to finish. A writer
// that pushes for long keeps the request's Hangup in view, and finishes what it started.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <string>

namespace grappe::http {

class Stream {
 public:
  // `limit`: how many bytes may wait for the peer to read. One push into an empty stream may be
  // longer than that.
  explicit Stream(std::size_t limit = std::size_t{1} << 20) : limit_(limit) {}

  // False, and nothing taken, when the peer is gone, the stream finished, or `limit` reached.
  bool push(std::string data);
  void finish();

  // True once nothing more can reach the peer.
  bool closed() const;

  // The server's side of it. `wake` is called, from any thread, when there is something to take.
  struct Piece {
    std::string data;
    bool last = false;
  };
  void attach(std::function<void()> wake);
  Piece take();
  void close();

 private:
  const std::size_t limit_;
  mutable std::mutex mutex_;  // guards all below
  std::string waiting_;
  bool finished_ = false;
  bool closed_ = false;
  std::function<void()> wake_;
};

}  // namespace grappe::http
