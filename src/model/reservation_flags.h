// The flags of a reservation (scontrol create reservation flags=...), as Slurm names them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace grappe {

// In the order in which `scontrol show reservation` prints them.
enum ReservationFlag : uint32_t {
  kResvMaint = 1u << 0,
  kResvFlex = 1u << 1,
  kResvOverlap = 1u << 2,
  kResvIgnoreJobs = 1u << 3,
  kResvHourly = 1u << 4,
  kResvDaily = 1u << 5,
  kResvWeekday = 1u << 6,
  kResvWeekend = 1u << 7,
  kResvWeekly = 1u << 8,
  kResvSpecNodes = 1u << 9,  // the nodes were named
  kResvAllNodes = 1u << 10,  // Nodes=ALL
  kResvAnyNodes = 1u << 11,
  kResvStatic = 1u << 12,
  kResvPartNodes = 1u << 13,  // follows the nodes of its partition
  kResvFirstCores = 1u << 14,
  kResvTimeFloat = 1u << 15,
  kResvReplace = 1u << 16,
  kResvReplaceDown = 1u << 17,
  kResvPurgeComp = 1u << 18,
  kResvNoHoldAfter = 1u << 19,
  kResvMagnetic = 1u << 20,
};

inline constexpr uint32_t kResvRepeats =
    kResvHourly | kResvDaily | kResvWeekday | kResvWeekend | kResvWeekly;

// What a list of flags changes: Slurm adds what is named, and takes away what has a '-' before it.
struct ReservationFlagChange {
  uint32_t add = 0, remove = 0;
  uint32_t purge_s = 0;  // of PURGE_COMP=timespec
};

// "daily,maint", "-magnetic"; `operation` is the '+' or '-' of flags+= and flags-=, else 0. Names
// may be shortened. Fails for a name that is none, and for taking away what can't be.
Result<ReservationFlagChange> parse_reservation_flags(std::string_view text, char operation);

// "MAINT", "PURGE_COMP=00:05:00" ...
std::vector<std::string> reservation_flag_names(uint32_t flags, uint32_t purge_s);

}  // namespace grappe
