// When reservations are: windows in time, some of which come again.
#pragma once

#include <cstdint>

#include "embedded/cluster.h"

namespace grappe::embedded {

struct Window {
  int64_t start = 0, end = 0;
};

// The window that follows, by the flags of a repeating reservation; in local time, so that nine
// o'clock stays nine o'clock when the clocks change.
Window next_window(Window window, uint32_t flags);

// Do two reservations ever meet, repetitions included?
bool windows_meet(Window a, uint32_t a_flags, Window b, uint32_t b_flags);

// TIME_FLOAT: the window moves with the clock.
void float_to(ClusterReservation& reservation, int64_t now);

inline Window window_of(const ClusterReservation& r) {
  return {r.start, r.end};
}
inline bool is_now(const ClusterReservation& r, int64_t now) {
  return r.start <= now && now < r.end;
}

}  // namespace grappe::embedded
