// The states of a job, as Slurm numbers and names them: a base state and flags over it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grappe {

enum class JobState : uint32_t {
  kPending = 0,
  kRunning = 1,
  kSuspended = 2,
  kCompleted = 3,
  kCancelled = 4,
  kFailed = 5,
  kTimeout = 6,
  kNodeFail = 7,
  kPreempted = 8,
  kBootFail = 9,
  kDeadline = 10,
  kOutOfMemory = 11,
};

// Flags that may stand over a base state.
inline constexpr uint32_t kStateBaseMask = 0xff;
inline constexpr uint32_t kStateLaunchFailed = 0x100;
inline constexpr uint32_t kStateRequeued = 0x400;
inline constexpr uint32_t kStateRequeueHold = 0x800;
inline constexpr uint32_t kStateSpecialExit = 0x1000;
inline constexpr uint32_t kStateResizing = 0x2000;
inline constexpr uint32_t kStateConfiguring = 0x4000;
inline constexpr uint32_t kStateCompleting = 0x8000;
inline constexpr uint32_t kStateStopped = 0x10000;
// Known to users of Slurm, never set here: no federation, no burst buffers.
inline constexpr uint32_t kStateRevoked = 0x80000;
inline constexpr uint32_t kStateRequeueFed = 0x100000;
inline constexpr uint32_t kStateResvDelHold = 0x200000;
inline constexpr uint32_t kStateSignaling = 0x400000;
inline constexpr uint32_t kStateStageOut = 0x800000;

// The wait(2) status that Slurm gives to a task, step or job that ran out of memory: "0:125".
inline constexpr int kOutOfMemoryStatus = 125;

inline JobState base_state(uint32_t state) {
  return static_cast<JobState>(state & kStateBaseMask);
}
inline bool is_finished(JobState s) {
  return s >= JobState::kCompleted;
}

// Cancelled, or otherwise over, before it was given any node.
inline bool ended_unstarted(uint32_t state, std::string_view nodes) {
  return is_finished(base_state(state)) && nodes.empty();
}

// Whether a list of `wanted` shows a job in `state`: one flag, or its base state. As in Slurm, what
// waits in SPECIAL_EXIT is not listed as pending.
bool shows_as(uint32_t state, uint32_t wanted);

// "PENDING", "CANCELLED", "COMPLETING": the long form that squeue %T prints. A flag that Slurm
// shows in place of the base state wins.
std::string_view job_state_name(uint32_t state);
// "PD", "CA", "CG": squeue %t.
std::string_view job_state_code(uint32_t state);
// Either form, any case; flags such as COMPLETING give their flag bit.
std::optional<uint32_t> parse_job_state(std::string_view text);
// Every long name in Slurm's order, for "Valid job states include: ...".
std::vector<std::string_view> job_state_names();

}  // namespace grappe
