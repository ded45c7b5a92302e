// Amounts of memory in Slurm's notation, and its rules for shortening any number with a unit.
//
// Memory is kept in megabytes. `--mem` reads "4000", "512K", "4G", "4GB", "1T"; kilobytes round up.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace grappe {

// Megabytes. Fractions, other suffixes and what does not fit are refused.
Result<uint64_t> parse_megabytes(std::string_view text);

// What a plain count may end in: none, K, M, G, T or P (powers of 1024), "KB" and the like (powers
// of 1000) or "KiB". 1 for no suffix, 0 for one that is unknown.
uint64_t suffix_multiplier(std::string_view suffix);

enum class Unit { kNone, kKilo, kMega, kGiga, kTera, kPeta };

// How a number is shortened: 1000 M can be 0.98G, 2000 M can be 1.95G.
enum class Shorten {
  kRounded,  // the greatest unit that leaves at least 1: "31.25G", "1.95G" (sacct, sstat)
  kExact,    // a greater unit only when it gives a whole or a half: "32000M", "125G", "1.50G"
  kNever,    // the unit it came in: "131072M" (--noconvert)
  kRaw,      // the number alone: "131072"
};

// `divisor` is 1024 for bytes and 1000 for counts. Less than one is "0", without unit.
std::string convert_units(double value, Unit from, Shorten how = Shorten::kRounded,
                          uint32_t divisor = 1024);

// In the unit asked for (--units=G): "0.50G".
std::string convert_units_to(double value, Unit from, Unit to, uint32_t divisor = 1024);

// The form of scontrol (TRES=mem=125G, MinMemoryNode=32000M) and of squeue's %m.
std::string format_megabytes(uint64_t megabytes);

}  // namespace grappe
