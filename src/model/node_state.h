// The states of a node, as Slurm numbers and names them: a base state and flags over it.
#pragma once

#include <cstdint>
#include <string>

namespace grappe {

enum class NodeBase : uint32_t {
  kUnknown = 0,
  kDown = 1,
  kIdle = 2,
  kAllocated = 3,
  kError = 4,
  kMixed = 5,
  kFuture = 6,
};

inline constexpr uint32_t kNodeBaseMask = 0xf;
inline constexpr uint32_t kNodeReserved = 0x20;
inline constexpr uint32_t kNodeDrain = 0x200;
inline constexpr uint32_t kNodeCompleting = 0x400;
inline constexpr uint32_t kNodeNoRespond = 0x800;
inline constexpr uint32_t kNodeFailing = 0x2000;
inline constexpr uint32_t kNodeMaint = 0x8000;
inline constexpr uint32_t kNodePlanned = 0x200000;
inline constexpr uint32_t kNodeInvalid = 0x400000;

inline NodeBase node_base(uint32_t state) {
  return static_cast<NodeBase>(state & kNodeBaseMask);
}

// sinfo's word: "idle", "mix", "alloc", "drain", "drng", "down", "maint", "resv", "comp" ...
// with '*' for a node that does not answer; `long_form` gives "mixed", "allocated", "drained"...
std::string node_state_word(uint32_t state, bool long_form);
// scontrol's form: "IDLE+DRAIN", "MIXED", "DOWN+DRAIN".
std::string node_state_flags(uint32_t state);

}  // namespace grappe
