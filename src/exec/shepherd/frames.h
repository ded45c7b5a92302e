// Frames of a step's socket: those of exec/step_io.h, and the few that only the launcher and the
// shepherd exchange ("control").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "exec/step_io.h"

namespace grappe::exec {

// A connection becomes a control connection with kControlHello; only root's (in personal mode:
// the owner's) may. The pair that a shepherd is born with is one from the start.
enum class ControlType : uint32_t {
  kHello = 64,    // from the launcher
  kSignal = 65,   // payload: ControlSignal
  kNotify = 66,   // payload: text for the step's stderr
  kStarted = 80,  // from the shepherd; payload: ControlPid for each task
  kEnded = 81,    // the exit record is written
};
struct ControlSignal {
  int32_t number;
  uint32_t target;  // SignalTarget
};
struct ControlPid {
  uint32_t rank;
  int32_t pid;
};

std::string make_frame(uint32_t type, uint32_t task, std::string_view payload);
inline std::string make_frame(FrameType type, uint32_t task, std::string_view payload = {}) {
  return make_frame(static_cast<uint32_t>(type), task, payload);
}
inline std::string make_frame(ControlType type, std::string_view payload = {}) {
  return make_frame(static_cast<uint32_t>(type), 0, payload);
}

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

// Cuts what arrives into frames.
class FrameReader {
 public:
  struct Frame {
    uint32_t type;
    uint32_t task;
    std::string payload;
  };
  void append(const char* data, size_t size) { buffer_.append(data, size); }
  // The next frame, none yet, or an error when one is longer than kMaxFrame.
  Result<std::optional<Frame>> next();

 private:
  std::string buffer_;
};

}  // namespace grappe::exec
