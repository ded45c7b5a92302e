// What srun and sattach speak with the shepherd of a step, over the step's Unix socket.
//
// Both sides send frames: a header and `length` bytes. The shepherd knows the caller from the
// kernel (SO_PEERCRED): only the job's user and root may connect. The first frame of a client
// is kHello; who comes late is told first which tasks have started and ended, and shown the last
// that they printed.
//
// A client that supplies more input than the tasks read is not read from until they do: signals
// and new sizes then belong on a second connection (kHello with reads_stdin 0).
//
// The codec is here, without anything to link: commands include this header and nothing else of
// this folder.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace grappe::exec {

inline constexpr uint32_t kStepIoVersion = 1;
inline constexpr uint32_t kAllTasks = 0xffffffff;
inline constexpr uint32_t kMaxFrame = 1 << 20;

enum class FrameType : uint32_t {
  // From the client.
  kHello = 1,     // payload: HelloPayload
  kStdin = 2,     // data for `task` or kAllTasks
  kStdinEnd = 3,  // no more input for `task` or kAllTasks
  kResize = 4,    // payload: ResizePayload
  kSignal = 5,    // payload: int32 signal number; to every process of the step
  // From the shepherd.
  kStarted = 16,  // payload: uint32 pid; `task` says of which
  kStdout = 17,
  kStderr = 18,  // `task` is kAllTasks when the step itself speaks ("*** STEP 7.0 ... ***")
  kStdoutEnd = 19,
  kStderrEnd = 20,
  kTaskExit = 21,     // payload: int32 wait status
  kTaskFailed = 22,   // could not be started; payload: message; a kTaskExit follows
  kDone = 23,         // every task ended and all output was sent
  kEnding = 24,       // the service ends the step; payload: uint32 seconds until it is killed
  kOutOfMemory = 25,  // before the kTaskExit of `task`: the step lost a process for lack of memory
};

struct FrameHeader {
  uint32_t type;
  uint32_t task;
  uint32_t length;
};

struct HelloPayload {
  uint32_t version;
  uint32_t reads_stdin;  // 1: this client supplies input (srun); 0: only looks on (sattach)
};

struct ResizePayload {
  uint16_t rows, cols;
};

// A plain struct as the bytes of a payload, and back; none if the size is another one.
template <class T>
std::string_view as_payload(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
template <class T>
std::optional<T> from_payload(std::string_view payload) {
  T value;
  if (payload.size() != sizeof value) return std::nullopt;
  payload.copy(reinterpret_cast<char*>(&value), sizeof value);
  return value;
}

inline std::string make_frame(uint32_t type, uint32_t task, std::string_view payload) {
  const FrameHeader header{type, task, static_cast<uint32_t>(payload.size())};
  std::string frame;
  frame.reserve(sizeof header + payload.size());
  return frame.append(as_payload(header)).append(payload);
}
inline std::string make_frame(FrameType type, uint32_t task, std::string_view payload = {}) {
  return make_frame(static_cast<uint32_t>(type), task, payload);
}

// Cuts what arrives into frames.
class FrameReader {
 public:
  struct Frame {
    uint32_t type;
    uint32_t task;
    std::string payload;
  };
  void append(const char* data, size_t size) {
    buffer_.erase(0, taken_);
    taken_ = 0;
    buffer_.append(data, size);
  }
  // The next frame, none yet, or an error when one is longer than kMaxFrame.
  Result<std::optional<Frame>> next() {
    FrameHeader header;
    const std::string_view rest = std::string_view(buffer_).substr(taken_);
    if (rest.size() < sizeof header) return std::optional<Frame>();
    std::memcpy(&header, rest.data(), sizeof header);
    if (header.length > kMaxFrame) {
      return fail("a frame of " + std::to_string(header.length) + " bytes is beyond the limit");
    }
    if (rest.size() < sizeof header + header.length) return std::optional<Frame>();
    taken_ += sizeof header + header.length;
    const auto payload = rest.substr(sizeof header, header.length);
    return std::optional(Frame{header.type, header.task, std::string(payload)});
  }

 private:
  std::string buffer_;
  size_t taken_ = 0;
};

}  // namespace grappe::exec
