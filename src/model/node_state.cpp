#include "model/node_state.h"

#include <array>
#include <string_view>

namespace grappe {
namespace {

std::string_view base_name(NodeBase base) {
  switch (base) {
    case NodeBase::kDown:
      return "DOWN";
    case NodeBase::kIdle:
      return "IDLE";
    case NodeBase::kAllocated:
      return "ALLOCATED";
    case NodeBase::kError:
      return "ERROR";
    case NodeBase::kMixed:
      return "MIXED";
    case NodeBase::kFuture:
      return "FUTURE";
    case NodeBase::kUnknown:
      break;
  }
  return "UNKNOWN";
}

struct Word {
  std::string_view brief, full;
};

Word draining_word(uint32_t state) {
  NodeBase base = node_base(state);
  bool busy =
      base == NodeBase::kAllocated || base == NodeBase::kMixed || (state & kNodeCompleting) != 0;
  return busy ? Word{"drng", "draining"} : Word{"drain", "drained"};
}

Word word(uint32_t state) {
  NodeBase base = node_base(state);
  if (state & kNodeInvalid) return {"inval", "inval"};
  if ((state & kNodeMaint) && !(state & kNodeDrain) && base != NodeBase::kDown)
    return {"maint", "maint"};
  if (state & kNodeDrain) return draining_word(state);
  if (state & kNodeFailing) {
    bool busy = base == NodeBase::kAllocated || base == NodeBase::kMixed;
    return busy ? Word{"failg", "failing"} : Word{"fail", "fail"};
  }
  if (base == NodeBase::kDown) return {"down", "down"};
  if (base == NodeBase::kAllocated) return {"alloc", "allocated"};
  if (state & kNodeCompleting) return {"comp", "completing"};
  if (base == NodeBase::kIdle) {
    if (state & kNodeReserved) return {"resv", "reserved"};
    if (state & kNodePlanned) return {"plnd", "planned"};
    return {"idle", "idle"};
  }
  if (base == NodeBase::kMixed) return {"mix", "mixed"};
  if (base == NodeBase::kFuture) return {"futr", "future"};
  return {"unk", "unknown"};
}

}  // namespace

std::string node_state_word(uint32_t state, bool long_form) {
  Word w = word(state);
  std::string text(long_form ? w.full : w.brief);
  if (state & kNodeNoRespond) text += '*';
  return text;
}

std::string node_state_flags(uint32_t state) {
  struct Flag {
    uint32_t bit;
    std::string_view name;
  };
  static constexpr std::array kFlags{
      Flag{kNodeCompleting, "+COMPLETING"}, Flag{kNodeDrain, "+DRAIN"},
      Flag{kNodeFailing, "+FAIL"},          Flag{kNodeInvalid, "+INVALID_REG"},
      Flag{kNodeMaint, "+MAINTENANCE"},     Flag{kNodeNoRespond, "+NOT_RESPONDING"},
      Flag{kNodePlanned, "+PLANNED"},       Flag{kNodeReserved, "+RESERVED"},
  };
  std::string text(base_name(node_base(state)));
  for (const Flag& flag : kFlags) {
    if (state & flag.bit) text += flag.name;
  }
  return text;
}

}  // namespace grappe
