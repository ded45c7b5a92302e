// May a pending job start at all, whatever the machine looks like?
#pragma once

#include <string>

#include "embedded/state.h"
#include "model/reason.h"

namespace grappe::embedded {

struct Eligibility {
  Reason reason = Reason::kNone;  // kNone: it may
  std::string detail;
  int64_t again_at = 0;  // when to ask again by the clock; 0: something must happen
};

Eligibility eligible(const State& state, const Job& job, int64_t now);

// How many tasks of an array record the %limit lets start now; 1 for a plain job.
uint32_t startable_tasks(const State& state, const Job& job);

}  // namespace grappe::embedded
