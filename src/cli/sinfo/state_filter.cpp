#include "cli/sinfo/state_filter.h"

#include <algorithm>

#include "base/text.h"
#include "model/node_state.h"

namespace grappe {
namespace {

bool is_busy(uint32_t s) {
  return node_base(s) == NodeBase::kAllocated || node_base(s) == NodeBase::kMixed ||
         (s & kNodeCompleting) != 0;
}

struct Row {
  std::string_view name;
  std::string_view brief;
  bool (*test)(uint32_t state);
};

#define BASE(kind) [](uint32_t s) { return node_base(s) == NodeBase::kind; }
#define FLAG(bit) [](uint32_t s) { return (s & (bit)) != 0; }

bool never(uint32_t) {
  return false;
}

// In Slurm's order: the first whose name begins with what was typed is meant. Power saving, clouds
// and reboots do not exist here, so no node is ever in those states.
constexpr Row kStates[] = {
    {"unknown", "unk", BASE(kUnknown)},
    {"down", "down", BASE(kDown)},
    {"idle", "idle", BASE(kIdle)},
    {"allocated", "alloc",
     [](uint32_t s) {
       return node_base(s) == NodeBase::kAllocated || node_base(s) == NodeBase::kMixed;
     }},
    {"mixed", "mix", BASE(kMixed)},
    {"future", "futr", BASE(kFuture)},
    {"drain", "drain", FLAG(kNodeDrain)},
    {"drained", "drain", [](uint32_t s) { return (s & kNodeDrain) && !is_busy(s); }},
    {"draining", "drng", [](uint32_t s) { return (s & kNodeDrain) && is_busy(s); }},
    {"no_respond", "no_respond", FLAG(kNodeNoRespond)},
    {"reserved", "resv", FLAG(kNodeReserved)},
    {"perfctrs", "npc", never},
    {"planned", "plnd", FLAG(kNodePlanned)},
    {"cloud", "cloud", never},
    {"completing", "comp", FLAG(kNodeCompleting)},
    {"powering_down", "powering_down", never},
    {"powered_down", "powered_down", never},
    {"power_down", "power_down", never},
    {"powering_up", "powering_up", never},
    {"fail", "fail", FLAG(kNodeFailing)},
    {"maint", "maint", FLAG(kNodeMaint)},
    {"reboot_issued", "reboot^", never},
    {"reboot_requested", "reboot@", never},
};

}  // namespace

Result<NodeStateFilter> NodeStateFilter::parse(std::string_view text) {
  NodeStateFilter filter;
  filter.all_must_hold_ = text.find('&') != std::string_view::npos;
  for (std::string_view word : split_words(text, ",&")) {
    if (iequals(word, "all")) {
      filter.tests_.push_back([](uint32_t) { return true; });
      continue;
    }
    auto found = std::find_if(std::begin(kStates), std::end(kStates), [&](const Row& row) {
      return istarts_with(row.name, word) || istarts_with(row.brief, word);
    });
    if (found == std::end(kStates)) {
      Error error{
          0,
          "valid states: unknown,down,idle,allocated,?,mixed,future,drain,drained,draining,"
          "no_respond,reserved,perfctrs,cloud,completing,powering_down,powered_down,power_down,"
          "powering_up,fail,maint,reboot,reboot^,unknown",
          {}};
      error.notes.push_back("Bad state string: \"" + std::string(word) + "\"");
      return tl::unexpected<Error>(std::move(error));
    }
    filter.tests_.push_back(found->test);
  }
  return filter;
}

NodeStateFilter NodeStateFilter::unavailable() {
  NodeStateFilter filter;
  filter.tests_ = {BASE(kDown), FLAG(kNodeDrain), FLAG(kNodeFailing), BASE(kError)};
  return filter;
}

bool NodeStateFilter::matches(uint32_t state) const {
  auto holds = [&](Test test) { return test(state); };
  if (tests_.empty()) return false;
  return all_must_hold_ ? std::all_of(tests_.begin(), tests_.end(), holds)
                        : std::any_of(tests_.begin(), tests_.end(), holds);
}

}  // namespace grappe
