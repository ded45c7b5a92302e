// What somebody types after `scontrol create reservation`, read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "model/reservation_flags.h"

namespace grappe::embedded {

// A list with the sign of += or -= (0: plain =).
struct NameChange {
  char operation = 0;
  std::string text;
};

struct ReservationChange {
  std::optional<int64_t> start, end;
  std::optional<uint32_t> duration_s;  // or kInfinite
  char duration_operation = 0;         // Duration+= and Duration-=
  std::optional<NameChange> users, groups, accounts;
  std::optional<std::string> nodes, features, partition, licenses, comment;
  std::optional<uint32_t> node_count;
  std::vector<uint32_t> cores;
  ReservationFlagChange flags;
  std::optional<uint32_t> max_start_delay_s;
};

// Keys as scontrol names them, with the sign of += and -= at their end. A time is what
// base/datetime.h reads, or "@" and seconds since 1970.
Result<ReservationChange> read_reservation(const v1::ChangeReservationRequest& request,
                                           int64_t now);

}  // namespace grappe::embedded
