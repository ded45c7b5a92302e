// Limits that do not hold for a job any more, because an operator has set what they limit.
#pragma once

#include <compare>
#include <cstdint>

namespace grappe {

struct Lifted {
  bool time = false;  // of the job, and of its partition
  bool cpus = false;  // of all kinds: of the job, of its group, of minutes
  bool memory = false;

  auto operator<=>(const Lifted&) const = default;
  // As one number, for the store.
  uint32_t bits() const { return (time ? 1u : 0u) | (cpus ? 2u : 0u) | (memory ? 4u : 0u); }
  static Lifted of_bits(uint32_t bits) {
    return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
  }
};

}  // namespace grappe
