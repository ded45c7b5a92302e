// Frames of a step's socket: those of exec/step_io.h, and the few that only the launcher and the
// shepherd exchange ("control").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "exec/step_io.h"

namespace grappe::exec {

// A connection becomes a control connection with kControlHello; only root's (in personal mode:
// the owner's) may. The pair that a shepherd is born with is one from the start.
enum class ControlType : uint32_t {
  kHello = 64,    // from the launcher
  kSignal = 65,   // payload: ControlSignal
  kNotify = 66,   // payload: text for the step's stderr; `task` is a NoticeKind
  kEndNode = 67,  // payload: uint32 index of the node whose tasks end
  kStarted = 80,  // from the shepherd; payload: ControlPid for each task
  kEnded = 81,    // the exit record is written
  // From the shepherd while it is root: the account that it looked up, for the next shepherd.
  // The first frame of one that was not told the account; nowhere else is it believed.
  kAccount = 82,
};
// Notices that are kept for a step that does not run yet; who sends more speaks to nobody. All of
// them fit into the socket at once.
inline constexpr size_t kMostEarlyNotices = 16;

struct ControlSignal {
  int32_t number;
  uint32_t target;  // SignalTarget
};
struct ControlPid {
  uint32_t rank;
  int32_t pid;
};

inline std::string make_frame(ControlType type, std::string_view payload = {}, uint32_t task = 0) {
  return make_frame(static_cast<uint32_t>(type), task, payload);
}

}  // namespace grappe::exec
