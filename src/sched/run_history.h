// How long the jobs of each user really ran: what a job that waits will probably need.
//
// For planning and for forecasts only. The limit that the user asked for stays what ends a job and
// what a planned start is reckoned by.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "sched/snapshot.h"

namespace grappe::sched {

class RunHistory {
 public:
  struct Run {
    Time run, limit;
  };

  void add(uint32_t user, Time run, Time limit);
  // The mean of the user's last runs with this limit, or else of the last ones as a part of
  // their limits; the limit of somebody who is new.
  Time expected(uint32_t user, Time limit) const;
  // Of one user, the newest last; a limited number of them.
  std::span<const Run> recent(uint32_t user) const;

 private:
  std::unordered_map<uint32_t, std::vector<Run>> users_;
};

}  // namespace grappe::sched
