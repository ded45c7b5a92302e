#include "model/job_state.h"

#include <strings.h>

#include <array>

namespace grappe {
namespace {

struct StateRow {
  uint32_t value;
  std::string_view name;
  std::string_view code;
};

// Flags first: where several apply, the first row that matches is what Slurm shows.
constexpr std::array kStates{
    StateRow{kStateCompleting, "COMPLETING", "CG"},
    StateRow{kStateStopped, "STOPPED", "ST"},
    StateRow{kStateConfiguring, "CONFIGURING", "CF"},
    StateRow{kStateResizing, "RESIZING", "RS"},
    StateRow{kStateRequeued, "REQUEUED", "RQ"},
    StateRow{kStateRequeueHold, "REQUEUE_HOLD", "RH"},
    StateRow{kStateSpecialExit, "SPECIAL_EXIT", "SE"},
    StateRow{kStateResvDelHold, "RESV_DEL_HOLD", "RD"},
    StateRow{kStateRequeueFed, "REQUEUE_FED", "RF"},
    StateRow{kStateRevoked, "REVOKED", "RV"},
    StateRow{kStateSignaling, "SIGNALING", "SI"},
    StateRow{kStateStageOut, "STAGE_OUT", "SO"},
    StateRow{0, "PENDING", "PD"},
    StateRow{1, "RUNNING", "R"},
    StateRow{2, "SUSPENDED", "S"},
    StateRow{3, "COMPLETED", "CD"},
    StateRow{4, "CANCELLED", "CA"},
    StateRow{5, "FAILED", "F"},
    StateRow{6, "TIMEOUT", "TO"},
    StateRow{7, "NODE_FAIL", "NF"},
    StateRow{8, "PREEMPTED", "PR"},
    StateRow{9, "BOOT_FAIL", "BF"},
    StateRow{10, "DEADLINE", "DL"},
    StateRow{11, "OUT_OF_MEMORY", "OOM"},
};

const StateRow* find(uint32_t state) {
  for (const StateRow& row : kStates) {
    bool is_flag = row.value > kStateBaseMask;
    if (is_flag ? (state & row.value) != 0 : (state & kStateBaseMask) == row.value) return &row;
  }
  return nullptr;
}

bool same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

bool shows_as(uint32_t state, uint32_t wanted) {
  if (wanted > kStateBaseMask) return (state & wanted) != 0;
  return (state & (kStateBaseMask | kStateSpecialExit)) == wanted;
}

std::string_view job_state_name(uint32_t state) {
  const StateRow* row = find(state);
  return row ? row->name : "?";
}

std::string_view job_state_code(uint32_t state) {
  const StateRow* row = find(state);
  return row ? row->code : "?";
}

std::optional<uint32_t> parse_job_state(std::string_view text) {
  for (const StateRow& row : kStates) {
    if (same(text, row.name) || same(text, row.code)) return row.value;
  }
  return std::nullopt;
}

std::vector<std::string_view> job_state_names() {
  static constexpr std::array<std::string_view, 12> kFlags{
      "COMPLETING",   "CONFIGURING", "RESIZING",  "RESV_DEL_HOLD", "REQUEUED",  "REQUEUE_FED",
      "REQUEUE_HOLD", "REVOKED",     "SIGNALING", "SPECIAL_EXIT",  "STAGE_OUT", "STOPPED"};
  std::vector<std::string_view> names;
  for (const StateRow& row : kStates) {
    if (row.value <= kStateBaseMask) names.push_back(row.name);
  }
  names.insert(names.end(), kFlags.begin(), kFlags.end());
  return names;
}

}  // namespace grappe
