// What srun and sattach speak with the shepherd of a step, over the step's Unix socket.
//
// Both sides send frames: a header and `length` bytes. The shepherd knows the caller from the
// kernel (SO_PEERCRED): only the job's user and root may connect. The first frame of a client
// is kHello.
#pragma once

#include <cstdint>

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
  kSignal = 5,    // payload: int32 signal number; to every task
  // From the shepherd.
  kStarted = 16,  // payload: uint32 pid; `task` says of which
  kStdout = 17,
  kStderr = 18,
  kStdoutEnd = 19,
  kStderrEnd = 20,
  kTaskExit = 21,    // payload: int32 wait status
  kTaskFailed = 22,  // could not be started; payload: message; a kTaskExit follows
  kDone = 23,        // every task ended and all output was sent
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

}  // namespace grappe::exec
